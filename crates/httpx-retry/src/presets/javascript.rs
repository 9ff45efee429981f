//! got.

use std::time::Duration;

use http::{Method, StatusCode};

use super::kinds::TIMEOUT;
use super::{Preset, sends};
use crate::FailureKind::{
    Closed, ConnectTimeout, Io, Refused, Reset, TlsHandshake, Truncated, UnknownHost, Unreachable,
};
use crate::{Backoff, FailureKind, Jitter, Methods, Patience, Policy, RetryAfter, Rule, StatusSet, When};

pub(super) const ROWS: &[Preset] = &[Preset::of("got 14.6.6", "core/options.js 149-187, calculate-retry-delay.js")
    .named(
        "got_14",
        "network failures, timeouts and ten statuses, for every method but POST and PATCH; 413 only with a Retry-After",
        got_14,
    )];

const METHODS: Methods =
    Methods::Only(&[Method::GET, Method::PUT, Method::HEAD, Method::DELETE, Method::OPTIONS, Method::TRACE]);

/// The codes in `errorCodes`; certificates and answers that are not HTTP have other ones.
const NETWORK: &[FailureKind] =
    &[UnknownHost, Refused, Unreachable, ConnectTimeout, TlsHandshake, Reset, Closed, Truncated, Io];

/// Does not ask what kind of connection it was. A `Retry-After` beyond the request timeout ends the call, and
/// one of zero is none. got waits 1 ms after a date that has passed; here that is zero, too.
fn got_14() -> Policy {
    let rule = Rule::rows(
        "got_14",
        [
            When::failure(NETWORK).methods(METHODS).retry(),
            When::failure(TIMEOUT).methods(METHODS).retry(),
            When::in_body(NETWORK).methods(METHODS).retry(),
            When::in_body(TIMEOUT).methods(METHODS).retry(),
            When::status(StatusCode::PAYLOAD_TOO_LARGE).without_retry_after_above_zero().stop(),
            When::transient().methods(METHODS).retry(),
        ],
    );
    Policy::bare(rule, sends(3))
        .with_statuses(statuses())
        .with_backoff(
            Backoff::doubling(Duration::from_secs(1)).with_jitter(Jitter::Additive(Duration::from_millis(100))),
        )
        .with_retry_after(RetryAfter::ReplacesUnlessZero(Duration::MAX))
        .with_patience(Patience::HintWithinTimeout)
}

fn statuses() -> StatusSet {
    let codes = [408, 413, 429, 500, 502, 503, 504, 521, 522, 524];
    codes.into_iter().fold(StatusSet::empty(), |set, code| set.with_range(code, code))
}
