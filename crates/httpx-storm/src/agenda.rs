//! What will happen, in order.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Something that happens. Calls and servers are named by their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Event {
    /// The next call begins.
    Call,
    /// A call has waited, and sends again.
    Retry { call: u32 },
    /// An answer comes for which nobody had to work.
    Answer { call: u32, attempt: u32, answer: Unserved },
    /// A worker is done with an attempt.
    Served { server: u32, call: u32, attempt: u32 },
    /// The client gives up an attempt, if it still waits for it.
    GiveUp { call: u32, attempt: u32 },
    /// The outage is over.
    Recovery,
}

/// What comes back without work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Unserved {
    Refused,
    Busy,
}

/// Events by their moments, in nanoseconds; those of the same moment in the order in which they were noted.
///
/// Most events are noted in the order in which they happen, since they come a fixed time later: those stand in a queue
/// per kind, and only the others in a heap, which so stays small.
#[derive(Debug, Default)]
pub(crate) struct Agenda {
    answers: VecDeque<Entry>,
    given_up: VecDeque<Entry>,
    served: BinaryHeap<Reverse<Entry>>,
    others: BinaryHeap<Reverse<Entry>>,
    noted: u64,
}

/// Its moment, its number, and itself.
type Entry = (u64, u64, Event);

impl Agenda {
    pub(crate) fn note(&mut self, at: u64, event: Event) {
        self.noted += 1;
        let entry = (at, self.noted, event);
        let queue = match event {
            Event::Answer { .. } => &mut self.answers,
            Event::GiveUp { .. } => &mut self.given_up,
            Event::Served { .. } => return self.served.push(Reverse(entry)),
            Event::Call | Event::Retry { .. } | Event::Recovery => return self.others.push(Reverse(entry)),
        };
        // A deadline may come before a timeout that was noted earlier.
        if queue.back().is_none_or(|last| last.0 <= at) {
            queue.push_back(entry);
        } else {
            self.others.push(Reverse(entry));
        }
    }

    /// The next event, with its moment.
    pub(crate) fn next(&mut self) -> Option<(u64, Event)> {
        let key = |entry: &Entry| (entry.0, entry.1);
        let heads = [
            self.answers.front().map(key),
            self.given_up.front().map(key),
            self.served.peek().map(|Reverse(entry)| key(entry)),
            self.others.peek().map(|Reverse(entry)| key(entry)),
        ];
        let first = (0..heads.len()).min_by_key(|at| heads[*at].unwrap_or((u64::MAX, u64::MAX)))?;
        let entry = match first {
            0 => self.answers.pop_front(),
            1 => self.given_up.pop_front(),
            2 => self.served.pop().map(|Reverse(entry)| entry),
            _ => self.others.pop().map(|Reverse(entry)| entry),
        };
        entry.map(|(at, _, event)| (at, event))
    }
}
