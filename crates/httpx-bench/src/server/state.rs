//! What the server remembers.

use crate::counts::Counts;
use std::cell::Cell;

/// What was seen so far. The server has one thread.
#[derive(Debug, Default)]
pub(super) struct State {
    counts: Cell<Counts>,
    is_repaired: Cell<bool>,
    asked: Cell<u64>,
}

impl State {
    /// As JSON.
    pub(super) fn told(&self) -> String {
        serde_json::to_string(&self.counts.get()).expect("numbers are JSON")
    }

    /// Is this the third request in a row? The calls of a sequence come one after the other.
    pub(super) fn is_third(&self) -> bool {
        self.asked.set(self.asked.get() + 1);
        self.asked.get().is_multiple_of(3)
    }

    /// Ends the outage.
    pub(super) fn repair(&self) {
        self.is_repaired.set(true);
    }

    pub(super) fn is_repaired(&self) -> bool {
        self.is_repaired.get()
    }

    pub(super) fn give_token(&self) {
        self.change(|counts| counts.tokens += 1);
    }

    /// One more answer is on its way.
    pub(super) fn answered(&self) {
        self.change(|counts| counts.answered += 1);
    }

    fn change(&self, change: impl FnOnce(&mut Counts)) {
        let mut counts = self.counts.get();
        change(&mut counts);
        self.counts.set(counts);
    }
}

/// A connection. It is counted from its first request on, for as long as it is open.
#[derive(Debug)]
pub(super) struct Carrying<'a> {
    state: &'a State,
    is_counted: bool,
}

impl<'a> Carrying<'a> {
    pub(super) fn nothing(state: &'a State) -> Self {
        Carrying { state, is_counted: false }
    }

    pub(super) fn state(&self) -> &'a State {
        self.state
    }

    /// It carries one more request.
    pub(super) fn one_more(&mut self) {
        let is_new = !std::mem::replace(&mut self.is_counted, true);
        self.state.change(|counts| {
            counts.requests += 1;
            counts.since_outage += u64::from(self.state.is_repaired());
            counts.opened += u64::from(is_new);
            counts.open += u64::from(is_new);
        });
    }
}

impl Drop for Carrying<'_> {
    fn drop(&mut self) {
        if self.is_counted {
            self.state.change(|counts| counts.open -= 1);
        }
    }
}
