//! Go's net/http, and HashiCorp's go-retryablehttp on top of it.

use std::num::NonZeroU32;
use std::time::Duration;

use http::{Method, StatusCode};

use super::kinds::{ANY_IO, LOST, NOT_PROCESSED};
use super::{Preset, sends};
use crate::FailureKind::Certificate;
use crate::{Backoff, HintForm, Methods, Policy, RetryAfter, Rule, Sent, StatusSet, When};

pub(super) const ROWS: &[Preset] = &[
    Preset::of("Go net/http 1.19.8", "net/http transport.go shouldRetryRequest, request.go isReplayable; h2_bundle.go RoundTripOpt, http2canRetryError").named(
        "go_net_http",
        "a pooled connection that broke before the answer, for GET, HEAD, OPTIONS, TRACE or with an Idempotency-Key; what the HTTP/2 server did not process, for every method",
        go_net_http,
    ),
    Preset::of("go-retryablehttp 0.7.1", "client.go DefaultRetryPolicy, DefaultBackoff").named(
        "go_retryablehttp",
        "any failure but certificates, 429 and 5xx but 501, for every method",
        go_retryablehttp,
    ),
];

/// Without a limit of its own: it ends when a connection is fresh. One of which nothing is known counts as fresh.
///
/// Go reads the field `X-Idempotency-Key`, too; here such a request has to be declared idempotent.
///
/// Over HTTP/2 it is another loop: seven retries, the first at once, then after 1 s, 2 s, 4 s and so on. Go varies these by a
/// tenth and then cuts off the fraction of a second, so that the waits up to 8 s are not varied at all.
fn go_net_http() -> Policy {
    let replayable = Methods::OrKeyed(&[Method::GET, Method::HEAD, Method::OPTIONS, Method::TRACE]);
    let rule = Rule::rows(
        "go_net_http",
        [
            When::failure(LOST).sent(Sent::No).reused().retry_at_once(),
            When::failure(LOST).reused().methods(replayable).retry_at_once(),
            When::failure(NOT_PROCESSED).not_processed_for_the_first_time().retry_uncounted(),
            When::failure(NOT_PROCESSED).retry().up_to(sends(7)),
        ],
    );
    Policy::bare(rule, NonZeroU32::MAX).with_backoff(Backoff::doubling(Duration::from_secs(1)))
}

/// Does not ask what kind of connection it was. `Retry-After` counts with 429 and 503, in seconds, however many.
fn go_retryablehttp() -> Policy {
    let rule = Rule::rows(
        "go_retryablehttp",
        [When::failure(&[Certificate]).stop(), When::failure(ANY_IO).retry(), When::transient().retry()],
    );
    let slow_down = [StatusCode::TOO_MANY_REQUESTS, StatusCode::SERVICE_UNAVAILABLE].into_iter().collect::<StatusSet>();
    Policy::bare(rule, sends(5))
        .with_statuses(slow_down.clone().with_range(500, 999).without(StatusCode::NOT_IMPLEMENTED))
        .with_backoff(Backoff::doubling(Duration::from_secs(1)).with_cap(Duration::from_secs(30)))
        .with_retry_after(RetryAfter::Replaces(Duration::MAX))
        .with_hint_form(HintForm::Seconds)
        .with_hinted_statuses(slow_down)
}
