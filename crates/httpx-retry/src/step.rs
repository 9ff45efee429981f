//! What a call does next: one pure decision, taken after every attempt.

use std::num::NonZeroU32;
use std::time::{Duration, SystemTime};

use crate::retry_after::{self, Asked};
use crate::{
    Attempt, Bucket, Charge, GrpcStatus, HintForm, Outcome, OverCap, Patience, Policy, Reason, Replay, RetryAfter,
    Sample, Throttling, Verdict,
};

/// What the call has done so far, besides the attempt in question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct History {
    /// Tokens that the call's last retry took; 0 before the first retry.
    pub last_cost: u32,
    /// The bucket it shares with other calls, as it is now.
    pub bucket: Bucket,
    /// The counted number of the attempt after which the server dictated the wait, and with it began the back-off anew; 0
    /// when none did.
    pub backoff_from: u32,
    /// How much longer the server wants to be left alone, as another call that shares the bucket was told; zero when none
    /// was.
    pub closed_for: Duration,
}

impl History {
    /// That of a call that has not retried yet.
    #[must_use]
    pub const fn start(bucket: Bucket) -> Self {
        History { last_cost: 0, bucket, backoff_from: 0, closed_for: Duration::ZERO }
    }
}

/// The moment of the decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Now {
    /// Since the call began; the deadline counts in it.
    pub elapsed: Duration,
    /// The wall clock, for a `Retry-After` that is a date.
    pub wall: SystemTime,
}

/// What to do next, and what becomes of the shared bucket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Wait, then send again.
    Retry {
        /// How long to wait.
        wait: Duration,
        /// Why it may be sent again.
        reason: Reason,
        /// Tokens taken from the bucket.
        cost: u32,
    },
    /// The call ends with what the attempt brought.
    Stop {
        /// Why.
        reason: Reason,
        /// Tokens given to the bucket.
        refund: u32,
        /// Tokens taken from it, where failures are charged that are not retried.
        cost: u32,
    },
}

impl Step {
    /// The bucket after this step.
    #[must_use]
    pub fn apply(&self, bucket: Bucket, policy: &Policy) -> Bucket {
        match (self, policy.budget()) {
            (_, None) => bucket,
            (Step::Retry { cost, .. }, Some(_)) => bucket.take(*cost).unwrap_or(bucket),
            (Step::Stop { refund, cost, .. }, Some(budget)) => bucket.drain(*cost).give(*refund, budget),
        }
    }
}

impl Policy {
    /// Decides after `attempt`: retry after a wait, or stop.
    ///
    /// Asks in this order, and the first refusal is the reason: the rule, whether the body can be sent again, attempts
    /// left, `Retry-After` beyond the cap, deadline, budget. `sample` varies the wait; the same arguments give the same
    /// step.
    #[must_use]
    pub fn next_step(&self, history: &History, attempt: &Attempt<'_>, now: Now, sample: Sample) -> Step {
        self.step_on(self.verdict(attempt), history, attempt, || (now, sample))
    }

    /// [`Policy::next_step`] for a caller that has asked the rule already, and has `verdict` from it.
    ///
    /// `moment` is asked only when the verdict is a retry: a call that succeeds at once reads no clock and draws no
    /// sample.
    #[must_use]
    pub fn step_on(
        &self,
        verdict: Verdict,
        history: &History,
        attempt: &Attempt<'_>,
        moment: impl FnOnce() -> (Now, Sample),
    ) -> Step {
        let (fixed_wait, reason) = match verdict {
            Verdict::Stop(Reason::AttemptsExhausted) => return self.refused(Reason::AttemptsExhausted, attempt),
            Verdict::Stop(reason) => return Step::Stop { refund: self.refund(history, attempt), cost: 0, reason },
            Verdict::Retry(reason) => (None, reason),
            Verdict::RetryIn(wait, reason) => (Some(wait), reason),
            Verdict::Uncounted(reason) => return self.uncounted(reason, attempt, moment),
        };
        let stop = |reason| self.refused(reason, attempt);
        if attempt.request.replay == Replay::OneShot {
            return stop(Reason::BodyNotReplayable);
        }
        if attempt.counted() >= self.max_attempts {
            return stop(Reason::AttemptsExhausted);
        }
        let (now, sample) = moment();
        let wait = match fixed_wait {
            Some(wait) => wait,
            None => match self.wait(history, attempt, now.wall, sample) {
                Ok(wait) => wait,
                Err(reason) => return stop(reason),
            },
        };
        if self.patience == Patience::WithinTimeout && attempt.request.timeout.is_some_and(|timeout| wait > timeout) {
            return stop(Reason::WaitBeyondTimeout);
        }
        if self.deadline.is_some_and(|deadline| now.elapsed.saturating_add(wait) >= deadline) {
            return stop(Reason::Deadline);
        }
        let cost = self.cost(attempt);
        if self.budget.is_some_and(|budget| history.bucket.take(cost.saturating_add(budget.floor)).is_none()) {
            return stop(Reason::BudgetEmpty);
        }
        Step::Retry { wait, reason, cost }
    }

    /// Sends again at once, as long as there is a body to send and time for it.
    fn uncounted(&self, reason: Reason, attempt: &Attempt<'_>, moment: impl FnOnce() -> (Now, Sample)) -> Step {
        let stop = |reason| Step::Stop { reason, refund: 0, cost: 0 };
        if attempt.request.replay == Replay::OneShot {
            return stop(Reason::BodyNotReplayable);
        }
        if self.deadline.is_some_and(|deadline| moment().0.elapsed >= deadline) {
            return stop(Reason::Deadline);
        }
        Step::Retry { wait: Duration::ZERO, reason, cost: 0 }
    }

    /// May one more send leave before any has failed? Pays for it like a retry.
    #[must_use]
    pub fn hedge_step(&self, bucket: Bucket) -> Step {
        let Some(budget) = self.budget() else {
            return Step::Retry { wait: Duration::ZERO, reason: Reason::Hedge, cost: 0 };
        };
        let cost = match budget.charge {
            Charge::Retries => budget.retry_cost,
            Charge::Failures => 0,
        };
        match bucket.take(cost.saturating_add(budget.floor)) {
            Some(_) => Step::Retry { wait: Duration::ZERO, reason: Reason::Hedge, cost },
            None => Step::Stop { reason: Reason::BudgetEmpty, refund: 0, cost: 0 },
        }
    }

    /// How long the answer asks to be left alone: what other calls to the same server should know. Zero when it does not
    /// ask, the policy does not listen, or only this call is meant.
    ///
    /// At most the cap of the policy's back-off: whoever waits at all waits no longer than that.
    #[must_use]
    pub fn asks_all(&self, attempt: &Attempt<'_>, wall: SystemTime) -> Duration {
        match self.asked(attempt, wall) {
            Asked::Wait(hint) if self.heeds_others() => hint.min(self.backoff.cap()),
            Asked::Wait(_) | Asked::Nothing | Asked::Stop => Duration::ZERO,
        }
    }

    /// Whether what a server asked of one call holds for others: a pushback of gRPC is about one call alone (gRFC A6).
    fn heeds_others(&self) -> bool {
        self.retry_after != RetryAfter::Ignored && self.hint_form != HintForm::GrpcPushback
    }

    /// Whether the answer asks for a wait, or not to be tried again, and the policy listens.
    #[must_use]
    pub fn is_asked(&self, attempt: &Attempt<'_>) -> bool {
        self.asked(attempt, SystemTime::UNIX_EPOCH) != Asked::Nothing
    }

    /// Whether the server dictates the wait after `attempt`, so that the back-off begins anew: then
    /// [`History::backoff_from`] becomes the attempt's counted number.
    #[must_use]
    pub fn restarts_backoff(&self, attempt: &Attempt<'_>) -> bool {
        self.hint_form == HintForm::GrpcPushback && self.is_asked(attempt)
    }

    /// The rule would retry, and something else does not.
    fn refused(&self, reason: Reason, attempt: &Attempt<'_>) -> Step {
        let cost = match self.budget.map(|budget| budget.charge) {
            Some(Charge::Failures) => self.cost(attempt),
            Some(Charge::Retries) | None => 0,
        };
        Step::Stop { reason, refund: 0, cost }
    }

    /// Back-off and `Retry-After` together.
    fn wait(
        &self,
        history: &History,
        attempt: &Attempt<'_>,
        wall: SystemTime,
        sample: Sample,
    ) -> Result<Duration, Reason> {
        let backoff = self.throttled(attempt).map_or(&self.backoff, |throttling| &throttling.backoff);
        let retry =
            NonZeroU32::new(attempt.counted().get().saturating_sub(history.backoff_from)).unwrap_or(attempt.counted());
        let own = || backoff.wait(retry, sample);
        let hint = match self.asked(attempt, wall) {
            Asked::Nothing if !self.heeds_others() || history.closed_for.is_zero() => return Ok(own()),
            Asked::Nothing => history.closed_for,
            Asked::Stop => return Err(Reason::PushedBack),
            Asked::Wait(hint) if self.heeds_others() => hint.max(history.closed_for),
            Asked::Wait(hint) => hint,
        };
        if self.patience == Patience::HintWithinTimeout && attempt.request.timeout.is_some_and(|timeout| hint > timeout)
        {
            return Err(Reason::WaitBeyondTimeout);
        }
        Ok(match self.retry_after {
            RetryAfter::LowerBound(OverCap::GiveUp) if hint > backoff.cap() => return Err(Reason::RetryAfterTooLong),
            RetryAfter::LowerBound(OverCap::GiveUp | OverCap::Wait) => backoff.wait_at_least(hint, retry, sample),
            RetryAfter::LowerBound(OverCap::Follow) => own().max(hint),
            RetryAfter::LowerBoundThenJitter => backoff.wait_around(hint, retry, sample),
            RetryAfter::LowerBoundWithin(more) => own().max(hint.min(own().saturating_add(more))),
            RetryAfter::Replaces(longest) => hint.min(longest),
            RetryAfter::ReplacesUnlessZero(longest) if !hint.is_zero() => hint.min(longest),
            RetryAfter::ReplacesUnlessZero(_) | RetryAfter::Ignored => own(),
        })
    }

    /// What the answer asks for, where the policy listens.
    fn asked(&self, attempt: &Attempt<'_>, wall: SystemTime) -> Asked {
        match attempt.outcome {
            Outcome::Answer { status, headers, .. }
                if self.retry_after != RetryAfter::Ignored
                    && self.hinted.as_ref().is_none_or(|statuses| statuses.contains(status)) =>
            {
                retry_after::asked(self.hint_form, headers, wall)
            }
            Outcome::Answer { .. } | Outcome::Failure(_) => Asked::Nothing,
        }
    }

    /// The rules of throttling, if the answer is about that.
    fn throttled(&self, attempt: &Attempt<'_>) -> Option<&Throttling> {
        let throttling = self.throttling.as_ref()?;
        match attempt.outcome {
            Outcome::Answer { status, .. } if throttling.statuses.contains(status) => Some(throttling),
            Outcome::Answer { .. } | Outcome::Failure(_) => None,
        }
    }

    fn cost(&self, attempt: &Attempt<'_>) -> u32 {
        let class = match attempt.outcome {
            Outcome::Answer { .. } => None,
            Outcome::Failure(failure) => Some(failure.kind.class()),
        };
        match (self.budget, self.throttled(attempt)) {
            (None, _) => 0,
            (Some(_), Some(throttling)) => throttling.cost,
            (Some(budget), None) => budget.cost(class),
        }
    }

    /// Success fills the bucket again: a status below 400, unless it is called transient.
    fn refund(&self, history: &History, attempt: &Attempt<'_>) -> u32 {
        let Some(budget) = self.budget else { return 0 };
        match attempt.outcome {
            Outcome::Answer { status, transient: false, headers } if status.as_u16() < 400 => match budget.charge {
                Charge::Retries if attempt.counted() > NonZeroU32::MIN => history.last_cost,
                Charge::Retries => budget.first_success,
                // A gRPC error comes with the status 200; nobody else pays for the look into the head.
                Charge::Failures if GrpcStatus::in_head(headers).is_some_and(|code| code != GrpcStatus::OK) => 0,
                Charge::Failures => budget.first_success,
            },
            Outcome::Answer { .. } | Outcome::Failure(_) => 0,
        }
    }
}
