//! The buckets of a client and its clones: one per origin and budget, shared by all calls.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use httpx_retry::{Bucket, Budget, Policy, Step};
use url::{Origin, Url};

/// How many buckets are kept. Beyond that one is forgotten, and so is full again, for each new one.
const MOST_KEPT: usize = 10_000;

/// Only buckets that are not full are kept: an absent one *is* full. While all calls succeed nothing is stored, locked or
/// even looked up.
///
/// A request with a budget of its own has a bucket of its own: it neither fills nor drains the one of its client.
#[derive(Debug, Default)]
pub(crate) struct Budgets {
    drained: AtomicUsize,
    buckets: Mutex<HashMap<(Origin, Budget), Bucket>>,
}

impl Budgets {
    /// Takes `decide`'s step with the bucket of `url`'s origin, and books it.
    ///
    /// `decide` is asked a second time where the first step, on a full bucket, is one to be booked.
    pub(crate) fn step(&self, policy: &Policy, url: &Url, decide: impl Fn(Bucket) -> Step) -> Step {
        let Some(budget) = policy.budget() else { return decide(Budget::DEFAULT.bucket()) };
        if self.drained.load(Ordering::Relaxed) == 0 {
            let step = decide(budget.bucket());
            if let Step::Stop { cost: 0, .. } = step {
                return step; // A full bucket takes nothing more.
            }
        }
        self.book(url, budget, |bucket| {
            let step = decide(bucket);
            (step.apply(bucket, policy), step)
        })
    }

    /// Changes the bucket of `url`'s origin, and passes on what else `change` gives.
    fn book<T>(&self, url: &Url, budget: &Budget, change: impl FnOnce(Bucket) -> (Bucket, T)) -> T {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (url.origin(), *budget);
        let (after, given) = change(buckets.get(&key).copied().unwrap_or(budget.bucket()));
        if after == budget.bucket() {
            buckets.remove(&key);
        } else {
            if buckets.len() >= MOST_KEPT
                && !buckets.contains_key(&key)
                && let Some(forgotten) = buckets.keys().next().cloned()
            {
                buckets.remove(&forgotten);
            }
            buckets.insert(key, after);
        }
        self.drained.store(buckets.len(), Ordering::Relaxed);
        given
    }

    /// Puts tokens back.
    pub(crate) fn give(&self, url: &Url, budget: &Budget, tokens: u32) {
        self.book(url, budget, |bucket| (bucket.give(tokens, budget), ()));
    }
}
