//! Apache HttpClient.

use std::time::Duration;

use http::StatusCode;

use super::kinds::LOST;
use super::{Preset, sends};
use crate::FailureKind::{
    Certificate, ConnectTimeout, ReadTimeout, Refused, RequestTimeout, TlsHandshake, UnknownHost, Unreachable,
};
use crate::{Backoff, FailureKind, Methods, Patience, Policy, RetryAfter, Row, Rule, Sent, StatusSet, When};

pub(super) const ROWS: &[Preset] = &[
    Preset::of(
        "Apache HttpClient 4.5.14",
        "DefaultHttpRequestRetryHandler.java 102-109 (list), 129-166 (rule), 186-188 (entity test); RetryExec.java 95-108",
    )
    .named(
        "apache_4_5",
        "a connection that broke before the answer, when the request has no entity or was not sent; no status",
        apache_4_5,
    ),
    Preset::of("Apache HttpClient 4.5.14", "DefaultHttpRequestRetryHandler.java 129-166 with requestSentRetryEnabled")
        .named(
            "apache_4_5_sent_enabled",
            "as apache_4_5, and requests with an entity that were sent, too",
            apache_4_5_sent_enabled,
        ),
    Preset::of(
        "Apache HttpClient 5.6.4",
        "DefaultHttpRequestRetryStrategy.java 135-146 (lists), 167 (1 retry, 1 s), 171-196 (IO), 200-216 (status, no method test), 218-243; 5.2.1 HttpRequestRetryExec.java 154-155 (responseTimeout)",
    )
    .named(
        "apache_5",
        "once: a connection that broke before the answer, when idempotent; 429 and 503 for every method",
        apache_5,
    ),
];

/// Never retried: what the handler lists as interrupted, unknown host, refused, and TLS.
///
/// A body that breaks off is read by the caller, after the retrying executor has returned, so no row speaks of it.
const LISTED_4: &[FailureKind] =
    &[UnknownHost, Refused, ConnectTimeout, RequestTimeout, ReadTimeout, TlsHandshake, Certificate];

/// Does not ask what kind of connection it was. A request that was sent in part counts as not sent there; here it may
/// have been sent, and is not repeated.
fn apache_4_5() -> Policy {
    apache_4(
        "apache_4_5",
        [
            When::failure(LISTED_4).stop(),
            When::failure(LOST).methods(Methods::NO_ENTITY).retry_at_once(),
            When::failure(LOST).sent(Sent::No).retry_at_once(),
            When::failure(&[Unreachable]).retry_at_once(),
        ],
    )
}

/// Does not ask what kind of connection it was.
fn apache_4_5_sent_enabled() -> Policy {
    apache_4(
        "apache_4_5_sent_enabled",
        [
            When::failure(LISTED_4).stop(),
            When::failure(LOST).retry_at_once(),
            When::failure(&[Unreachable]).retry_at_once(),
        ],
    )
}

fn apache_4<const COUNT: usize>(name: &'static str, rows: [Row; COUNT]) -> Policy {
    Policy::bare(Rule::rows(name, rows), sends(4))
}

/// Does not ask what kind of connection it was. `Retry-After` replaces the second that it waits otherwise.
fn apache_5() -> Policy {
    let rule = Rule::rows(
        "apache_5",
        [When::failure(LOST).methods(Methods::IDEMPOTENT).retry_at_once(), When::transient().retry()],
    );
    Policy::bare(rule, sends(2))
        .with_statuses(
            [StatusCode::TOO_MANY_REQUESTS, StatusCode::SERVICE_UNAVAILABLE].into_iter().collect::<StatusSet>(),
        )
        .with_backoff(Backoff::fixed(Duration::from_secs(1)))
        .with_retry_after(RetryAfter::ReplacesUnlessZero(Duration::MAX))
        .with_patience(Patience::WithinTimeout)
}
