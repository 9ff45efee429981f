//! The buckets of a client and its clones: one per origin and budget, shared by all calls.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use httpx_retry::{Bucket, Budget, Policy, Step};
use smallvec::SmallVec;
use url::{Position, Url};

/// How many buckets are kept. Beyond that those of one origin are forgotten, and so are full again, for each new one.
const MOST_KEPT: usize = 10_000;

/// Only buckets that are not full are kept: an absent one *is* full. While all calls succeed nothing is stored, locked or
/// even looked up.
///
/// A request with a budget of its own has a bucket of its own: it neither fills nor drains the one of its client.
#[derive(Debug, Default)]
pub(crate) struct Budgets {
    drained: AtomicUsize,
    kept: Mutex<Kept>,
}

/// The buckets that are kept, by origin as a URL begins with it: that is hashed in one go, and copied only where it is new.
#[derive(Debug, Default)]
struct Kept {
    origins: HashMap<Box<str>, SmallVec<[(Budget, Bucket); 1]>>,
    count: usize,
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

    /// Puts tokens back.
    pub(crate) fn give(&self, url: &Url, budget: &Budget, tokens: u32) {
        self.book(url, budget, |bucket| (bucket.give(tokens, budget), ()));
    }

    /// Changes the bucket of `url`'s origin, and passes on what else `change` gives.
    fn book<T>(&self, url: &Url, budget: &Budget, change: impl FnOnce(Bucket) -> (Bucket, T)) -> T {
        let origin = &url[..Position::BeforePath];
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let given = kept.change(origin, budget, change);
        self.drained.store(kept.count, Ordering::Relaxed);
        given
    }
}

impl Kept {
    fn change<T>(&mut self, origin: &str, budget: &Budget, change: impl FnOnce(Bucket) -> (Bucket, T)) -> T {
        let full = budget.bucket();
        if let Some(buckets) = self.origins.get_mut(origin)
            && let Some(at) = buckets.iter().position(|(rules, _)| rules == budget)
        {
            let (after, given) = change(buckets[at].1);
            buckets[at].1 = after;
            if after == full {
                buckets.swap_remove(at);
                self.count -= 1;
                if buckets.is_empty() {
                    self.origins.remove(origin);
                }
            }
            return given;
        }
        let (after, given) = change(full);
        if after != full {
            if self.count >= MOST_KEPT {
                self.forget_one();
            }
            self.origins.entry(origin.into()).or_default().push((*budget, after));
            self.count += 1;
        }
        given
    }

    /// Forgets the buckets of some origin.
    fn forget_one(&mut self) {
        if let Some(origin) = self.origins.keys().next().cloned()
            && let Some(forgotten) = self.origins.remove(&origin)
        {
            self.count -= forgotten.len();
        }
    }
}
