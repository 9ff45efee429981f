//! The buckets of a client and its clones: one per origin, shared by all calls.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use httpx_retry::{Bucket, Budget, Policy, Step};
use url::{Origin, Url};

/// Only buckets that are not full are kept: an absent one *is* full. While all calls succeed nothing is stored, locked or
/// even looked up.
#[derive(Debug, Default)]
pub(crate) struct Budgets {
    drained: AtomicUsize,
    buckets: Mutex<HashMap<Origin, Bucket>>,
}

impl Budgets {
    /// Takes `decide`'s step with the bucket of `url`'s origin, and books it.
    ///
    /// `decide` is asked again when other calls emptied the bucket between looking and booking.
    pub(crate) fn step(&self, policy: &Policy, url: &Url, decide: impl Fn(Bucket) -> Step) -> Step {
        let Some(budget) = policy.budget() else { return decide(Budget::DEFAULT.bucket()) };
        if self.drained.load(Ordering::Relaxed) == 0 {
            let step = decide(budget.bucket());
            if let Step::Stop { cost: 0, .. } = step {
                return step; // A full bucket takes nothing more.
            }
        }
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let origin = url.origin();
        let before = buckets.get(&origin).copied().unwrap_or(budget.bucket());
        let step = decide(before);
        let after = step.apply(before, policy);
        if after == budget.bucket() {
            buckets.remove(&origin);
        } else {
            buckets.insert(origin, after);
        }
        self.drained.store(buckets.len(), Ordering::Relaxed);
        step
    }
}
