//! What a token endpoint says to a refresh token.

use std::time::SystemTime;

use cookie::Cookie;
use http::header::SET_COOKIE;
use http::{HeaderMap, StatusCode};
use httpx_retry::written_at;
use serde::Deserialize;
use url::Url;

use super::errand::Brought;
use super::tokens::{Tokens, is_jwt};
use crate::credentials::bare_token;

/// The cookies that carry tokens. Source: lib-httpx 2.5.0 `HxTokenManager`.
const ACCESS_COOKIE: &str = "JWT";
const REFRESH_COOKIE: &str = "JWT_REFRESH_TOKEN";

/// Which access tokens are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accept {
    /// Any: a token is opaque to its client (RFC 6749 §1.4). lib-httpx drops what is no JWT.
    Any,
    /// A JWT or nothing.
    JwtOnly,
}

/// Which cookies of a token endpoint are read. They are never kept or sent: only the two tokens are taken out of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cookies {
    /// Those for the endpoint's own host, or for a domain it is in (RFC 6265 §5.1.3).
    OwnHost,
    /// All.
    All,
    /// None.
    Ignored,
}

/// What the answer means for the session.
#[derive(Debug)]
pub(crate) enum Grant {
    /// Here is what follows.
    Renewed(Tokens),
    /// Never again with this refresh token.
    Refused,
    /// Not now, or not understood.
    Unclear(&'static str),
}

/// Reads an answer to `old`'s refresh token. Cookies win over JSON, and what is empty or expired is not there.
pub(crate) fn read(answer: &Brought, old: &Tokens, endpoint: &Url, accept: Accept, cookies: Cookies) -> Grant {
    if let Some(told) = told_by(answer.status) {
        return told;
    }
    let usable = |token: &String| bare_token(token).is_ok() && (accept == Accept::Any || is_jwt(token));
    let crumbs = from_cookies(&answer.headers, endpoint, cookies);
    let json: Pair = serde_json::from_slice(&answer.body).unwrap_or_default();
    let access = crumbs.access_token.filter(usable).or(json.access_token.filter(usable));
    let refresh = crumbs.refresh_token.or(json.refresh_token.filter(|token| !token.is_empty()));
    match access.map(|access| old.renewed(&access, refresh.as_deref())) {
        Some(Ok(tokens)) => Grant::Renewed(tokens),
        Some(Err(_)) | None => Grant::Unclear("its answer holds no usable access token"),
    }
}

/// What the status alone decides (RFC 6749 §5.2: errors are 400, or 401).
///
/// Everything else below 500 that is not about this moment is the same word: no. What says "not now" or "not here" is not.
fn told_by(status: StatusCode) -> Option<Grant> {
    match status.as_u16() {
        200..=399 => None,
        404 | 408 | 421 | 425 | 429 => Some(Grant::Unclear("it cannot answer now")),
        400..=499 => Some(Grant::Refused),
        _ => Some(Grant::Unclear("it failed")),
    }
}

/// As RFC 6749 §5.1 names them; null is as good as absent.
#[derive(Debug, Default, Deserialize)]
struct Pair {
    access_token: Option<String>,
    refresh_token: Option<String>,
}

/// The last cookie of each name that is there.
fn from_cookies(headers: &HeaderMap, endpoint: &Url, cookies: Cookies) -> Pair {
    let mut pair = Pair::default();
    if cookies == Cookies::Ignored {
        return pair;
    }
    // By the clock of who wrote the dates, so that a wrong one here loses no token.
    let now = written_at(headers, SystemTime::now());
    for line in headers.get_all(SET_COOKIE) {
        let Some(cookie) = line.to_str().ok().and_then(|line| Cookie::parse(line).ok()) else { continue };
        let is_meant = cookies == Cookies::All || is_for(&cookie, endpoint);
        if cookie.value_trimmed().is_empty() || is_expired(&cookie, now) || !is_meant {
            continue;
        }
        let value = Some(cookie.value_trimmed().to_owned());
        match cookie.name() {
            ACCESS_COOKIE => pair.access_token = value,
            REFRESH_COOKIE => pair.refresh_token = value,
            _ => {}
        }
    }
    pair
}

/// `Max-Age` has the last word, and none above zero means never (RFC 6265 §5.3).
fn is_expired(cookie: &Cookie<'_>, now: SystemTime) -> bool {
    match (cookie.max_age(), cookie.expires_datetime()) {
        (Some(age), _) => !age.is_positive(),
        (None, Some(date)) => SystemTime::from(date) <= now,
        (None, None) => false,
    }
}

/// RFC 6265 §5.1.3; an address is in no domain but itself.
fn is_for(cookie: &Cookie<'_>, endpoint: &Url) -> bool {
    let Some(domain) = cookie.domain() else { return true };
    match endpoint.host() {
        Some(url::Host::Domain(host)) => {
            let domain = domain.to_ascii_lowercase();
            host == domain || host.strip_suffix(&domain).is_some_and(|sub| sub.ends_with('.'))
        }
        Some(address) => address.to_string() == domain,
        None => false,
    }
}
