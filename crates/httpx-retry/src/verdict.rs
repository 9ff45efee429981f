//! What a rule answers, and why.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

/// May the request be sent again?
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Yes, after the policy's back-off.
    Retry(Reason),
    /// Yes, after exactly this wait instead of the back-off; `Retry-After` and jitter do not change it.
    RetryIn(Duration, Reason),
    /// Yes, at once, and it does not count: not as an attempt, not in the back-off, and not in the budget.
    ///
    /// Only the deadline bounds such sends, unless the rule does. Source: gRFC A6, "Transparent Retries".
    Uncounted(Reason),
    /// No.
    Stop(Reason),
}

impl Verdict {
    /// The reason, whichever way it went.
    #[must_use]
    pub const fn reason(&self) -> &Reason {
        match self {
            Verdict::Retry(reason)
            | Verdict::RetryIn(_, reason)
            | Verdict::Uncounted(reason)
            | Verdict::Stop(reason) => reason,
        }
    }

    /// Whether it is a yes.
    #[must_use]
    pub const fn is_retry(&self) -> bool {
        match self {
            Verdict::Retry(_) | Verdict::RetryIn(..) | Verdict::Uncounted(_) => true,
            Verdict::Stop(_) => false,
        }
    }

    /// Whether the send that it asks for does not count.
    #[must_use]
    pub const fn is_uncounted(&self) -> bool {
        match self {
            Verdict::Uncounted(_) => true,
            Verdict::Retry(_) | Verdict::RetryIn(..) | Verdict::Stop(_) => false,
        }
    }
}

/// Why a call goes on or ends. Rules give the first group; the policy adds the second.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// The answer is final: not in the status set.
    FinalAnswer,
    /// The status is transient by convention.
    TransientStatus,
    /// Nothing was sent, so sending it cannot duplicate anything.
    NotSent,
    /// The server said that it did not act.
    NotProcessed,
    /// An I/O failure, retried as lib-httpx does.
    IoFailure,
    /// Repeating an idempotent request does no harm.
    Idempotent,
    /// A limit elapsed and the request may have been sent: the server may be working on it.
    MayBeWorking,
    /// The request may have been acted on and is not idempotent.
    NotIdempotent,
    /// The next attempt would fail alike.
    Permanent,
    /// The rule never retries.
    Never,
    /// The rule has no row that retries it.
    NotRetried,
    /// No answer has come, so another send races it.
    Hedge,
    /// Another send of the same call was answered first.
    Outrun,
    /// A reason of the caller's own rule, in its words.
    Custom(Cow<'static, str>),
    /// As many attempts as the policy allows were made.
    AttemptsExhausted,
    /// The deadline passed, or would pass during the wait.
    Deadline,
    /// The shared budget of retries is empty.
    BudgetEmpty,
    /// The body was a stream that can be read once.
    BodyNotReplayable,
    /// Pieces of the answer's body had been handed out when it broke off.
    BodyHandedOut,
    /// The server asked for a longer wait than the policy accepts.
    RetryAfterTooLong,
    /// The wait would be longer than the timeout of an attempt.
    WaitBeyondTimeout,
    /// The server asked not to be tried again.
    PushedBack,
}

impl Reason {
    /// The word used in JSON, such as `may-be-working`; a custom reason gives its own words.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Reason::FinalAnswer => "final-answer",
            Reason::TransientStatus => "transient-status",
            Reason::NotSent => "not-sent",
            Reason::NotProcessed => "not-processed",
            Reason::IoFailure => "io-failure",
            Reason::Idempotent => "idempotent",
            Reason::MayBeWorking => "may-be-working",
            Reason::NotIdempotent => "not-idempotent",
            Reason::Permanent => "permanent",
            Reason::Never => "never",
            Reason::NotRetried => "not-retried",
            Reason::Hedge => "hedge",
            Reason::Outrun => "outrun",
            Reason::Custom(words) => words,
            Reason::AttemptsExhausted => "attempts-exhausted",
            Reason::Deadline => "deadline",
            Reason::BudgetEmpty => "budget-empty",
            Reason::BodyNotReplayable => "body-not-replayable",
            Reason::BodyHandedOut => "body-handed-out",
            Reason::RetryAfterTooLong => "retry-after-too-long",
            Reason::WaitBeyondTimeout => "wait-beyond-timeout",
            Reason::PushedBack => "pushed-back",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::FinalAnswer => "the answer is final",
            Reason::TransientStatus => "transient by convention",
            Reason::NotSent => "nothing was sent, so a retry cannot duplicate anything",
            Reason::NotProcessed => "the server said that it did not act on it",
            Reason::IoFailure => "I/O failures are retried",
            Reason::Idempotent => "the request is idempotent, so repeating it does no harm",
            Reason::MayBeWorking => "it may have been sent, and the server may be working on it",
            Reason::NotIdempotent => "it may have been acted on and is not idempotent",
            Reason::Permanent => "the next attempt would fail alike",
            Reason::Never => "this policy never retries",
            Reason::NotRetried => "this policy does not retry it",
            Reason::Hedge => "no answer has come, so another send races it",
            Reason::Outrun => "another send was answered first",
            Reason::Custom(words) => words,
            Reason::AttemptsExhausted => "all attempts are used up",
            Reason::Deadline => "the deadline leaves no time for another attempt",
            Reason::BudgetEmpty => "the shared retry budget is empty",
            Reason::BodyNotReplayable => "the body was a stream that can be read only once",
            Reason::BodyHandedOut => "pieces of the answer had been handed out, and it is not fetched again",
            Reason::RetryAfterTooLong => "the server asked for a longer wait than the policy accepts",
            Reason::WaitBeyondTimeout => "the wait would be longer than the timeout of an attempt",
            Reason::PushedBack => "the server asked not to be tried again",
        })
    }
}
