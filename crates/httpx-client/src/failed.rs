//! What a failed attempt came to.

use http::Method;
use httpx_retry::{Failure, FailureKind, Phase, Sent};
use url::Url;

use crate::auth::Overdue;
use crate::body::{BoxError, StreamFault};
use crate::classify;
use crate::error::{Error, ErrorKind};
use crate::exchange::{Cause, Lost};
use crate::proxy::Proxy;
use crate::trace::Attempts;
use crate::witness::Seen;

/// What an attempt came to: an answer, or why there is none.
pub(crate) type Ending = Result<reqwest::Response, Failed>;

/// An attempt that brought no answer, or half of one.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) failure: Failure,
    pub(crate) sent: Sent,
    /// What was seen of its last exchange, when that is what failed.
    pub(crate) seen: Option<Seen>,
    /// Bytes of the answer's body that had come.
    pub(crate) received: u64,
    /// The proxy that it went through, without secrets.
    pub(crate) proxy: Option<String>,
    pub(crate) source: Option<BoxError>,
}

impl Failed {
    /// What an exchange that brought no answer means for the attempt.
    pub(crate) fn of(lost: Lost, fault: Option<StreamFault>) -> Self {
        let lost = match fault.and_then(|fault| fault.take()) {
            Some(error) => Lost { cause: Cause::RequestBody(error), ..lost },
            None => lost,
        };
        let (failure, sent) = classify::lost(&lost);
        Failed { failure, sent, seen: Some(lost.seen), received: 0, proxy: None, source: lost.cause.into_source() }
    }

    /// A body that broke off after `received` bytes.
    pub(crate) fn body(kind: FailureKind, received: u64) -> Self {
        Failed { received, ..Failed::new(kind, Phase::Body, Sent::Maybe) }
    }

    /// The error of a call that ended with it.
    pub(crate) fn into_error(self, method: &Method, url: &Url, attempts: Attempts) -> Error {
        let kind = ErrorKind::Failure(self.failure.kind);
        let error = Error::new(kind, self.failure.phase, self.sent, method, url)
            .with_received(self.received)
            .with_proxy(self.proxy)
            .with_attempts(attempts);
        match self.source {
            Some(source) => error.with_source(source),
            None => error,
        }
    }

    /// Nothing is known of it but this.
    pub(crate) const fn new(kind: FailureKind, phase: Phase, sent: Sent) -> Self {
        Failed { failure: Failure { kind, phase }, sent, seen: None, received: 0, proxy: None, source: None }
    }

    /// A limit has elapsed before anything could be sent.
    pub(crate) const fn unsent(kind: FailureKind) -> Self {
        Failed::new(kind, Phase::Prepare, Sent::No)
    }

    /// The deadline leaves no time to send anything.
    pub(crate) fn too_late(why: &'static str) -> Self {
        Failed { source: Some(why.into()), ..Failed::unsent(FailureKind::Deadline) }
    }

    pub(crate) const fn at_proxy() -> Self {
        Failed::new(FailureKind::ProxyAuthentication, Phase::Answer, Sent::NotProcessed)
    }

    pub(crate) fn redirect(told: String) -> Self {
        let source = Some(told.into());
        Failed { source, ..Failed::new(FailureKind::Redirect, Phase::Answer, Sent::Maybe) }
    }

    /// The same, once a server has seen an earlier request of the attempt. A connection that the attempt itself has used
    /// before is not what a rule calls reused.
    pub(crate) fn once(self, reached: bool) -> Self {
        if reached { Failed { sent: Sent::Maybe, seen: None, ..self } } else { self }
    }

    pub(crate) fn through(self, proxy: Option<&Proxy>) -> Self {
        Failed { proxy: proxy.map(Proxy::to_string), ..self }
    }
}

impl From<Overdue> for Failed {
    /// The deadline passed while the attempt waited for credentials.
    fn from(_: Overdue) -> Self {
        Failed::too_late("the call was waiting for credentials")
    }
}
