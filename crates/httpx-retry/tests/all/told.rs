//! Attempts as owned values, so that a row of a table can tell one, and short words for what came out.

use std::num::NonZeroU32;
use std::time::{Duration, SystemTime};

use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use httpx_retry::{
    Attempt, Bucket, Budget, Connection, Failure, FailureKind, History, Idempotency, Now, Outcome, Phase, Replay,
    Request, Sent, Step, TRANSIENT, Uncounted, Verdict,
};

/// An attempt, told.
#[derive(Clone, Debug)]
pub(crate) struct Told {
    method: Method,
    url: &'static str,
    idempotency: Idempotency,
    replay: Replay,
    end: Result<StatusCode, FailureKind>,
    headers: HeaderMap,
    sent: Sent,
    number: NonZeroU32,
    uncounted: Uncounted,
    connection: Connection,
}

/// A first GET, answered with this status.
pub(crate) fn status(code: u16) -> Told {
    told(Ok(StatusCode::from_u16(code).expect("a status")), Sent::Maybe)
}

/// A first GET that failed.
pub(crate) fn failed(kind: FailureKind, sent: Sent) -> Told {
    told(Err(kind), sent)
}

fn told(end: Result<StatusCode, FailureKind>, sent: Sent) -> Told {
    Told {
        method: Method::GET,
        url: "http://example.test/",
        idempotency: Idempotency::Method,
        replay: Replay::Possible,
        end,
        headers: HeaderMap::new(),
        sent,
        number: NonZeroU32::MIN,
        uncounted: Uncounted::default(),
        connection: Connection::Fresh,
    }
}

impl Told {
    pub(crate) fn method(self, method: Method) -> Self {
        Told { method, ..self }
    }

    pub(crate) fn post(self) -> Self {
        self.method(Method::POST)
    }

    pub(crate) fn url(self, url: &'static str) -> Self {
        Told { url, ..self }
    }

    pub(crate) fn idempotent_by(self, idempotency: Idempotency) -> Self {
        Told { idempotency, ..self }
    }

    pub(crate) fn one_shot(self) -> Self {
        Told { replay: Replay::OneShot, ..self }
    }

    pub(crate) fn number(self, number: u32) -> Self {
        Told { number: n(number), ..self }
    }

    /// After so many sends that do not count, each of which the server did not process.
    pub(crate) fn after_uncounted(self, sends: u32) -> Self {
        self.after(Uncounted { sends, unprocessed: sends })
    }

    pub(crate) fn after(self, uncounted: Uncounted) -> Self {
        Told { uncounted, ..self }
    }

    pub(crate) fn over(self, connection: Connection) -> Self {
        Told { connection, ..self }
    }

    pub(crate) fn header(mut self, name: HeaderName, value: &'static str) -> Self {
        self.headers.append(name, HeaderValue::from_static(value));
        self
    }

    pub(crate) fn retry_after(self, value: &'static str) -> Self {
        self.header(http::header::RETRY_AFTER, value)
    }

    pub(crate) fn attempt(&self) -> Attempt<'_> {
        Attempt {
            request: Request {
                method: &self.method,
                url: self.url,
                idempotency: self.idempotency,
                replay: self.replay,
                timeout: None,
            },
            outcome: match self.end {
                Ok(status) => {
                    Outcome::Answer { status, transient: TRANSIENT.contains(&status), headers: &self.headers }
                }
                Err(kind) => Outcome::Failure(Failure { kind, phase: Phase::Answer }),
            },
            sent: self.sent,
            number: self.number,
            uncounted: self.uncounted,
            connection: self.connection,
        }
    }
}

pub(crate) const EPOCH: SystemTime = SystemTime::UNIX_EPOCH;

/// Nothing of the call's time is used.
pub(crate) const AT_ONCE: Now = Now { elapsed: Duration::ZERO, wall: EPOCH };

pub(crate) fn n(number: u32) -> NonZeroU32 {
    NonZeroU32::new(number).expect("counted from 1")
}

pub(crate) const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

pub(crate) const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Nothing retried yet, and a full bucket of the default budget.
pub(crate) fn fresh() -> History {
    History { last_cost: 0, bucket: Budget::DEFAULT.bucket(), backoff_from: 0, closed_for: Duration::ZERO }
}

/// A bucket of this budget with exactly `tokens` left.
pub(crate) fn bucket(budget: Budget, tokens: u32) -> Bucket {
    budget.bucket().take(budget.capacity - tokens).expect("no more than the capacity")
}

/// `retry not-sent`, `retry in 5s mine`, `stop permanent`.
pub(crate) fn said(verdict: &Verdict) -> String {
    let reason = verdict.reason().code();
    match verdict {
        Verdict::Retry(_) => format!("retry {reason}"),
        Verdict::RetryIn(wait, _) => format!("retry in {wait:?} {reason}"),
        Verdict::Uncounted(_) => format!("retry uncounted {reason}"),
        Verdict::Stop(_) => format!("stop {reason}"),
    }
}

/// `retry after 500ms for 5: not-sent`, `stop giving 1: final-answer`.
pub(crate) fn told_step(step: &Step) -> String {
    match step {
        Step::Retry { wait, reason, cost } => format!("retry after {wait:?} for {cost}: {}", reason.code()),
        Step::Stop { reason, refund, .. } => format!("stop giving {refund}: {}", reason.code()),
    }
}
