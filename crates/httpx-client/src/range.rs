//! Asking for the rest of a body, and only of the same body (RFC 9110 §13.1.5, §14).

use std::time::Duration;

use http::header::{ACCEPT_RANGES, CONTENT_RANGE, DATE, ETAG, IF_RANGE, LAST_MODIFIED, RANGE};
use http::{HeaderMap, HeaderName, HeaderValue};
use serde::{Deserialize, Serialize};

/// What tells one version of a body from every other, byte for byte.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct Validator(String);

impl Validator {
    /// The strong validator of an answer. Without one no rest of it can be asked for.
    pub(crate) fn of(headers: &HeaderMap) -> Option<Self> {
        if headers.get(ACCEPT_RANGES).is_some_and(|units| units == "none") {
            return None;
        }
        match headers.get(ETAG) {
            // A weak tag may stay while bytes change (RFC 9110 §8.8.1), and forbids the date in its place (§13.1.5).
            Some(tag) => tag.to_str().ok().filter(|tag| tag.starts_with('"')).map(|tag| Validator(tag.to_owned())),
            None => strong_date(headers).map(Validator),
        }
    }
}

impl TryFrom<String> for Validator {
    type Error = http::header::InvalidHeaderValue;

    /// What is read from a file may be anything.
    fn try_from(text: String) -> Result<Self, Self::Error> {
        HeaderValue::from_str(&text).map(|_| Validator(text))
    }
}

impl From<Validator> for String {
    fn from(validator: Validator) -> Self {
        validator.0
    }
}

/// `Last-Modified`, when the body cannot have changed twice within its second (RFC 9110 §8.8.2.2).
fn strong_date(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(LAST_MODIFIED)?.to_str().ok()?;
    let modified = httpdate::parse_http_date(text).ok()?;
    let answered = httpdate::parse_http_date(headers.get(DATE)?.to_str().ok()?).ok()?;
    let age = answered.duration_since(modified).ok()?;
    (age >= Duration::from_secs(1)).then(|| text.to_owned())
}

/// The fields that ask for everything from `first` on, if the body is still the one that `validator` stands for.
pub(crate) fn rest(first: u64, validator: &Validator) -> Vec<(HeaderName, HeaderValue)> {
    let value = |text: &str| HeaderValue::from_str(text).expect("digits, or a validator, which was a header value");
    vec![(RANGE, value(&format!("bytes={first}-"))), (IF_RANGE, value(&validator.0))]
}

/// What a 206 says of its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Length of the whole body.
    pub(crate) total: u64,
}

impl Part {
    /// The part that a 206 brings, if it begins at `first` and belongs to the body of `validator` and `total`.
    ///
    /// Where neither the 206 nor an answer before it tells how long the whole is, nobody could tell the end of a part from
    /// the end of the body (RFC 9110 §15.3.7: a server may send less than it was asked for).
    pub(crate) fn following(
        headers: &HeaderMap,
        first: u64,
        validator: &Validator,
        total: Option<u64>,
    ) -> Option<Self> {
        let told = headers.get(CONTENT_RANGE)?.to_str().ok()?;
        let (range, complete) = told.strip_prefix("bytes ")?.split_once('/')?;
        let (begins, ends) = range.split_once('-')?;
        let (begins, ends): (u64, u64) = (begins.parse().ok()?, ends.parse().ok()?);
        let part = Part { total: if complete == "*" { total? } else { complete.parse().ok()? } };
        let in_order = begins == first && begins <= ends && ends < part.total;
        let same_length = total.is_none_or(|total| total == part.total);
        let same_tag = headers.get(ETAG).is_none_or(|tag| !validator.0.starts_with('"') || tag == validator.0.as_str());
        (in_order && same_length && same_tag).then_some(part)
    }
}
