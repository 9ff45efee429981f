//! What a call consists of: its settings, its time, its attempts and what they bring.

use std::num::NonZeroU32;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http::{HeaderName, HeaderValue, Method};
use httpx_retry::{Attempt, Idempotency, Now, Outcome, Policy, Reason, Request, Sent, Uncounted};
use tokio::time::Instant;
use tracing::Span;

use crate::attempt::{Failed, Parts, Way, attempt};
use crate::collect::collect;
use crate::error::Error;
use crate::events::{self, RetryEvent};
use crate::limits::Limits;
use crate::shared::Shared;
use crate::sink::Sink;
use crate::trace::{AttemptRecord, Attempts, Ended};

/// How much of the answer belongs to the attempt.
#[derive(Debug)]
pub(crate) enum Read<'a> {
    /// Its head; the caller reads the body.
    Head,
    /// All of it, so that a body that breaks off is a failed attempt.
    Body,
    /// All of it, into a file; the next attempt goes on from where this one broke off.
    Into(&'a mut Sink),
}

impl Read<'_> {
    pub(crate) const fn wants_body(&self) -> bool {
        match self {
            Read::Head => false,
            Read::Body | Read::Into(_) => true,
        }
    }

    /// Asks for the part of the body that is missing.
    pub(crate) fn range(&mut self) -> &[(HeaderName, HeaderValue)] {
        match self {
            Read::Head | Read::Body => &[],
            Read::Into(sink) => sink.range(),
        }
    }

    /// Is this the answer to a range that has to be asked for as a whole?
    pub(crate) fn starts_over(&mut self, end: &Ending) -> bool {
        match (self, end) {
            (Read::Into(sink), Ok(answer)) => sink.starts_over(answer),
            (Read::Head | Read::Body | Read::Into(_), _) => false,
        }
    }
}

/// A call, apart from what changes while it runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'a> {
    pub(crate) shared: &'a Shared,
    pub(crate) policy: &'a Policy,
    pub(crate) way: Way<'a>,
    pub(crate) idempotency: Idempotency,
    pub(crate) timeout: Option<Duration>,
    pub(crate) read_timeout: Option<Duration>,
}

impl Call<'_> {
    /// What bounds an attempt that began at `began`.
    #[inline]
    pub(crate) fn limits(&self, clock: &Clock, began: Instant) -> Limits {
        Limits {
            attempt: self.timeout.and_then(|timeout| began.checked_add(timeout)),
            read: self.read_timeout,
            deadline: clock.deadline,
            body: self.shared.max_body,
        }
    }

    /// The request as the rule sees it.
    pub(crate) fn request<'a>(&self, parts: &'a Parts) -> Request<'a> {
        Request {
            method: &parts.method,
            url: parts.url.as_str(),
            idempotency: self.idempotency,
            replay: parts.body.replay(),
            timeout: self.timeout,
        }
    }
}

/// What a call brought.
#[derive(Debug)]
pub(crate) struct Got {
    pub(crate) method: Method,
    pub(crate) answer: reqwest::Response,
    /// Empty unless the body belonged to the attempt.
    pub(crate) body: Bytes,
    pub(crate) limits: Limits,
    /// When it came.
    pub(crate) at: Instant,
    pub(crate) attempts: Attempts,
}

/// What an attempt came to: an answer, or why there is none.
pub(crate) type Ending = Result<reqwest::Response, Failed>;

/// An attempt when it is its turn; its timeout begins then.
pub(crate) async fn in_turn(
    call: &Call<'_>,
    parts: &Parts,
    range: &[(HeaderName, HeaderValue)],
    limits: &mut Limits,
    span: &Span,
) -> Ending {
    let rates = &call.shared.rates;
    if rates.turn(&parts.url, limits.deadline).await.is_err() {
        return Err(Failed::too_late("the server throttles, and the call's turn comes after its deadline"));
    }
    limits.attempt = call.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
    let end = attempt(&call.way, parts, range, limits, span).await;
    rates.ended(&parts.url, end.as_ref().is_ok_and(|answer| call.policy.is_throttled(answer.status())));
    end
}

/// The result of a call, with its story.
#[inline]
pub(crate) fn finish(
    parts: &Parts,
    end: Ending,
    body: Bytes,
    limits: Limits,
    at: Instant,
    attempts: Attempts,
) -> Result<Got, Error> {
    match end {
        Ok(answer) => Ok(Got { method: parts.method.clone(), answer, body, limits, at, attempts }),
        Err(failed) => Err(failed.into_error(&parts.method, &parts.url, attempts)),
    }
}

/// Reads the body of an answer; one that breaks off makes it a failure.
pub(crate) async fn with_body(end: Ending, parts: &Parts, read: &mut Read<'_>, limits: &Limits) -> (Ending, Bytes) {
    let Ok(mut answer) = end else { return (end, Bytes::new()) };
    let body = match read {
        Read::Head => Ok(Bytes::new()),
        Read::Body => collect(&mut answer, &parts.method, limits, 0).await,
        Read::Into(sink) => sink.fill(&mut answer, limits).await.map(|()| Bytes::new()),
    };
    match body {
        Ok(body) => (Ok(answer), body),
        Err(failed) => (Err(failed), Bytes::new()),
    }
}

/// The number of the attempt after so many.
pub(crate) fn after(sends: usize) -> NonZeroU32 {
    NonZeroU32::MIN.saturating_add(u32::try_from(sends).unwrap_or(u32::MAX))
}

/// The time of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    pub(crate) started: Instant,
    pub(crate) deadline: Option<Instant>,
}

impl Clock {
    pub(crate) fn start(policy: &Policy) -> Self {
        let started = Instant::now();
        Clock { started, deadline: policy.deadline().and_then(|deadline| started.checked_add(deadline)) }
    }

    pub(crate) fn now(&self) -> Now {
        Now { elapsed: self.started.elapsed(), wall: SystemTime::now() }
    }
}

/// The attempt as the rule sees it.
#[inline]
pub(crate) fn facts_of<'a>(
    call: &Call<'_>,
    parts: &'a Parts,
    number: NonZeroU32,
    uncounted: Uncounted,
    end: &'a Ending,
) -> Attempt<'a> {
    let (outcome, sent, seen) = match end {
        Ok(answer) => {
            let status = answer.status();
            let transient = call.policy.statuses().contains(status);
            (Outcome::Answer { status, transient, headers: answer.headers() }, Sent::Maybe, None)
        }
        Err(failed) => (Outcome::Failure(failed.failure), failed.sent, failed.seen),
    };
    let connection = call.shared.observing.connection(seen);
    Attempt { request: call.request(parts), outcome, sent, number, uncounted, connection }
}

/// What is told of an attempt, `elapsed` after it began.
#[inline]
pub(crate) fn record(
    call: &Call<'_>,
    facts: &Attempt<'_>,
    elapsed: Duration,
    wait: Option<Duration>,
    reason: Reason,
) -> AttemptRecord {
    let ended = match facts.outcome {
        Outcome::Answer { status, .. } => Ended::Answer(status),
        Outcome::Failure(failure) => Ended::Failure(failure),
    };
    let auth = call.way.guard.and_then(|guard| guard.take_step());
    AttemptRecord { number: facts.number.get(), ended, sent: facts.sent, elapsed, wait, reason, auth }
}

/// [`record`] of an attempt that another one follows, told to whoever listens.
pub(crate) fn retrying(
    call: &Call<'_>,
    parts: &Parts,
    span: &Span,
    facts: &Attempt<'_>,
    elapsed: Duration,
    wait: Duration,
    reason: Reason,
) -> AttemptRecord {
    let record = record(call, facts, elapsed, Some(wait), reason);
    events::unreadable_hint(span, facts);
    events::ended(span, &record);
    if let Some(on_retry) = &call.shared.on_retry {
        on_retry(&RetryEvent { method: &parts.method, url: &parts.url, attempt: &record });
    }
    record
}
