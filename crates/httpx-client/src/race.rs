//! Hedging: another send leaves before the first has failed; the first good answer wins, the others are cancelled.
//!
//! The sends of a call race in one task. Whether one more may leave, and what a finished one means, is decided by the
//! same policy as everywhere.

use std::num::NonZeroU32;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use futures_util::StreamExt as _;
use futures_util::future::{Either, select};
use futures_util::stream::FuturesUnordered;
use httpx_retry::{Attempt, Charge, Hedging, History, Reason, Replay, Sample, Sent, Step, Uncounted, Verdict};
use tokio::time::{Instant, sleep_until};
use tracing::Span;

use crate::attempt::{attempt, in_turn};
use crate::call::{Call, Clock, after, facts_of, finish, record, retrying};
use crate::error::Error;
use crate::events;
use crate::exchange::end_of;
use crate::failed::Ending;
use crate::limits::Limits;
use crate::read::{Read, with_body};
use crate::run::Run;
use crate::trace::{AttemptRecord, Attempts, Ended};

/// How the policy hedges this request, if it does and the request may be repeated. A file is written by one send at a time.
pub(crate) fn may_begin(call: &Call, read: &Read<'_>) -> Option<Hedging> {
    let may = |hedging: &Hedging| {
        !matches!(read, Read::Into(_))
            && call.parts.body.replay() == Replay::Possible
            && hedging.hedges(&call.request())
    };
    call.policy().hedging().filter(may)
}

/// Races the sends of a call. A send whose body is to be read has come to its end only with that.
pub(crate) async fn run(
    call: &Call,
    run: &mut Option<Run>,
    read: Read<'_>,
    hedging: Hedging,
) -> Result<reqwest::Response, Error> {
    let race = Race::new(call, read.wants_body(), hedging);
    let clock = race.clock;
    let Won { answer, attempts, body, limits, at } = race.run().await?;
    *run = Some(Run::raced(clock, attempts, limits, at));
    if let Read::Body(into) = read {
        *into = body;
    }
    Ok(answer)
}

/// How a race was won.
struct Won {
    answer: reqwest::Response,
    attempts: Attempts,
    body: Bytes,
    limits: Limits,
    at: Instant,
}

/// A send that has come to its end.
struct Finished {
    number: NonZeroU32,
    began: Instant,
    end: Ending,
    body: Bytes,
    limits: Limits,
}

/// What happens next in a race.
enum Event {
    /// It is time for another send.
    Due,
    /// One has come to its end.
    Finished(Box<Finished>),
}

/// What follows from a finished send.
enum Next {
    /// The race has ended, with this.
    End(Box<Result<Won, Error>>),
    /// Another send leaves at once, paid for.
    Leave,
    /// The same, without counting it: the others' turns stay as they are.
    LeaveUncounted,
    /// The race goes on as it was going.
    Nothing,
}

struct Race<'a> {
    call: &'a Call,
    /// Whether a send has come to its end only with its body.
    whole: bool,
    hedging: Hedging,
    clock: Clock,
    /// When each send left, and what tells of it; those that have finished are in `records`.
    left: Vec<(Instant, Span)>,
    records: Vec<AttemptRecord>,
    /// Of those that left.
    uncounted: Uncounted,
    last_cost: u32,
    /// When the next send is due.
    due: Option<Instant>,
    /// A failed send has paid for the next one already.
    paid: bool,
}

impl<'a> Race<'a> {
    fn new(call: &'a Call, whole: bool, hedging: Hedging) -> Self {
        let clock = Clock::start(call);
        let (left, records) = (Vec::new(), Vec::new());
        let uncounted = Uncounted::default();
        let due = Some(clock.started);
        Race { call, whole, hedging, clock, left, records, uncounted, last_cost: 0, due, paid: true }
    }

    async fn run(mut self) -> Result<Won, Error> {
        let mut racing = FuturesUnordered::new();
        loop {
            let event = match self.due {
                Some(due) if racing.is_empty() => {
                    sleep_until(due).await;
                    Event::Due
                }
                Some(due) => match select(racing.next(), std::pin::pin!(sleep_until(due))).await {
                    Either::Left((finished, _)) => Event::Finished(Box::new(finished.expect("it is not empty"))),
                    Either::Right(((), _)) => Event::Due,
                },
                None => Event::Finished(Box::new(racing.next().await.expect("a race without sends has ended"))),
            };
            match event {
                Event::Due => {
                    if self.may_leave().await {
                        racing.push(self.sent());
                        self.schedule();
                    }
                }
                Event::Finished(finished) => match self.finished(*finished, racing.is_empty()).await {
                    Next::End(ended) => return *ended,
                    Next::Leave => {
                        racing.push(self.sent());
                        self.schedule();
                    }
                    Next::LeaveUncounted => racing.push(self.sent()),
                    Next::Nothing => {}
                },
            }
        }
    }

    /// Books one more send; without tokens no more leave.
    async fn may_leave(&mut self) -> bool {
        if !std::mem::take(&mut self.paid) {
            let Call { shared, parts, .. } = self.call;
            let policy = self.call.policy();
            let hedge = |bucket, _| policy.hedge_step(bucket);
            let deadline = self.clock.deadline;
            match shared.step(policy, &parts.url, deadline, || Duration::ZERO, hedge).await.step {
                Step::Retry { cost, .. } => self.last_cost = cost,
                Step::Stop { .. } => {
                    self.due = None;
                    return false;
                }
            }
        }
        true
    }

    /// Says when the next send is due, now that one has left.
    fn schedule(&mut self) {
        let more = self.counted() < self.hedging.max_attempts();
        self.due = if more { Instant::now().checked_add(self.hedging.delay()) } else { None };
    }

    /// One more send.
    fn sent(&mut self) -> impl Future<Output = Finished> + use<'a> {
        let began = Instant::now();
        let number = after(self.left.len());
        let span = events::attempt_span(&self.call.parts, number);
        self.left.push((began, span.clone()));
        let Race { call, whole, clock, uncounted, .. } = *self;
        async move {
            let mut limits = call.limits(&clock, began);
            let mut end = if call.policy().adapts_rate() {
                in_turn(call, &[], &mut limits, &span).await
            } else {
                attempt(call, &[], &mut limits, &span).await
            };
            let mut body = Bytes::new();
            let final_answer = !call.policy().verdict(&facts_of(call, number, uncounted, &end)).is_retry();
            if whole && final_answer {
                end = with_body(end, &call.parts.method, &mut Read::Body(&mut body), &limits).await;
            }
            Finished { number, began, end, body, limits }
        }
    }

    /// What a finished send means.
    async fn finished(&mut self, finished: Finished, last: bool) -> Next {
        let Finished { number, began, end, body, limits } = finished;
        let call = self.call;
        let span = self.left[number.get() as usize - 1].1.clone();
        // The policy counts sends, whichever of them it is that has finished.
        let facts = facts_of(call, self.sends(), self.uncounted, &end);
        let verdict = call.policy().verdict(&facts);
        let step = self.step(&verdict, &facts).await;
        let (asked, sent) = (call.policy().is_asked(&facts), facts.sent);
        let now = Instant::now();
        let facts = Attempt { number, ..facts };
        let (reason, wait) = match step {
            Step::Stop { reason, .. } => (reason, None),
            Step::Retry { wait, reason, .. } if verdict.is_uncounted() => {
                self.uncounted = self.uncounted.and(sent);
                self.records.push(retrying(call, &span, &facts, now - began, wait, reason));
                return Next::LeaveUncounted;
            }
            Step::Retry { .. } if self.counted() >= self.hedging.max_attempts() => (Reason::AttemptsExhausted, None),
            Step::Retry { wait, reason, cost } => {
                self.last_cost = cost;
                (reason, Some(wait))
            }
        };
        let Some(wait) = wait else {
            let record = record(call, &facts, now - began, None, reason);
            events::ended(&span, &record);
            // No more sends leave. Those that are under way go on, unless this one is what the call ends with: a timeout of
            // one says nothing about the others.
            self.due = None;
            let is_lost = verdict.is_retry() || record.reason == Reason::MayBeWorking;
            if is_lost && !last {
                self.records.push(record);
                return Next::Nothing;
            }
            self.cancelled(&record, now);
            let records = std::mem::take(&mut self.records);
            let mut attempts = Attempts::of(records, Duration::ZERO);
            attempts.end(record, now - self.clock.started);
            let answer = finish(call, end, &mut attempts);
            let won = answer.map(|answer| Won { answer, attempts, body, limits, at: now });
            return Next::End(Box::new(won));
        };
        self.records.push(retrying(call, &span, &facts, now - began, wait, reason));
        if wait.is_zero() {
            return Next::Leave;
        }
        let again = end_of(now, wait);
        // A server that asks for a wait has it from every further send.
        self.due = Some(if asked { again } else { self.due.map_or(again, |due| due.min(again)) });
        self.paid = true;
        Next::Nothing
    }

    /// Decides as after any attempt. A send that an earlier failure has paid for, and that has not left, is not paid again.
    async fn step(&self, verdict: &Verdict, facts: &Attempt<'_>) -> Step {
        let Call { shared, parts, .. } = self.call;
        let policy = self.call.policy();
        let decide = |bucket, closed_for| {
            let history = History { last_cost: self.last_cost, bucket, backoff_from: 0, closed_for };
            let moment = || (self.clock.now(), Sample::from_bits(fastrand::u64(..)));
            policy.step_on(verdict.clone(), &history, facts, moment)
        };
        match policy.budget() {
            Some(budget) if budget.charge == Charge::Retries && self.paid && verdict.is_retry() => {
                decide(budget.bucket(), Duration::ZERO)
            }
            Some(_) | None => {
                let asks_all = || policy.asks_all(facts, SystemTime::now());
                shared.step(policy, &parts.url, self.clock.deadline, asks_all, decide).await.step
            }
        }
    }

    /// Writes down the sends that are still under way: they are dropped with the race.
    fn cancelled(&mut self, last: &AttemptRecord, now: Instant) {
        let reason = if last.status().is_some() { Reason::Outrun } else { last.reason.clone() };
        for (number, (left, span)) in (1..).zip(&self.left) {
            if number == last.number || self.records.iter().any(|record| record.number == number) {
                continue;
            }
            let record = AttemptRecord {
                number,
                ended: Ended::Cancelled,
                sent: Sent::Maybe,
                elapsed: now - *left,
                wait: None,
                reason: reason.clone(),
                auth: None,
            };
            events::ended(span, &record);
            self.records.push(record);
        }
        self.records.sort_by_key(|record| record.number);
    }

    fn sends(&self) -> NonZeroU32 {
        after(self.left.len().saturating_sub(1))
    }

    fn counted(&self) -> NonZeroU32 {
        NonZeroU32::new(self.sends().get().saturating_sub(self.uncounted.sends)).unwrap_or(NonZeroU32::MIN)
    }
}
