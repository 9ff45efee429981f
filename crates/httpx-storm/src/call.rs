//! One call of a client, from its first attempt to its end.

use std::num::NonZeroU32;

use httpx_retry::Uncounted;

/// What a call has come to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    /// In nanoseconds.
    pub(crate) began: u64,
    /// Whose bucket it draws on.
    pub(crate) process: u32,
    /// How many attempts it has made.
    pub(crate) attempts: u32,
    pub(crate) state: State,
    /// Events on the agenda and places in queues that name it. While there are any, its place is not given to another.
    pub(crate) named: u32,
    /// How often the server has acted on it.
    pub(crate) acted: u32,
    /// What [`History`](httpx_retry::History) remembers of it.
    pub(crate) last_cost: u32,
    pub(crate) backoff_from: u32,
    pub(crate) uncounted: Uncounted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// Its last attempt has no answer yet.
    Open,
    /// It waits before the next.
    Waiting,
    Ended,
}

impl Call {
    pub(crate) fn new(began: u64, process: u32) -> Self {
        Call {
            began,
            process,
            attempts: 0,
            state: State::Waiting,
            named: 0,
            acted: 0,
            last_cost: 0,
            backoff_from: 0,
            uncounted: Uncounted::default(),
        }
    }

    /// The number of its last attempt; 1 before the first.
    pub(crate) fn number(&self) -> NonZeroU32 {
        NonZeroU32::new(self.attempts).unwrap_or(NonZeroU32::MIN)
    }

    /// Does it still wait for the answer to this attempt?
    pub(crate) fn awaits(&self, attempt: u32) -> bool {
        self.state == State::Open && self.attempts == attempt
    }

    /// Can nothing change it any more?
    pub(crate) fn is_over(&self) -> bool {
        self.state == State::Ended && self.named == 0
    }
}
