//! A rule as rows: the first row whose conditions hold gives the verdict.

use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;

use http::StatusCode;

use crate::when::End;
use crate::{Attempt, FailureKind, Hint, Methods, Outcome, Reason, Sent, Verdict, When};

/// The end of the sentence that a [`When`] begins.
impl When {
    /// Then retry after the policy's back-off.
    #[must_use]
    pub const fn retry(self) -> Row {
        Row { when: self, then: Then::Retry, attempts: None }
    }

    /// Then retry without a wait.
    #[must_use]
    pub const fn retry_at_once(self) -> Row {
        Row { when: self, then: Then::RetryIn(Duration::ZERO), attempts: None }
    }

    /// Then retry without a wait, and without counting it: see [`Verdict::Uncounted`].
    #[must_use]
    pub const fn retry_uncounted(self) -> Row {
        Row { when: self, then: Then::Uncounted, attempts: None }
    }

    /// Then stop.
    #[must_use]
    pub const fn stop(self) -> Row {
        Row { when: self, then: Then::Stop, attempts: None }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    Retry,
    RetryIn(Duration),
    Uncounted,
    Stop,
}

/// Conditions, and what follows when all of them hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    when: When,
    then: Then,
    attempts: Option<NonZeroU32>,
}

impl Row {
    /// At most so many sends by this row, where the policy would allow more.
    #[must_use]
    pub const fn up_to(mut self, attempts: NonZeroU32) -> Self {
        self.attempts = Some(attempts);
        self
    }

    /// What it says of `attempt`; `None` when it does not speak of it.
    #[must_use]
    pub fn verdict(&self, attempt: &Attempt<'_>) -> Option<Verdict> {
        if !self.when.holds(attempt) {
            return None;
        }
        Some(match self.then {
            Then::Stop => Verdict::Stop(not_retried(attempt)),
            Then::Retry | Then::RetryIn(_) if self.attempts.is_some_and(|most| attempt.counted() >= most) => {
                Verdict::Stop(Reason::AttemptsExhausted)
            }
            Then::Retry => Verdict::Retry(self.why(attempt)),
            Then::RetryIn(wait) => Verdict::RetryIn(wait, self.why(attempt)),
            Then::Uncounted => Verdict::Uncounted(self.why(attempt)),
        })
    }

    /// Whether it sends again, where it holds.
    #[must_use]
    pub const fn retries(&self) -> bool {
        match self.then {
            Then::Retry | Then::RetryIn(_) | Then::Uncounted => true,
            Then::Stop => false,
        }
    }

    /// Whether it waits for the policy's back-off before it sends again.
    #[must_use]
    pub const fn waits(&self) -> bool {
        matches!(self.then, Then::Retry)
    }

    /// Whether it sends again without a wait, and counts it.
    #[must_use]
    pub const fn is_at_once(&self) -> bool {
        match self.then {
            Then::RetryIn(wait) => wait.is_zero(),
            Then::Retry | Then::Uncounted | Then::Stop => false,
        }
    }

    /// Whether it holds on some connections only.
    #[must_use]
    pub const fn asks_connection(&self) -> bool {
        self.when.connection.is_some()
    }

    /// The one status it is about; `None` when it is about several, or about failures.
    #[must_use]
    pub const fn status(&self) -> Option<StatusCode> {
        match self.when.end {
            End::Status(status) => Some(status),
            End::Transient | End::Failure(_) | End::Body(_) | End::Grpc(_) => None,
        }
    }

    /// What it asks of `Retry-After`.
    #[must_use]
    pub const fn hint(&self) -> Hint {
        self.when.hint
    }

    fn why(&self, attempt: &Attempt<'_>) -> Reason {
        match (&attempt.outcome, attempt.sent) {
            (Outcome::Answer { .. }, _) => Reason::TransientStatus,
            (Outcome::Failure(_), Sent::No) => Reason::NotSent,
            (Outcome::Failure(_), Sent::NotProcessed) => Reason::NotProcessed,
            (Outcome::Failure(_), Sent::Maybe)
                if self.when.methods != Methods::All && attempt.request.is_idempotent() =>
            {
                Reason::Idempotent
            }
            (Outcome::Failure(_), Sent::Maybe) => Reason::IoFailure,
        }
    }
}

/// Asks `rows` in their order. What no row speaks of is final.
pub(crate) fn first_match(rows: &[Row], attempt: &Attempt<'_>) -> Verdict {
    rows.iter().find_map(|row| row.verdict(attempt)).unwrap_or_else(|| unspoken(attempt))
}

fn unspoken(attempt: &Attempt<'_>) -> Verdict {
    match attempt.outcome {
        // A thing of this client's connection pool, of which other clients' rules do not speak: nothing was even tried.
        Outcome::Failure(failure) if failure.kind == FailureKind::ConnectAbandoned && attempt.sent == Sent::No => {
            Verdict::RetryIn(Duration::ZERO, Reason::NotSent)
        }
        Outcome::Failure(_) | Outcome::Answer { .. } => Verdict::Stop(not_retried(attempt)),
    }
}

fn not_retried(attempt: &Attempt<'_>) -> Reason {
    match attempt.outcome {
        Outcome::Answer { .. } => Reason::FinalAnswer,
        Outcome::Failure(failure) if failure.kind == FailureKind::Deadline => Reason::Deadline,
        Outcome::Failure(_) => Reason::NotRetried,
    }
}

impl Row {
    /// Its conditions in words.
    #[must_use]
    pub fn condition(&self) -> String {
        self.when.to_string()
    }

    /// What follows, in words: `retry`, `retry at once`, `stop`.
    #[must_use]
    pub fn consequence(&self) -> String {
        let then = match self.then {
            Then::Retry => "retry".to_owned(),
            Then::RetryIn(wait) if wait.is_zero() => "retry at once".to_owned(),
            Then::RetryIn(wait) => format!("retry in {wait:?}"),
            Then::Uncounted => "retry at once, not counted".to_owned(),
            Then::Stop => "stop".to_owned(),
        };
        self.attempts.map_or(then.clone(), |most| format!("{then}, at most {most} sends"))
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.condition(), self.consequence())
    }
}
