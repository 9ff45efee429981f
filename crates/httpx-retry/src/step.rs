//! What a call does next: one pure decision, taken after every attempt.

use std::num::NonZeroU32;
use std::time::{Duration, SystemTime};

use crate::{Attempt, Bucket, Outcome, OverCap, Policy, Reason, Replay, RetryAfter, Sample, Verdict, retry_after};

/// What the call has done so far, besides the attempt in question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct History {
    /// Tokens that the call's last retry took; 0 before the first retry.
    pub last_cost: u32,
    /// The bucket it shares with other calls, as it is now.
    pub bucket: Bucket,
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
    },
}

impl Step {
    /// The bucket after this step.
    #[must_use]
    pub fn apply(&self, bucket: Bucket, policy: &Policy) -> Bucket {
        match (self, policy.budget()) {
            (_, None) => bucket,
            (Step::Retry { cost, .. }, Some(_)) => bucket.take(*cost).unwrap_or(bucket),
            (Step::Stop { refund, .. }, Some(budget)) => bucket.give(*refund, budget),
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
            Verdict::Stop(reason) => return Step::Stop { refund: self.refund(history, attempt), reason },
            Verdict::Retry(reason) => (None, reason),
            Verdict::RetryIn(wait, reason) => (Some(wait), reason),
        };
        let stop = |reason| Step::Stop { reason, refund: 0 };
        if attempt.request.replay == Replay::OneShot {
            return stop(Reason::BodyNotReplayable);
        }
        if attempt.number >= self.max_attempts {
            return stop(Reason::AttemptsExhausted);
        }
        let (now, sample) = moment();
        let wait = match fixed_wait {
            Some(wait) => wait,
            None => match self.wait(attempt, now.wall, sample) {
                Ok(wait) => wait,
                Err(reason) => return stop(reason),
            },
        };
        if self.deadline.is_some_and(|deadline| now.elapsed.saturating_add(wait) >= deadline) {
            return stop(Reason::Deadline);
        }
        let cost = self.cost(attempt);
        if self.budget.is_some() && history.bucket.take(cost).is_none() {
            return stop(Reason::BudgetEmpty);
        }
        Step::Retry { wait, reason, cost }
    }

    /// Back-off and `Retry-After` together.
    fn wait(&self, attempt: &Attempt<'_>, wall: SystemTime, sample: Sample) -> Result<Duration, Reason> {
        let hint = match (attempt.outcome, self.retry_after) {
            (Outcome::Answer { headers, .. }, RetryAfter::LowerBound(over)) => {
                retry_after::hint(headers, wall).map(|hint| (hint, over))
            }
            (Outcome::Answer { .. }, RetryAfter::Ignored) | (Outcome::Failure(_), _) => None,
        };
        match hint {
            Some((hint, OverCap::GiveUp)) if hint > self.backoff.cap() => Err(Reason::RetryAfterTooLong),
            Some((hint, _)) => Ok(self.backoff.wait_at_least(hint, attempt.number, sample)),
            None => Ok(self.backoff.wait(attempt.number, sample)),
        }
    }

    fn cost(&self, attempt: &Attempt<'_>) -> u32 {
        let class = match attempt.outcome {
            Outcome::Answer { .. } => None,
            Outcome::Failure(failure) => Some(failure.kind.class()),
        };
        self.budget.map_or(0, |budget| budget.cost(class))
    }

    /// Success fills the bucket again: a status below 400, unless it is called transient.
    fn refund(&self, history: &History, attempt: &Attempt<'_>) -> u32 {
        let Some(budget) = self.budget else { return 0 };
        match attempt.outcome {
            Outcome::Answer { status, transient: false, .. } if status.as_u16() < 400 => {
                if attempt.number == NonZeroU32::MIN { budget.first_success } else { history.last_cost }
            }
            Outcome::Answer { .. } | Outcome::Failure(_) => 0,
        }
    }
}
