//! Hedging: a second send before the first has failed.

use std::num::NonZeroU32;
use std::time::Duration;

use crate::Request;

/// Sends again when no answer has come after a delay; the first good answer wins, the others are cancelled.
///
/// Only for requests that may be repeated without harm: all of them may be acted on. Each further send is paid for like
/// a retry. Source: gRFC A6 `hedgingPolicy`, lines 186-213.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hedging {
    delay: Duration,
    max_attempts: NonZeroU32,
    which: Which,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    Idempotent,
    Every,
}

impl Hedging {
    /// At most `max_attempts` sends, the first included, each `delay` after the one before.
    #[must_use]
    pub const fn new(delay: Duration, max_attempts: NonZeroU32) -> Self {
        Hedging { delay, max_attempts, which: Which::Idempotent }
    }

    /// Every request, whatever its method: whoever makes the policy declares that repeating one does no harm, as the owner of
    /// a gRPC service does by its config.
    #[must_use]
    pub const fn of_every_request(self) -> Self {
        Hedging { which: Which::Every, ..self }
    }

    /// Whether `request` may race a copy of itself.
    #[must_use]
    pub fn hedges(&self, request: &Request<'_>) -> bool {
        match self.which {
            Which::Idempotent => request.is_idempotent(),
            Which::Every => true,
        }
    }

    /// How long after one send the next follows; zero sends all at once.
    #[must_use]
    pub const fn delay(&self) -> Duration {
        self.delay
    }

    /// How many sends at most, the first included.
    #[must_use]
    pub const fn max_attempts(&self) -> NonZeroU32 {
        self.max_attempts
    }

    /// When send number `attempt` (1 is the first) leaves, counted from the start of the call; `None` when there is no
    /// such send.
    #[must_use]
    pub fn send_at(&self, attempt: NonZeroU32) -> Option<Duration> {
        (attempt <= self.max_attempts).then(|| self.delay.saturating_mul(attempt.get() - 1))
    }
}
