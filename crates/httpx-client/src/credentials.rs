//! Credentials as they stand in an `Authorization` field (RFC 9110 §11.6.2).

use std::fmt;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use http::HeaderValue;

/// What proves who is asking. Its `Debug` names the scheme and nothing else.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Credentials {
    scheme: Scheme,
    value: HeaderValue,
}

/// The schemes that this client can answer with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Scheme {
    Basic,
    Bearer,
}

/// Why something cannot be used as credentials. Never tells what it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CredentialsError {
    /// `user:password` is split at the first colon, so a user name cannot hold one (RFC 7617 §2).
    ColonInUser,
    /// Joined credentials without the colon.
    NoColon,
    /// Control characters are forbidden in both (RFC 7617 §2).
    ControlCharacter,
    /// An empty token, or nothing but the word `Bearer`.
    EmptyToken,
    /// A token is one word of visible ASCII characters (RFC 6750 §2.1).
    NotAToken,
}

impl Credentials {
    /// A user name and a password, as UTF-8 (RFC 7617 §2.1). The password may hold colons; both may be empty.
    ///
    /// # Errors
    /// A colon in the user name, or a control character in either.
    pub fn basic(user: &str, password: &str) -> Result<Self, CredentialsError> {
        if user.contains(':') {
            return Err(CredentialsError::ColonInUser);
        }
        if user.chars().chain(password.chars()).any(char::is_control) {
            return Err(CredentialsError::ControlCharacter);
        }
        let joined = BASE64_STANDARD.encode(format!("{user}:{password}"));
        Ok(Credentials::new(Scheme::Basic, &joined).expect("base64 is made of visible characters"))
    }

    /// `user:password`, split at the first colon.
    ///
    /// # Errors
    /// No colon, or a control character.
    pub fn basic_joined(joined: &str) -> Result<Self, CredentialsError> {
        let (user, password) = joined.split_once(':').ok_or(CredentialsError::NoColon)?;
        Credentials::basic(user, password)
    }

    /// A token, opaque to this client (RFC 6749 §1.4): a JWT or any other.
    ///
    /// White space around it is left out, and so is a leading word `Bearer` in any case: both come along when a token is
    /// read from a file or copied from a header.
    ///
    /// # Errors
    /// An empty token, or one with white space or control characters inside.
    pub fn bearer(token: &str) -> Result<Self, CredentialsError> {
        let token = bare_token(token)?;
        Credentials::new(Scheme::Bearer, token).ok_or(CredentialsError::NotAToken)
    }

    fn new(scheme: Scheme, value: &str) -> Option<Self> {
        let mut value = HeaderValue::from_str(&format!("{scheme:?} {value}")).ok()?;
        value.set_sensitive(true);
        Some(Credentials { scheme, value })
    }

    #[cfg(feature = "auth")]
    pub(crate) const fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The value of the field.
    pub(crate) const fn value(&self) -> &HeaderValue {
        &self.value
    }
}

/// The token itself, of what may come with white space and the word `Bearer` around it.
pub(crate) fn bare_token(text: &str) -> Result<&str, CredentialsError> {
    const WORD: &str = "bearer";
    let text = text.trim();
    let token = match text.split_at_checked(WORD.len()) {
        Some((word, rest)) if word.eq_ignore_ascii_case(WORD) && rest.starts_with(char::is_whitespace) => rest.trim(),
        Some((word, "")) if word.eq_ignore_ascii_case(WORD) => "",
        Some(_) | None => text,
    };
    if token.is_empty() {
        return Err(CredentialsError::EmptyToken);
    }
    if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(CredentialsError::NotAToken);
    }
    Ok(token)
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Credentials({:?})", self.scheme)
    }
}

impl fmt::Display for CredentialsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CredentialsError::ColonInUser => {
                "the user name has a colon; no server could tell where the password begins"
            }
            CredentialsError::NoColon => "there is no colon; write it as user:password",
            CredentialsError::ControlCharacter => "the user name or the password has a control character",
            CredentialsError::EmptyToken => "the token is empty",
            CredentialsError::NotAToken => {
                "the token has a space, a line break or another character that no token may have"
            }
        })
    }
}

impl std::error::Error for CredentialsError {}
