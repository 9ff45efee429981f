//! A proxy: where it is, and who it lets through.

use std::fmt;
use std::str::FromStr;

use percent_encoding::percent_decode_str;
use url::Url;

/// A proxy, as in `http://user:password@proxy.example:3128`.
///
/// The scheme says how the proxy itself is reached, `http` or `https`; without one it is `http`. The port is the scheme's
/// own unless it is there. Requests to `http` servers are handed to the proxy, those to `https` servers go through a
/// tunnel that it opens (RFC 9110 §9.3.6). User name and password are percent-encoded; a `+` is a plus sign.
///
/// Displayed and debugged without them.
///
/// ```
/// let proxy = httpx_client::Proxy::new("http://user:p%40ss@proxy.example:3128")?;
/// assert_eq!(proxy.to_string(), "http://proxy.example:3128");
/// # Ok::<(), httpx_client::ProxyError>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Proxy {
    /// As it was given, secrets included: a setting that is written down is to be read again.
    text: String,
    /// Without user name and password.
    url: Url,
    credentials: Option<Credentials>,
}

#[derive(Clone, PartialEq)]
pub(crate) struct Credentials {
    pub(crate) user: String,
    pub(crate) password: String,
}

/// Why a text is no proxy. Never tells a user name or a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProxyError {
    /// SOCKS, or something that is no proxy at all.
    UnsupportedScheme,
    /// A character that ends an authority, or parts it, stands before the last `@`.
    Unescaped,
    /// A `%` that two hexadecimal digits do not follow, or bytes that are no UTF-8.
    Malformed,
    /// A character that Basic credentials cannot hold (RFC 7617 §2).
    Forbidden,
    /// Host and port are not what they should be.
    Place,
    /// Something follows host and port.
    Trailing,
}

impl Proxy {
    /// Reads a proxy.
    ///
    /// # Errors
    /// [`ProxyError`], which says what would be right and tells no secret.
    pub fn new(text: impl AsRef<str>) -> Result<Self, ProxyError> {
        let text = text.as_ref().trim();
        let (scheme, rest) = text.split_once("://").unwrap_or(("http", text));
        if !["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
            // No scheme has these: the "://" stands in a password.
            let unescaped = scheme.contains([':', '@']);
            return Err(if unescaped { ProxyError::Unescaped } else { ProxyError::UnsupportedScheme });
        }
        // Read here and not by the parser for URLs: that one takes what stands before a stray '#' or '/' for the host,
        // and so would connect to a part of the password.
        let (userinfo, place) = match rest.rsplit_once('@') {
            Some((userinfo, place)) => (Some(userinfo), place),
            None => (None, rest),
        };
        let place = place.strip_suffix('/').unwrap_or(place);
        if place.contains(char::is_whitespace) {
            return Err(ProxyError::Place);
        }
        if place.contains(['/', '?', '#', '\\']) {
            return Err(ProxyError::Trailing);
        }
        let url = Url::parse(&format!("{scheme}://{place}/")).map_err(|_| ProxyError::Place)?;
        let credentials = userinfo.map(Credentials::new).transpose()?;
        Ok(Proxy { text: text.to_owned(), url, credentials })
    }

    /// As it was given, to be written down again.
    #[cfg(feature = "config")]
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Where it is; no credentials.
    pub(crate) const fn url(&self) -> &Url {
        &self.url
    }

    pub(crate) const fn credentials(&self) -> Option<&Credentials> {
        self.credentials.as_ref()
    }
}

impl Credentials {
    fn new(userinfo: &str) -> Result<Self, ProxyError> {
        if userinfo.contains(|c: char| matches!(c, '@' | '/' | '?' | '#' | '\\') || c.is_whitespace()) {
            return Err(ProxyError::Unescaped);
        }
        let (user, password) = userinfo.split_once(':').unwrap_or((userinfo, ""));
        let (user, password) = (decoded(user)?, decoded(password)?);
        if user.contains(':') || user.contains(char::is_control) || password.contains(char::is_control) {
            return Err(ProxyError::Forbidden);
        }
        Ok(Credentials { user, password })
    }
}

fn decoded(text: &str) -> Result<String, ProxyError> {
    let whole = text.split('%').skip(1).all(|after| {
        let digits = after.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    });
    let decoded = percent_decode_str(text).decode_utf8().ok().filter(|_| whole);
    Ok(decoded.ok_or(ProxyError::Malformed)?.into_owned())
}

impl FromStr for Proxy {
    type Err = ProxyError;

    fn from_str(text: &str) -> Result<Self, ProxyError> {
        Proxy::new(text)
    }
}

impl fmt::Display for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url.origin().ascii_serialization())
    }
}

impl fmt::Debug for Proxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Proxy").field(&self.to_string()).finish()
    }
}

impl fmt::Display for ProxyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ProxyError::UnsupportedScheme => "a proxy is reached by http or https, as in http://proxy.example:3128",
            ProxyError::Unescaped => {
                "the user name or password of the proxy has a character that must be percent-encoded: \
         '@' as %40, '/' as %2F, '?' as %3F, '#' as %23, '\\' as %5C, a space as %20"
            }
            ProxyError::Malformed => {
                "the user name or password of the proxy is not percent-encoded UTF-8; a '%' itself is written %25"
            }
            ProxyError::Forbidden => {
                "the user name of the proxy has a colon, or one of its credentials a control character"
            }
            ProxyError::Place => "the proxy has no usable host and port; write it as http://proxy.example:3128",
            ProxyError::Trailing => "nothing may follow the host and port of a proxy, as in http://proxy.example:3128",
        })
    }
}

impl std::error::Error for ProxyError {}
