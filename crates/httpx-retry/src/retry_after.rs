//! `Retry-After`: how long the server asks to wait (RFC 9110 §10.2.3).

use std::time::{Duration, SystemTime};

use http::HeaderMap;
use http::header::{AGE, DATE, RETRY_AFTER};

/// What the policy does with a `Retry-After` that is longer than the longest wait it accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverCap {
    /// Waits as long as the cap, then tries.
    Wait,
    /// Ends the call with the answer at hand.
    GiveUp,
}

/// What `Retry-After` means to a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RetryAfter {
    /// Nothing.
    Ignored,
    /// The wait is at least what the server asks; jitter only lengthens it. A longer one than the cap is treated as said.
    LowerBound(OverCap),
}

/// The wait an answer's header asks for, zero when its time has passed already.
///
/// Seconds (`1*DIGIT`) or any of the three HTTP-date forms. A date counts from the answer's own `Date`, so that a wrong
/// clock here does no harm, unless `Age` tells that the answer comes from a cache or `Date` is missing: then from `now`.
/// Of several lines the largest valid one holds. Anything else (fractions, signs, lists in one line) is no hint: `None`.
/// Seconds beyond `u64` saturate.
#[must_use]
pub fn hint(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let base = base_time(headers, now);
    headers.get_all(RETRY_AFTER).iter().filter_map(|line| parse(line.to_str().ok()?.trim(), base)).max()
}

/// Whether a `Retry-After` is there that [`hint`] could not read; worth a debug event, never an error.
#[must_use]
pub fn is_malformed(headers: &HeaderMap, now: SystemTime) -> bool {
    headers.contains_key(RETRY_AFTER) && hint(headers, now).is_none()
}

fn base_time(headers: &HeaderMap, now: SystemTime) -> SystemTime {
    if headers.contains_key(AGE) {
        return now;
    }
    let date = headers.get(DATE).and_then(|date| httpdate::parse_http_date(date.to_str().ok()?).ok());
    date.unwrap_or(now)
}

fn parse(value: &str, base: SystemTime) -> Option<Duration> {
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::MAX)));
    }
    let date = httpdate::parse_http_date(value).ok()?;
    // A date that has passed is a hint of zero, not an error: SystemTime's subtraction says Err for it.
    Some(date.duration_since(base).unwrap_or(Duration::ZERO))
}
