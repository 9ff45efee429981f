//! A server: workers, and a queue before them.

use std::collections::VecDeque;

/// An attempt at a server: the place of its call, and its number.
pub(crate) type Job = (u32, u32);

#[derive(Debug)]
pub(crate) struct Server {
    idle: u32,
    queue: VecDeque<Job>,
    room: usize,
}

/// What becomes of an attempt that arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// A worker takes it.
    Begun,
    Queued,
    /// There is no room.
    Full,
}

/// Whether workers begin anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    Goes,
    StandsStill,
}

impl Server {
    pub(crate) fn new(workers: u32, room: usize) -> Self {
        Server { idle: workers, queue: VecDeque::new(), room }
    }

    pub(crate) fn arrives(&mut self, job: Job, work: Work) -> Arrival {
        if work == Work::Goes && self.idle > 0 {
            // Whoever is idle has found the queue empty.
            self.idle -= 1;
            return Arrival::Begun;
        }
        if self.queue.len() >= self.room {
            return Arrival::Full;
        }
        self.queue.push_back(job);
        Arrival::Queued
    }

    /// A worker is done.
    pub(crate) fn done(&mut self) {
        self.idle += 1;
    }

    /// The job that an idle worker begins, if there are both.
    pub(crate) fn begin(&mut self) -> Option<Job> {
        if self.idle == 0 {
            return None;
        }
        let job = self.queue.pop_front()?;
        self.idle -= 1;
        Some(job)
    }
}
