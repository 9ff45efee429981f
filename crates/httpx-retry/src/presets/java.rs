//! OkHttp, the JDK's own client, and lib-httpx, which stands on the latter.

use http::StatusCode;

use super::kinds::{ANY_IO, LOST, NOT_PROCESSED, TIMEOUT};
use super::{Preset, sends};
use crate::FailureKind::{Closed, Refused, Reset, StreamReset, UnknownHost};
use crate::{Backoff, HintForm, Jitter, Methods, Policy, RetryAfter, Row, Rule, Sent, StatusSet, When};

pub(super) const ROWS: &[Preset] = &[
    Preset::of(
        "OkHttp 5.3.2",
        "RetryAndFollowUpInterceptor.kt 135-205 (recover), 230-271 (408/503), 357; RealRoutePlanner.hasNext/retryRoute; RealConnection.trackFailure",
    )
    .named(
        "okhttp_5",
        "for every method: a pooled connection that broke before the answer, and 408 once; 503 once, only with Retry-After: 0",
        okhttp_5,
    ),
    Preset::of(
        "JDK HttpClient 17.0.21.1",
        "MultiExchange.java 98-101, 410, 481-516, 528-532, 543-585; PlainHttpConnection.java 147-151, 245-252; Http1AsyncReceiver.java 484-490",
    )
    .named(
        "jdk_http_17",
        "once: an unknown host or a refused connection for every method, a connection that broke before the answer for GET and HEAD",
        jdk_http_17,
    ),
    Preset::of("lib-httpx 2.4.0", "Retryable.java 259-264, 339-350 (lib-retry 2.1.0, failsafe 3.3.2)").named(
        "lib_httpx_2_4",
        "any I/O failure and five statuses, for every method; timeouts and certificates too",
        lib_httpx_2_4,
    ),
    Preset::of(
        "lib-httpx 2.5.0",
        "HxConfig.java 103-126, HxClient.java 716-735, Retryable.java 259-264, 339-350 (lib-retry 2.1.0, failsafe 3.3.2)",
    )
    .named(
        "lib_httpx_2_5",
        "any I/O failure but a timeout after the request was sent, and five statuses, for every method; certificates too",
        lib_httpx_2_5,
    ),
];

/// A fresh connection that fails is given up when the name has no other address. On a connection of which nothing is
/// known, nothing but the two statuses is retried.
///
/// A pooled connection that breaks is no follow-up and counts for nothing: the next one may be stale, too. Over HTTP/2, where
/// the connection outlives a stream, that is done once. OkHttp's own bound is 20 follow-ups; each status is followed up at
/// most once in a row, so that two sends show the same unless the two statuses alternate.
fn okhttp_5() -> Policy {
    let rule = Rule::rows(
        "okhttp_5",
        [
            When::failure(LOST).reused().retry_uncounted(),
            When::failure(NOT_PROCESSED).reused().not_processed_for_the_first_time().retry_uncounted(),
            When::failure(&[StreamReset]).reused().retry_at_once(),
            When::status(StatusCode::REQUEST_TIMEOUT).without_retry_after_above_zero().retry_at_once(),
            When::status(StatusCode::SERVICE_UNAVAILABLE).with_retry_after_zero().retry_at_once(),
        ],
    );
    Policy::bare(rule, sends(2))
}

/// Does not ask what kind of connection it was. Not retried: a connect *timeout*, TLS, and anything after the first byte
/// of the answer.
fn jdk_http_17() -> Policy {
    let rule = Rule::rows(
        "jdk_http_17",
        [
            When::failure(&[UnknownHost, Refused]).retry_at_once(),
            When::failure(NOT_PROCESSED).retry_at_once(),
            When::failure(&[Reset, Closed]).methods(Methods::GET_HEAD).retry_at_once(),
        ],
    );
    Policy::bare(rule, sends(2))
}

/// Does not ask what kind of connection it was.
///
/// The JDK under it retries inside each attempt (`jdk_http_17`), so its servers see up to twice as many contacts; and its
/// timeout ends with the head of the answer, so that a body that stalls is waited for without end, and never retried.
fn lib_httpx_2_4() -> Policy {
    lib_httpx(
        "lib_httpx_2_4",
        [
            When::in_body(TIMEOUT).stop(),
            When::failure(ANY_IO).retry(),
            When::in_body(ANY_IO).retry(),
            When::transient().retry(),
        ],
    )
}

/// As [`lib_httpx_2_4`], except that a timeout is final once the request may have been sent.
fn lib_httpx_2_5() -> Policy {
    lib_httpx(
        "lib_httpx_2_5",
        [
            When::in_body(TIMEOUT).stop(),
            When::failure(TIMEOUT).sent(Sent::Maybe).stop(),
            When::failure(ANY_IO).retry(),
            When::in_body(ANY_IO).retry(),
            When::transient().retry(),
        ],
    )
}

/// Jitter comes last and in both directions: it may undercut `Retry-After`, and pass the cap.
fn lib_httpx<const COUNT: usize>(name: &'static str, rows: [Row; COUNT]) -> Policy {
    Policy::bare(Rule::rows(name, rows), sends(5))
        .with_statuses(StatusSet::default())
        .with_backoff(Backoff::DEFAULT.with_jitter(Jitter::RatioOverCap(0.25)))
        .with_retry_after(RetryAfter::LowerBoundThenJitter)
        .with_hint_form(HintForm::Seconds)
}
