//! What a call tells while it runs: the caller's callback, and tracing with OpenTelemetry's HTTP names.

use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::SystemTime;

use http::Method;
use http::header::RETRY_AFTER;
use httpx_retry::{Attempt, Outcome, retry_after_is_malformed};
use tracing::Span;
use url::Url;

use crate::error::redacted;
use crate::parts::Parts;
use crate::trace::{AttemptRecord, Ended};

pub(crate) type OnRetry = Arc<dyn Fn(&RetryEvent<'_>) + Send + Sync>;

/// An attempt has failed and another one follows.
#[derive(Clone, Copy)]
pub struct RetryEvent<'a> {
    pub(crate) method: &'a Method,
    pub(crate) url: &'a Url,
    pub(crate) attempt: &'a AttemptRecord,
}

impl RetryEvent<'_> {
    /// Method of the caller's request.
    #[must_use]
    pub const fn method(&self) -> &Method {
        self.method
    }

    /// URL of the caller's request, without user name, password, query and fragment.
    #[must_use]
    pub fn url(&self) -> String {
        redacted(self.url)
    }

    /// The attempt that failed; its `wait` is the one that follows.
    #[must_use]
    pub const fn attempt(&self) -> &AttemptRecord {
        self.attempt
    }
}

impl fmt::Debug for RetryEvent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RetryEvent")
            .field("method", self.method)
            .field("url", &self.url())
            .field("attempt", self.attempt)
            .finish()
    }
}

/// A span for one attempt; free when nobody listens.
pub(crate) fn attempt_span(parts: &Parts, number: NonZeroU32) -> Span {
    tracing::debug_span!(
        "http.attempt",
        "http.request.method" = %parts.method,
        "url.full" = redacted(&parts.url),
        "server.address" = parts.url.host_str(),
        "server.port" = parts.url.port_or_known_default(),
        "http.request.resend_count" = number.get() - 1,
        "http.response.status_code" = tracing::field::Empty,
        "error.type" = tracing::field::Empty,
    )
}

/// Tells of a `Retry-After` that cannot be read, and so counts for nothing.
pub(crate) fn unreadable_hint(span: &Span, facts: &Attempt<'_>) {
    let Outcome::Answer { headers, .. } = facts.outcome else { return };
    if retry_after_is_malformed(headers, SystemTime::now()) {
        let value = headers.get(RETRY_AFTER);
        tracing::debug!(parent: span, ?value, "Retry-After is neither seconds nor a date, and is ignored");
    }
}

/// Records how the attempt ended, and what follows.
pub(crate) fn ended(span: &Span, record: &AttemptRecord) {
    match record.ended {
        Ended::Answer(status) => span.record("http.response.status_code", status.as_u16()),
        Ended::Failure(failure) => span.record("error.type", failure.kind.name()),
        Ended::Cancelled => span.record("error.type", "cancelled"),
    };
    if let Some(wait) = record.wait {
        tracing::debug!(parent: span, ?wait, sent = record.sent.name(), reason = %record.reason, "retrying");
    }
}
