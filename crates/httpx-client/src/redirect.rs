//! Where a redirect leads, and what goes along (RFC 9110 §15.4).
//!
//! All redirects are followed here, not by reqwest: it cannot repeat a body that it cannot clone, and a call must know
//! that its first hop was sent. Limits, method changes and stripped fields are those of reqwest 0.13; `Referer` is never
//! added.

use http::header::{HOST, LOCATION};
use http::{HeaderMap, Method, StatusCode};
use url::Url;

/// The fields that describe a body.
const OF_BODY: &[&str] = &["content-type", "content-length", "content-encoding", "transfer-encoding"];

/// The fields that must not reach another origin.
pub(crate) const OF_ORIGIN: &[&str] =
    &["authorization", "cookie", "cookie2", "proxy-authorization", "www-authenticate"];

/// One request on the way of a call: the caller's own, or one that a redirect asked for.
#[derive(Clone, Debug)]
pub(crate) struct Hop {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) carries_body: bool,
    /// No redirect so far has led to another origin.
    pub(crate) at_home: bool,
}

/// What an answer asks for.
#[derive(Debug)]
pub(crate) enum Direction {
    /// Nothing: it is the answer.
    Stay,
    /// Go there.
    Follow(Url),
    /// Go to something that is not a place for HTTP.
    Nowhere(Url),
}

/// Reads status and `Location`; a missing or unreadable `Location` makes the answer final, as reqwest has it.
pub(crate) fn direction(status: StatusCode, headers: &HeaderMap, base: &Url) -> Direction {
    if !matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Direction::Stay;
    }
    let location = headers.get(LOCATION).and_then(|location| std::str::from_utf8(location.as_bytes()).ok());
    match location.and_then(|location| base.join(location).ok()) {
        None => Direction::Stay,
        Some(url) if is_http(&url) => Direction::Follow(without_user(url)),
        Some(url) => Direction::Nowhere(url),
    }
}

impl Hop {
    /// The next hop towards `url` after `status`.
    pub(crate) fn redirected(mut self, status: StatusCode, url: Url) -> Hop {
        let becomes_get = match status {
            StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND => self.method == Method::POST,
            StatusCode::SEE_OTHER => self.method != Method::HEAD,
            _ => false,
        };
        if becomes_get {
            self.method = Method::GET;
        }
        if becomes_get || status == StatusCode::SEE_OTHER {
            self.carries_body = false;
            strip(&mut self.headers, OF_BODY);
        }
        if !same_origin(&self.url, &url) {
            strip(&mut self.headers, OF_ORIGIN);
            self.headers.remove(HOST);
            self.at_home = false; // For good: a foreign server may not send credentials anywhere, not even back.
        }
        Hop { url, ..self }
    }
}

#[inline]
pub(crate) fn is_http(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

/// A server that names a user in `Location` would choose the credentials that are sent (RFC 9110 §4.2.4).
fn without_user(mut url: Url) -> Url {
    if !url.username().is_empty() || url.password().is_some() {
        // Both fail only for URLs without a host, and http has one.
        let _ = url.set_username("");
        let _ = url.set_password(None);
    }
    url
}

fn same_origin(a: &Url, b: &Url) -> bool {
    a.scheme() == b.scheme() && a.host_str() == b.host_str() && a.port_or_known_default() == b.port_or_known_default()
}

fn strip(headers: &mut HeaderMap, names: &[&str]) {
    for name in names {
        headers.remove(*name);
    }
}
