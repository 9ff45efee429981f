//! The default rule: the one place where it is written.

use std::time::Duration;

use crate::{Attempt, FailureClass, FailureKind, Outcome, Reason, Sent, Verdict};

/// May this attempt be repeated, when nobody said otherwise?
///
/// Retries any transient status and any I/O failure, except a timeout once the request may have been sent: the server
/// may be working on it, and a retry would turn the bound into attempts × timeout and could run the operation twice. A
/// timeout while provably nothing was sent is retried. What the next attempt cannot mend is not.
///
/// Not gated on the method; [`Rule::idempotent_only`](crate::Rule::idempotent_only) is. Source: lib-httpx 2.5.0
/// (`HxConfig`), with one deliberate difference: a rejected certificate is permanent here and retried there.
#[must_use]
pub fn default_rule(attempt: &Attempt<'_>) -> Verdict {
    let failure = match attempt.outcome {
        Outcome::Answer { transient: true, .. } => return Verdict::Retry(Reason::TransientStatus),
        Outcome::Answer { transient: false, .. } => return Verdict::Stop(Reason::FinalAnswer),
        Outcome::Failure(failure) => failure,
    };
    if failure.kind == FailureKind::ConnectAbandoned && attempt.sent == Sent::No {
        // Neither network nor server failed, so there is nobody to give time to.
        return Verdict::RetryIn(Duration::ZERO, Reason::NotSent);
    }
    match failure.kind.class() {
        FailureClass::Deadline => Verdict::Stop(Reason::Deadline),
        FailureClass::Permanent => Verdict::Stop(Reason::Permanent),
        FailureClass::Timeout if attempt.sent == Sent::Maybe => Verdict::Stop(Reason::MayBeWorking),
        FailureClass::Timeout | FailureClass::ConnectTimeout | FailureClass::Io => Verdict::Retry(match attempt.sent {
            Sent::No => Reason::NotSent,
            Sent::NotProcessed => Reason::NotProcessed,
            Sent::Maybe => Reason::IoFailure,
        }),
    }
}
