//! The send loop: the only one of the client.

use std::time::SystemTime;

use bytes::Bytes;
use http::StatusCode;
use http::header::LOCATION;
use httpx_retry::{History, Reason, Replay, Sample, Sent, Step, Uncounted};
use tokio::time::Instant;

use crate::attempt::{Failed, Parts, attempt};
use crate::call::{Call, Clock, Ending, Got, Read, after, facts_of, finish, in_turn, record, retrying, with_body};
use crate::error::Error;
use crate::events;
use crate::exchange::{end_of, wait_until};
use crate::fleet::Decided;
use crate::paid::Paid;
use crate::race;
use crate::trace::{AttemptRecord, Attempts};

/// Sends until the policy stops; as a race where the policy hedges, and else one attempt after the other.
pub(crate) async fn send(call: &Call<'_>, parts: &Parts, mut read: Read<'_>) -> Result<Got, Error> {
    let Call { shared, policy, .. } = *call;
    if let Some(hedging) = race::may_begin(call, parts, &read) {
        // Boxed, so that the usual call is not the larger for it.
        return Box::pin(race::run(*call, parts, read.wants_body(), hedging)).await;
    }
    let clock = Clock::start(policy);
    let mut earlier: Vec<AttemptRecord> = Vec::new();
    let mut last_cost = 0;
    let mut backoff_from = 0;
    let mut uncounted = Uncounted::default();
    let mut began = clock.started;
    loop {
        // Nothing of an attempt is left while the call waits for the next one, but what is still to be read of its answer.
        let (waited, paid) = {
            let number = after(earlier.len());
            let mut limits = call.limits(&clock, began);
            let span = events::attempt_span(parts, number);
            let mut end = if policy.adapts_rate() {
                Box::pin(in_turn(call, parts, read.range(), &mut limits, &span)).await
            } else {
                attempt(&call.way, parts, read.range(), &mut limits, &span).await
            };
            if read.starts_over(&end) {
                // Still the same attempt, as after a redirect.
                let whole = Box::pin(attempt(&call.way, parts, &[], &mut limits, &span)).await;
                end = whole.map_err(|failed| Failed { sent: Sent::Maybe, ..failed });
            }

            let mut body = Bytes::new();
            let mut facts = facts_of(call, parts, number, uncounted, &end);
            let mut verdict = policy.verdict(&facts);
            // A body that belongs to the attempt is read before the verdict, unless the head alone calls for a retry.
            if read.wants_body() && !verdict.is_retry() && end.is_ok() {
                (end, body) = Box::pin(with_body(end, parts, &mut read, &limits)).await;
                facts = facts_of(call, parts, number, uncounted, &end);
                // A body that came changes nothing that the rule was told.
                if end.is_err() {
                    verdict = policy.verdict(&facts);
                }
            }

            let asks_all = || policy.asks_all(&facts, SystemTime::now());
            let decide = |bucket, closed_for| {
                let history = History { last_cost, bucket, backoff_from, closed_for };
                let moment = || (clock.now(), Sample::from_bits(fastrand::u64(..)));
                policy.step_on(verdict.clone(), &history, &facts, moment)
            };
            let Decided { step, by } = shared.step(policy, &parts.url, clock.deadline, asks_all, decide).await;

            match step {
                Step::Retry { wait, reason, cost } => {
                    last_cost = cost;
                    if policy.restarts_backoff(&facts) {
                        backoff_from = facts.counted().get();
                    }
                    if verdict.is_uncounted() {
                        uncounted = uncounted.and(facts.sent);
                    }
                    let now = Instant::now();
                    // One at a time: few calls retry more than once, and many may wait.
                    earlier.reserve_exact(1);
                    earlier.push(retrying(call, parts, &span, &facts, now - began, wait, reason));
                    (wait_until(end_of(now, wait), end), Paid::new(shared, policy, &parts.url, cost, by))
                }
                Step::Stop { reason, .. } => {
                    // The last answer, which no retry follows, is read after the verdict.
                    if read.wants_body() && verdict.is_retry() && end.is_ok() {
                        (end, body) = Box::pin(with_body(end, parts, &mut read, &limits)).await;
                        facts = facts_of(call, parts, number, uncounted, &end);
                    }
                    let reason = if is_unfollowed(parts, &end) { Reason::BodyNotReplayable } else { reason };
                    let now = Instant::now();
                    let last = record(call, &facts, now - began, None, reason);
                    events::ended(&span, &last);
                    let whole = if earlier.is_empty() { last.elapsed } else { now - clock.started };
                    let attempts = Attempts::new(earlier, last, whole);
                    return finish(parts, end, body, limits, now, attempts);
                }
            }
        };
        waited.await;
        paid.spend();
        began = Instant::now();
    }
}

/// Is it a redirect that wants the body again, which was a stream and is gone?
fn is_unfollowed(parts: &Parts, end: &Ending) -> bool {
    match (parts.body.replay(), end) {
        (Replay::OneShot, Ok(answer)) => {
            matches!(answer.status(), StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT)
                && answer.headers().contains_key(LOCATION)
        }
        (Replay::Possible | Replay::OneShot, _) => false,
    }
}
