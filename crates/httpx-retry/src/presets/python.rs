//! urllib3, whose retries most of Python's clients inherit or switch off.

use std::time::Duration;

use http::{Method, StatusCode};

use super::kinds::{ANY_IO, NO_CONNECTION};
use super::{Preset, sends};
use crate::{Methods, Policy, RetryAfter, Rule, StatusSet, When};

pub(super) const ROWS: &[Preset] =
    &[Preset::of("urllib3 2.8.0", "util/retry.py 340-359 (Retry-After); connectionpool.py 961-974").named(
        "urllib3_2",
        "no connection, for every method; the rest for idempotent ones; 413, 429 and 503 only with a Retry-After",
        urllib3_2,
    )];

/// `Retry.DEFAULT_ALLOWED_METHODS`.
const ALLOWED: Methods =
    Methods::Only(&[Method::GET, Method::HEAD, Method::PUT, Method::DELETE, Method::OPTIONS, Method::TRACE]);

/// Does not ask what kind of connection it was. Without waits of its own: `backoff_factor` is 0.
///
/// A `Retry-After` that cannot be read ends the call after one send, in urllib3 with an `InvalidHeader` of its
/// `parse_retry_after` (lines 340-359), here with the answer. What can be read differs at the edges: urllib3 joins several
/// lines into one that it cannot read, and takes dates of more forms.
fn urllib3_2() -> Policy {
    let rule = Rule::rows(
        "urllib3_2",
        [
            When::failure(NO_CONNECTION).retry(),
            When::failure(ANY_IO).methods(ALLOWED).retry(),
            When::in_body(ANY_IO).methods(ALLOWED).retry(),
            When::transient().with_retry_after().methods(ALLOWED).retry(),
        ],
    );
    let statuses = [StatusCode::PAYLOAD_TOO_LARGE, StatusCode::TOO_MANY_REQUESTS, StatusCode::SERVICE_UNAVAILABLE];
    Policy::bare(rule, sends(4))
        .with_statuses(statuses.into_iter().collect::<StatusSet>())
        .with_retry_after(RetryAfter::ReplacesUnlessZero(Duration::from_secs(6 * 60 * 60)))
}
