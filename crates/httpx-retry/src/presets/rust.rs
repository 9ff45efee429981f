//! reqwest, alone and with the middleware reqwest-retry.

use std::time::Duration;

use http::StatusCode;

use super::kinds::{LOST, NO_CONNECTION, NOT_PROCESSED, TIMEOUT};
use super::{Preset, sends};
use crate::FailureKind::{Closed, Reset};
use crate::{Backoff, Jitter, Policy, Rule, Sent, StatusSet, When};

pub(super) const ROWS: &[Preset] = &[
    Preset::of("reqwest 0.13.5", "src/retry.rs 195, 273-318; hyper-util legacy/client.rs 257").named(
        "reqwest_0_13",
        "only what the HTTP/2 server said it did not process, at once",
        reqwest_0_13,
    ),
    Preset::of("reqwest-retry 0.9.1", "retryable_strategy.rs; retry-policies exponential_backoff.rs 134").named(
        "reqwest_retry_0_9",
        "connect failures, timeouts, broken connections, 408, 429 and all of 5xx, for every method",
        reqwest_retry_0_9,
    ),
];

/// What was never written on a reused connection is sent again by hyper itself; on a connection of which nothing is
/// known, this policy leaves it to hyper.
fn reqwest_0_13() -> Policy {
    let rule = Rule::rows(
        "reqwest_0_13",
        [When::failure(NOT_PROCESSED).retry_at_once(), When::failure(LOST).sent(Sent::No).reused().retry_at_once()],
    );
    Policy::bare(rule, sends(3))
}

/// Does not ask what kind of connection it was. Of I/O errors on a connection, only a reset and an end are transient to it. The number of retries has to be given; here it is 3, as measured. A body
/// that breaks off is read by the caller, behind the middleware.
fn reqwest_retry_0_9() -> Policy {
    let rule = Rule::rows(
        "reqwest_retry_0_9",
        [
            When::failure(NO_CONNECTION).retry(),
            When::failure(TIMEOUT).retry(),
            When::failure(&[Reset, Closed]).retry(),
            When::transient().retry(),
        ],
    );
    let statuses = [StatusCode::REQUEST_TIMEOUT, StatusCode::TOO_MANY_REQUESTS].into_iter().collect::<StatusSet>();
    Policy::bare(rule, sends(4)).with_statuses(statuses.with_range(500, 599)).with_backoff(
        Backoff::doubling(Duration::from_secs(1)).with_cap(Duration::from_secs(30 * 60)).with_jitter(Jitter::Full),
    )
}
