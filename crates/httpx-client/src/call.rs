//! What a call consists of: its settings, its time, its attempts and what they bring.

use std::mem;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use http::header::AUTHORIZATION;
use httpx_retry::{Attempt, Idempotency, Now, Outcome, Policy, Reason, Request, Sent, Uncounted};
use tokio::time::Instant;
use tracing::Span;

use crate::auth::{Guard, Session};
use crate::config::Limit;
use crate::error::Error;
use crate::events::{self, RetryEvent};
use crate::failed::Ending;
use crate::limits::Limits;
use crate::parts::Parts;
use crate::settings;
use crate::shared::Shared;
use crate::trace::{AttemptRecord, Attempts, Ended};

/// The time of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    pub(crate) started: Instant,
    pub(crate) deadline: Option<Instant>,
}

impl Clock {
    pub(crate) fn start(call: &Call) -> Self {
        let started = Instant::now();
        Clock { started, deadline: call.policy().deadline().and_then(|deadline| started.checked_add(deadline)) }
    }

    pub(crate) fn now(&self) -> Now {
        Now { elapsed: self.started.elapsed(), wall: SystemTime::now() }
    }
}

/// A call: its request, and what it does otherwise than its client.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) shared: Arc<Shared>,
    pub(crate) parts: Parts,
    /// What the caller has declared.
    pub(crate) idempotency: Idempotency,
    /// Boxed since most have none.
    pub(crate) overrides: Option<Box<Overrides>>,
}

/// What a request does otherwise than its client.
#[derive(Debug, Default)]
pub(crate) struct Overrides {
    pub(crate) who: Who,
    pub(crate) policy: Option<Policy>,
    pub(crate) timeout: Option<Limit>,
    pub(crate) read_timeout: Option<Limit>,
}

/// Who is asking.
#[derive(Debug, Default)]
pub(crate) enum Who {
    /// Whom the client speaks for.
    #[default]
    Client,
    #[cfg_attr(not(feature = "auth"), expect(dead_code, reason = "only Auth has sessions"))]
    Session(Session),
    Nobody,
}

impl Call {
    pub(crate) fn policy(&self) -> &Policy {
        self.overrides().and_then(|overrides| overrides.policy.as_ref()).unwrap_or(&self.shared.policy)
    }

    fn overrides(&self) -> Option<&Overrides> {
        self.overrides.as_deref()
    }

    pub(crate) fn timeout(&self) -> Option<Duration> {
        let own = self.overrides().and_then(|overrides| overrides.timeout);
        own.map_or(self.shared.timeout, |limit| settings::limit(Some(limit)))
    }

    fn read_timeout(&self) -> Option<Duration> {
        let own = self.overrides().and_then(|overrides| overrides.read_timeout);
        own.map_or(self.shared.read_timeout, |limit| settings::limit(Some(limit)))
    }

    /// The client's part in the credentials of this call: none when the request brings its own.
    pub(crate) fn guard(&self) -> Option<Guard<'_>> {
        let keeper = self.shared.keeper.as_ref()?;
        if self.parts.has(&AUTHORIZATION) {
            return None;
        }
        match self.overrides().map(|overrides| &overrides.who) {
            None | Some(Who::Client) => Some(Guard::new(keeper, None, &self.parts.found)),
            Some(Who::Session(session)) => Some(Guard::new(keeper, Some(session), &self.parts.found)),
            Some(Who::Nobody) => None,
        }
    }

    /// Does it wait for nothing but answers, and time?
    pub(crate) fn is_plain(&self) -> bool {
        self.shared.fleet.is_none() && !self.policy().adapts_rate()
    }

    /// What bounds an attempt that began at `began`.
    #[inline]
    pub(crate) fn limits(&self, clock: &Clock, began: Instant) -> Limits {
        Limits {
            attempt: self.timeout().and_then(|timeout| began.checked_add(timeout)),
            read: self.read_timeout(),
            deadline: clock.deadline,
            body: self.shared.max_body,
        }
    }

    /// The request as the rule sees it.
    pub(crate) fn request(&self) -> Request<'_> {
        let parts = &self.parts;
        Request {
            method: &parts.method,
            url: parts.url.as_str(),
            idempotency: match self.idempotency {
                Idempotency::Method => Idempotency::of(parts.headers.iter().map(|(name, _)| name)),
                declared @ (Idempotency::Key | Idempotency::Declared) => declared,
            },
            replay: parts.body.replay(),
            timeout: self.timeout(),
        }
    }
}

/// The result of a call.
#[inline]
pub(crate) fn finish(call: &Call, end: Ending, attempts: &mut Attempts) -> Result<reqwest::Response, Error> {
    end.map_err(|failed| {
        let attempts = mem::replace(attempts, Attempts::none());
        failed.into_error(&call.parts.method, &call.parts.url, attempts)
    })
}

/// The number of the attempt after so many.
pub(crate) fn after(sends: usize) -> NonZeroU32 {
    NonZeroU32::MIN.saturating_add(u32::try_from(sends).unwrap_or(u32::MAX))
}

/// The attempt as the rule sees it.
#[inline]
pub(crate) fn facts_of<'a>(call: &'a Call, number: NonZeroU32, uncounted: Uncounted, end: &'a Ending) -> Attempt<'a> {
    let (outcome, sent, seen) = match end {
        Ok(answer) => {
            let status = answer.status();
            let transient = call.policy().statuses().contains(status);
            (Outcome::Answer { status, transient, headers: answer.headers() }, Sent::Maybe, None)
        }
        Err(failed) => (Outcome::Failure(failed.failure), failed.sent, failed.seen),
    };
    let connection = call.shared.observing.connection(seen);
    Attempt { request: call.request(), outcome, sent, number, uncounted, connection }
}

/// What is told of an attempt, `elapsed` after it began.
#[inline]
pub(crate) fn record(
    call: &Call,
    facts: &Attempt<'_>,
    elapsed: Duration,
    wait: Option<Duration>,
    reason: Reason,
) -> AttemptRecord {
    let ended = match facts.outcome {
        Outcome::Answer { status, .. } => Ended::Answer(status),
        Outcome::Failure(failure) => Ended::Failure(failure),
    };
    let auth = call.guard().and_then(|guard| guard.take_step());
    AttemptRecord { number: facts.number.get(), ended, sent: facts.sent, elapsed, wait, reason, auth }
}

/// [`record`] of an attempt that another one follows, told to whoever listens.
pub(crate) fn retrying(
    call: &Call,
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
        on_retry(&RetryEvent { method: &call.parts.method, url: &call.parts.url, attempt: &record });
    }
    record
}
