//! How far a call has come, and what follows from each attempt.

use std::num::NonZeroU32;
use std::time::Duration;

use http::StatusCode;
use http::header::LOCATION;
use httpx_retry::{Attempt, Bucket, History, Outcome, Reason, Replay, Sample, Step, Uncounted, Verdict};
use tokio::time::Instant;
use tracing::Span;

use crate::call::{Call, Clock, after, facts_of, record, retrying};
use crate::events;
use crate::exchange::end_of;
use crate::failed::Ending;
use crate::fleet::{By, Decided};
use crate::limits::Limits;
use crate::trace::Attempts;

/// A call on its way. On the heap once, where its builder has put it: the future of a call is little more than a pointer
/// to this and what it waits for.
#[derive(Debug)]
pub(crate) struct Sending {
    pub(crate) call: Call,
    /// There from the first attempt on.
    pub(crate) run: Option<Run>,
}

/// Once there is an answer.
impl Sending {
    /// The call, and how far it has come.
    pub(crate) fn parted(&mut self) -> (&Call, &mut Run) {
        (&self.call, self.run.as_mut().expect(HAS_RUN))
    }

    /// Its story.
    pub(crate) fn attempts(&self) -> &Attempts {
        &self.run.as_ref().expect(HAS_RUN).attempts
    }
}

const HAS_RUN: &str = "what has been answered has run";

/// How far a call has come whose attempts follow one another.
#[derive(Debug)]
pub(crate) struct Run {
    clock: Clock,
    /// Those that have ended.
    pub(crate) attempts: Attempts,
    last_cost: u32,
    backoff_from: u32,
    uncounted: Uncounted,
    /// When the attempt began; from the end of the call on, when its answer was handed out.
    pub(crate) since: Instant,
    /// What bounds the attempt, and then the body that its answer hands out.
    pub(crate) limits: Limits,
    pub(crate) span: Span,
    /// How much of that body has been handed out.
    pub(crate) received: u64,
}

/// What follows from an attempt.
pub(crate) enum Next {
    /// Nothing: the call ends with it.
    End,
    /// Another one, at this moment, paid for by this.
    Again { until: Instant, cost: u32, by: By },
}

impl Run {
    pub(crate) fn start(call: &Call) -> Self {
        let clock = Clock::start(call);
        let span = events::attempt_span(&call.parts, NonZeroU32::MIN);
        Run::at(clock, call.limits(&clock, clock.started), clock.started, span)
    }

    /// That of a call whose sends have raced, and whose answer was handed out then, within these limits.
    pub(crate) fn raced(clock: Clock, attempts: Attempts, limits: Limits, since: Instant) -> Self {
        Run { attempts, ..Run::at(clock, limits, since, Span::none()) }
    }

    const fn at(clock: Clock, limits: Limits, since: Instant, span: Span) -> Self {
        Run {
            clock,
            attempts: Attempts::none(),
            last_cost: 0,
            backoff_from: 0,
            uncounted: Uncounted { sends: 0, unprocessed: 0 },
            since,
            limits,
            span,
            received: 0,
        }
    }

    /// Another attempt begins.
    pub(crate) fn begin(&mut self, call: &Call) {
        self.since = Instant::now();
        self.limits = call.limits(&self.clock, self.since);
        self.span = events::attempt_span(&call.parts, self.number());
    }

    fn number(&self) -> NonZeroU32 {
        after(self.attempts.count())
    }

    pub(crate) const fn deadline(&self) -> Option<Instant> {
        self.clock.deadline
    }

    /// The attempt as the rule sees it.
    pub(crate) fn facts<'a>(&self, call: &'a Call, end: &'a Ending) -> Attempt<'a> {
        facts_of(call, self.number(), self.uncounted, end)
    }

    /// The policy's step, with this bucket, while the server is to be left alone for so long.
    pub(crate) fn decide(
        &self,
        call: &Call,
        facts: &Attempt<'_>,
        verdict: &Verdict,
        bucket: Bucket,
        closed_for: Duration,
    ) -> Step {
        let Run { last_cost, backoff_from, .. } = *self;
        let history = History { last_cost, bucket, backoff_from, closed_for };
        let moment = || (self.clock.now(), Sample::from_bits(fastrand::u64(..)));
        call.policy().step_on(verdict.clone(), &history, facts, moment)
    }

    /// Writes down the attempt and what was decided.
    #[inline]
    pub(crate) fn follow(&mut self, call: &Call, facts: &Attempt<'_>, verdict: &Verdict, decided: Decided) -> Next {
        let now = Instant::now();
        match decided.step {
            Step::Retry { wait, reason, cost } => {
                self.last_cost = cost;
                if call.policy().restarts_backoff(facts) {
                    self.backoff_from = facts.counted().get();
                }
                if verdict.is_uncounted() {
                    self.uncounted = self.uncounted.and(facts.sent);
                }
                self.attempts.push(retrying(call, &self.span, facts, now - self.since, wait, reason));
                // A span ends with its attempt.
                self.span = Span::none();
                Next::Again { until: end_of(now, wait), cost, by: decided.by }
            }
            Step::Stop { reason, .. } => {
                let reason = if is_unfollowed(facts) { Reason::BodyNotReplayable } else { reason };
                let last = record(call, facts, now - self.since, None, reason);
                events::ended(&self.span, &last);
                self.since = now;
                let whole = if facts.number == NonZeroU32::MIN { last.elapsed } else { now - self.clock.started };
                self.attempts.end(last, whole);
                Next::End
            }
        }
    }
}

/// Is it a redirect that wants the body again, which was a stream and is gone?
fn is_unfollowed(facts: &Attempt<'_>) -> bool {
    match (facts.request.replay, &facts.outcome) {
        (Replay::OneShot, Outcome::Answer { status, headers, .. }) => {
            matches!(*status, StatusCode::TEMPORARY_REDIRECT | StatusCode::PERMANENT_REDIRECT)
                && headers.contains_key(LOCATION)
        }
        (Replay::Possible | Replay::OneShot, _) => false,
    }
}
