//! What arrived at a server.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::request::{Incoming, Request};

/// How many requests a journal keeps, the latest; earlier ones are only counted.
pub const REQUESTS_KEPT: usize = 4096;

/// What arrived at a server. Cheap to clone; every method is a snapshot.
///
/// A request stands in it from when its reading ended, that is before it is answered.
#[derive(Debug, Clone, Default)]
pub struct Journal {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    connects: AtomicU64,
    handshakes: AtomicU64,
    entries: Mutex<Entries>,
}

#[derive(Debug, Default)]
struct Entries {
    requests: VecDeque<Request>,
    recorded: u64,
    complete: u64,
    applied: u64,
    applied_for: HashMap<String, u64>,
    arrivals: HashMap<Box<str>, u64>,
}

impl Journal {
    /// How many TCP connections were accepted.
    pub fn connects(&self) -> u64 {
        self.shared.connects.load(Ordering::Acquire)
    }

    /// How many TLS handshakes were completed.
    pub fn handshakes(&self) -> u64 {
        self.shared.handshakes.load(Ordering::Acquire)
    }

    /// The latest requests, at most [`REQUESTS_KEPT`], the earliest first.
    pub fn requests(&self) -> Vec<Request> {
        self.entries().requests.iter().cloned().collect()
    }

    /// How many requests were recorded, complete or not.
    pub fn recorded(&self) -> u64 {
        self.entries().recorded
    }

    /// How many requests arrived in full.
    pub fn complete(&self) -> u64 {
        self.entries().complete
    }

    /// How many operations the server carried out; see [`Fault::applies`](crate::Fault::applies).
    pub fn applied(&self) -> u64 {
        self.entries().applied
    }

    /// How often the server carried out the operation with this [`Request::key`].
    pub fn applied_for(&self, key: &str) -> u64 {
        self.entries().applied_for.get(key).copied().unwrap_or(0)
    }

    /// Whether the head of a request with `x-request-id: id` arrived, whatever became of its body.
    pub fn seen(&self, id: &str) -> bool {
        self.arrivals(id) > 0
    }

    /// How many heads of requests with `x-request-id: id` arrived.
    pub fn arrivals(&self, id: &str) -> u64 {
        self.entries().arrivals.get(id).copied().unwrap_or(0)
    }

    /// The number of the connection that was accepted now.
    pub(crate) fn connected(&self) -> u64 {
        self.shared.connects.fetch_add(1, Ordering::AcqRel) + 1
    }

    pub(crate) fn handshake_completed(&self) {
        self.shared.handshakes.fetch_add(1, Ordering::AcqRel);
    }

    pub(crate) fn head_arrived(&self, request: &Request) {
        if let Some(id) = request.header("x-request-id") {
            *self.entries().arrivals.entry(id.into()).or_default() += 1;
        }
    }

    /// Reading of a request ended: completes and keeps it.
    pub(crate) fn record(&self, request: &mut Request, body: Incoming, applies: bool) {
        body.store(request);
        request.applied = request.complete && applies;
        let mut entries = self.entries();
        entries.recorded += 1;
        request.number = entries.recorded;
        entries.complete += u64::from(request.complete);
        if request.applied {
            entries.applied += 1;
            *entries.applied_for.entry(request.key()).or_default() += 1;
        }
        if entries.requests.len() == REQUESTS_KEPT {
            entries.requests.pop_front();
        }
        entries.requests.push_back(request.clone());
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        // Nothing panics while it holds the lock; if it did, the counts would still be worth reading.
        self.shared.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
