//! `Retry-After`: how long the server asks to wait (RFC 9110 §10.2.3).

use std::time::{Duration, SystemTime};

use http::header::{AGE, DATE, RETRY_AFTER};
use http::{HeaderMap, HeaderValue};

/// What the policy does with a `Retry-After` that is longer than the longest wait it accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverCap {
    /// Waits as long as the cap, then tries.
    Wait,
    /// Ends the call with the answer at hand.
    GiveUp,
    /// Waits as long as asked: the cap bounds the back-off alone.
    Follow,
}

/// What `Retry-After` means to a policy: in the wild it means six different things.
///
/// The other two, a header without which nothing is retried and a header that forbids it, are conditions of a rule's rows:
/// [`When::with_retry_after`](crate::When::with_retry_after), [`When::with_retry_after_zero`](crate::When::with_retry_after_zero).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RetryAfter {
    /// Nothing.
    Ignored,
    /// The wait is at least what the server asks; jitter only lengthens it. A longer one than the cap is treated as said.
    LowerBound(OverCap),
    /// As the lower bound up to the cap, and then varied either way: the wait may come out shorter than asked.
    LowerBoundThenJitter,
    /// A lower bound, but never more than so much longer than the back-off.
    LowerBoundWithin(Duration),
    /// The server's wait instead of the back-off, at most so long.
    Replaces(Duration),
    /// The same, but a wait of zero leaves the back-off as it is.
    ReplacesUnlessZero(Duration),
}

/// Which header fields, in which form, tell how long the server wants to be left alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HintForm {
    /// `Retry-After` as RFC 9110 §10.2.3 defines it: seconds or a date.
    SecondsOrDate,
    /// `Retry-After` in seconds; a date is no hint.
    Seconds,
    /// `x-amz-retry-after` in milliseconds, or else as [`HintForm::SecondsOrDate`].
    AmazonMillis,
    /// `grpc-retry-pushback-ms`: milliseconds in digits, at most `i32::MAX`; of several lines the largest. One line of
    /// anything else means that the call is not to be tried again. Source: gRFC A6 lines 147-157.
    GrpcPushback,
}

/// What a server asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    Nothing,
    Wait(Duration),
    Stop,
}

/// Reads what an answer asks for.
pub(crate) fn asked(form: HintForm, headers: &HeaderMap, now: SystemTime) -> Asked {
    let wait = |wait: Option<Duration>| wait.map_or(Asked::Nothing, Asked::Wait);
    match form {
        HintForm::SecondsOrDate => wait(hint(headers, now)),
        HintForm::Seconds => {
            let lines = headers.get_all(RETRY_AFTER).iter();
            wait(lines.filter_map(|line| seconds(line.to_str().ok()?.trim())).max())
        }
        HintForm::AmazonMillis => {
            wait(headers.get("x-amz-retry-after").and_then(millis).or_else(|| hint(headers, now)))
        }
        HintForm::GrpcPushback => pushback(headers),
    }
}

fn pushback(headers: &HeaderMap) -> Asked {
    let mut asked = Asked::Nothing;
    let mut longest = Duration::ZERO;
    for line in headers.get_all("grpc-retry-pushback-ms") {
        let Some(wait) = millis(line).filter(|wait| wait.as_millis() <= MOST_PUSHBACK) else { return Asked::Stop };
        longest = longest.max(wait);
        asked = Asked::Wait(longest);
    }
    asked
}

/// A signed number of 32 bits, in milliseconds.
const MOST_PUSHBACK: u128 = i32::MAX as u128;

fn millis(line: &HeaderValue) -> Option<Duration> {
    digits(line.to_str().ok()?.trim()).map(Duration::from_millis)
}

/// The wait an answer's header asks for, zero when its time has passed already.
///
/// Seconds (`1*DIGIT`) or any of the three HTTP-date forms. A date counts from the answer's own `Date`, so that a wrong
/// clock here does no harm, unless `Age` tells that the answer comes from a cache or `Date` is missing: then from `now`.
/// Of several lines the largest valid one holds. Anything else (fractions, signs, lists in one line) is no hint: `None`.
/// Seconds beyond `u64` saturate.
#[must_use]
pub fn hint(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let base = || written_at(headers, now);
    headers.get_all(RETRY_AFTER).iter().filter_map(|line| parse(line.to_str().ok()?.trim(), base)).max()
}

/// Whether a `Retry-After` is there that [`hint`] could not read; worth a debug event, never an error.
#[must_use]
pub fn is_malformed(headers: &HeaderMap, now: SystemTime) -> bool {
    headers.contains_key(RETRY_AFTER) && hint(headers, now).is_none()
}

/// When an answer was written, by the clock that its other dates were written by, as far as it tells; else `now`.
///
/// That is its `Date`, unless `Age` tells that it comes from a cache: then it is as old as that.
#[must_use]
pub fn written_at(headers: &HeaderMap, now: SystemTime) -> SystemTime {
    if headers.contains_key(AGE) {
        return now;
    }
    let date = headers.get(DATE).and_then(|date| httpdate::parse_http_date(date.to_str().ok()?).ok());
    date.unwrap_or(now)
}

/// `base` is asked only where a date is to be counted from something: few answers carry one, and all carry `Date`.
fn parse(value: &str, base: impl FnOnce() -> SystemTime) -> Option<Duration> {
    if let Some(wait) = seconds(value) {
        return Some(wait);
    }
    let date = httpdate::parse_http_date(value).ok()?;
    // A date that has passed is a hint of zero, not an error: SystemTime's subtraction says Err for it.
    Some(date.duration_since(base()).unwrap_or(Duration::ZERO))
}

fn seconds(value: &str) -> Option<Duration> {
    digits(value).map(Duration::from_secs)
}

/// `1*DIGIT`, saturating. A parser of numbers would let a sign pass.
fn digits(value: &str) -> Option<u64> {
    let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| value.parse().unwrap_or(u64::MAX))
}
