//! Our own timers: which limit ends the waiting, and when.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use httpx_retry::FailureKind;
use tokio::time::Instant;

/// What bounds one attempt.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Limits {
    /// When the attempt's timeout elapses.
    pub(crate) attempt: Option<Instant>,
    /// The longest silence.
    pub(crate) read: Option<Duration>,
    /// When the whole call's time is over.
    pub(crate) deadline: Option<Instant>,
    /// How many bytes of a body are kept in memory.
    pub(crate) body: Option<u64>,
}

/// A body is longer than it may be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TooLarge(pub(crate) u64);

impl Limits {
    /// The limit that comes first when waiting from now on; without limits no clock is read.
    #[inline]
    pub(crate) fn first(&self) -> Option<(Instant, FailureKind)> {
        match self {
            Limits { attempt: None, read: None, deadline: None, .. } => None,
            limits => limits.first_of_some(),
        }
    }

    /// May a body of this length be kept in memory?
    pub(crate) fn hold(&self, length: usize) -> Result<(), TooLarge> {
        match self.body {
            Some(most) if length as u64 > most => Err(TooLarge(most)),
            Some(_) | None => Ok(()),
        }
    }

    /// The limit that has elapsed already.
    pub(crate) fn passed(&self) -> Option<FailureKind> {
        self.first().filter(|(at, _)| *at <= Instant::now()).map(|(_, kind)| kind)
    }

    fn first_of_some(&self) -> Option<(Instant, FailureKind)> {
        let read = self.read.and_then(|silence| Instant::now().checked_add(silence));
        [
            // At the same instant the deadline has the last word: it is the limit that ends the call.
            self.deadline.map(|at| (at, FailureKind::Deadline)),
            self.attempt.map(|at| (at, FailureKind::RequestTimeout)),
            read.map(|at| (at, FailureKind::ReadTimeout)),
        ]
        .into_iter()
        .flatten()
        .min_by_key(|(at, _)| *at)
    }
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the body has more than {} bytes", self.0)
    }
}

impl Error for TooLarge {}
