//! The send loop: the only one there is.

use std::num::NonZeroU32;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use http::{HeaderMap, Method};
use httpx_retry::{
    Attempt, Connection, History, Idempotency, Now, Outcome, Policy, Replay, Request, Sample, Sent, Step,
};
use tokio::time::{Instant, sleep_until};
use tracing::Instrument as _;

use crate::attempt::{Failed, Parts, attempt};
use crate::client::Inner;
use crate::collect::collect;
use crate::error::{Error, ErrorKind};
use crate::events::{self, RetryEvent};
use crate::exchange::drain;
use crate::limits::Limits;
use crate::trace::{AttemptRecord, Attempts, Ended};

/// How much of a failed answer is read while waiting, to keep its connection.
const DRAIN_CAP: usize = 64 * 1024;

/// How much of the answer belongs to the attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Read {
    /// Its head; the caller reads the body.
    Head,
    /// All of it, so that a body that breaks off is a failed attempt.
    Body,
}

/// Everything a call needs besides the client.
#[derive(Debug)]
pub(crate) struct Call<'a> {
    pub(crate) client: &'a Inner,
    pub(crate) parts: Parts,
    pub(crate) policy: &'a Policy,
    pub(crate) idempotency: Idempotency,
    pub(crate) timeout: Option<Duration>,
    pub(crate) read_timeout: Option<Duration>,
}

/// What a call brought.
#[derive(Debug)]
pub(crate) struct Got {
    pub(crate) method: Method,
    pub(crate) answer: reqwest::Response,
    /// Empty unless the body belonged to the attempt.
    pub(crate) body: Bytes,
    pub(crate) limits: Limits,
    pub(crate) attempts: Attempts,
}

/// Sends until the policy stops.
pub(crate) async fn send(mut call: Call<'_>, read: Read) -> Result<Got, Error> {
    let clock = Clock::start(call.policy);
    let replay = call.parts.body.replay();
    let mut earlier: Vec<AttemptRecord> = Vec::new();
    let mut last_cost = 0;
    let mut began = clock.started;
    loop {
        let number = NonZeroU32::MIN.saturating_add(u32::try_from(earlier.len()).unwrap_or(u32::MAX));
        let limits = Limits {
            attempt: call.timeout.and_then(|timeout| began.checked_add(timeout)),
            read: call.read_timeout,
            deadline: clock.deadline,
        };
        let span = events::attempt_span(&call.parts, number);
        let (max_redirects, http) = (call.client.max_redirects, &call.client.http);
        let mut end = attempt(http, &mut call.parts, max_redirects, &limits).instrument(span.clone()).await;

        // A body that belongs to the attempt is read before the verdict, unless the head alone calls for a retry.
        let mut body = None;
        if let (Read::Body, Ok(answer)) = (read, &mut end)
            && !call.policy.verdict(&facts(&call, replay, number, Ok(answer))).is_retry()
        {
            match collect(answer, &limits).await {
                Ok(bytes) => body = Some(bytes),
                Err(failed) => end = Err(failed),
            }
        }

        let step = call.client.budgets.step(call.policy, &call.parts.url, |bucket| {
            let history = History { last_cost, bucket };
            let sample = Sample::from_bits(fastrand::u64(..));
            let attempt = facts(&call, replay, number, end.as_ref());
            call.policy.next_step(&history, &attempt, clock.now(), sample)
        });

        match step {
            Step::Retry { wait, reason, cost } => {
                last_cost = cost;
                let now = Instant::now();
                let record = record(number, &end, now - began, Some(wait), reason);
                events::ended(&span, &record);
                if let Some(on_retry) = &call.client.on_retry {
                    on_retry(&RetryEvent { method: &call.parts.method, url: &call.parts.url, attempt: &record });
                }
                earlier.push(record);
                let until = now.checked_add(wait).unwrap_or_else(|| now + FAR);
                if let Ok(answer) = end {
                    drain(answer, DRAIN_CAP, until).await;
                }
                sleep_until(until).await;
                began = Instant::now();
            }
            Step::Stop { reason, .. } => {
                // The last answer, which no retry follows, is read after the verdict.
                if let (Read::Body, None, Ok(answer)) = (read, &body, &mut end) {
                    match collect(answer, &limits).await {
                        Ok(bytes) => body = Some(bytes),
                        Err(failed) => end = Err(failed),
                    }
                }
                let last = record(number, &end, began.elapsed(), None, reason);
                events::ended(&span, &last);
                let attempts = Attempts::new(earlier, last, clock.started.elapsed());
                return match end {
                    Ok(answer) => {
                        Ok(Got { method: call.parts.method, answer, body: body.unwrap_or_default(), limits, attempts })
                    }
                    Err(failed) => Err(failed.into_error(&call.parts, attempts)),
                };
            }
        }
    }
}

/// What tokio takes for "never": a wait that no `Instant` can hold.
const FAR: Duration = Duration::from_secs(30 * 365 * 24 * 60 * 60);

/// The time of a call.
#[derive(Clone, Copy, Debug)]
struct Clock {
    started: Instant,
    deadline: Option<Instant>,
}

impl Clock {
    fn start(policy: &Policy) -> Self {
        let started = Instant::now();
        Clock { started, deadline: policy.deadline().and_then(|deadline| started.checked_add(deadline)) }
    }

    fn now(&self) -> Now {
        Now { elapsed: self.started.elapsed(), wall: SystemTime::now() }
    }
}

/// The attempt as the rule sees it.
fn facts<'a>(
    call: &'a Call<'_>,
    replay: Replay,
    number: NonZeroU32,
    end: Result<&'a reqwest::Response, &Failed>,
) -> Attempt<'a> {
    let (outcome, sent) = match end {
        Ok(answer) => {
            let status = answer.status();
            let transient = call.policy.statuses().contains(status);
            let headers: &HeaderMap = answer.headers();
            (Outcome::Answer { status, transient, headers }, Sent::Maybe)
        }
        Err(failed) => (Outcome::Failure(failed.failure), failed.sent),
    };
    let request =
        Request { method: &call.parts.method, url: call.parts.url.as_str(), idempotency: call.idempotency, replay };
    Attempt { request, outcome, sent, number, connection: Connection::Unknown }
}

fn record(
    number: NonZeroU32,
    end: &Result<reqwest::Response, Failed>,
    elapsed: Duration,
    wait: Option<Duration>,
    reason: httpx_retry::Reason,
) -> AttemptRecord {
    let (ended, sent) = match end {
        Ok(answer) => (Ended::Answer(answer.status()), Sent::Maybe),
        Err(failed) => (Ended::Failure(failed.failure), failed.sent),
    };
    AttemptRecord { number: number.get(), ended, sent, elapsed, wait, reason }
}

impl Failed {
    fn into_error(self, parts: &Parts, attempts: Attempts) -> Error {
        let kind = ErrorKind::Failure(self.failure.kind);
        let error = Error::new(kind, self.failure.phase, self.sent, &parts.method, &parts.url)
            .with_received(self.received)
            .with_attempts(attempts);
        match self.source {
            Some(source) => error.with_source(source),
            None => error,
        }
    }
}
