//! What the processes of a fleet share: one bucket of retries per origin, and how long a server wants to be left alone.
//!
//! Only failures ask the store, and decide by what it answers with the same pure code as a process on its own. Successes
//! are collected and told together, by one task beside the calls, at most once a second.

#[cfg(feature = "redis")]
mod redis;
mod store;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use httpx_retry::{Bucket, Budget, Policy, Step};
use tokio::time::{Instant, sleep, timeout_at};
use url::{Origin, Url};

pub use store::{Booked, Booking, FleetStore};

use crate::budgets::Budgets;
use crate::build_error::BuildError;
use crate::secret::Secret;
use crate::store_error::{STORE_REST, StoreError};

/// How long successes are collected before they are told.
const COLLECTED: Duration = Duration::from_secs(1);

/// A client's part in its fleet.
#[derive(Clone, Debug)]
pub(crate) struct Fleet(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    store: Arc<dyn FleetStore>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Tokens that came back and that the store has not been told of.
    collected: HashMap<(Origin, Budget), u32>,
    /// A task is going to tell it.
    telling: bool,
    /// When a store that failed may be asked again.
    ask_again: Option<Instant>,
}

/// A decision, and whether the fleet had a part in it.
pub(crate) struct Decided {
    pub(crate) step: Step,
    pub(crate) by: By,
}

/// Whose tokens pay for a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    Fleet,
    /// The store cannot be reached: the process is on its own.
    Itself,
}

/// The store at a URL.
#[cfg(feature = "redis")]
pub(crate) fn store_at(url: &Secret) -> Result<Arc<dyn FleetStore>, BuildError> {
    match crate::auth::RedisStore::at(url.expose()) {
        Ok(store) => Ok(Arc::new(store)),
        Err(error) => Err(BuildError::Fleet { what: format!("{error}; write it as redis://host:6379/0") }),
    }
}

/// No store is built in.
#[cfg(not(feature = "redis"))]
pub(crate) fn store_at(_: &Secret) -> Result<Arc<dyn FleetStore>, BuildError> {
    Err(BuildError::Fleet { what: "this program was built without the feature `redis` of httpx-client".to_owned() })
}

impl Fleet {
    pub(crate) fn new(store: Arc<dyn FleetStore>) -> Self {
        Fleet(Arc::new(Inner { store, state: Mutex::default() }))
    }

    /// Takes `decide`'s step with the bucket that the fleet shares for `url`'s origin, and books it; with the process's
    /// `own` while the store cannot be reached.
    ///
    /// `decide` is given the bucket, and how much longer the server is to be left alone; `asks_all` is what this failure
    /// tells of the latter.
    pub(crate) async fn step(
        &self,
        policy: &Policy,
        url: &Url,
        deadline: Option<Instant>,
        asks_all: Duration,
        own: &Budgets,
        decide: impl Fn(Bucket, Duration) -> Step,
    ) -> Decided {
        let alone = || Decided { step: own.step(policy, url, |bucket| decide(bucket, Duration::ZERO)), by: By::Itself };
        // Without a budget there is nothing to share.
        let Some(budget) = policy.budget() else { return alone() };
        let first = decide(budget.bucket(), Duration::ZERO);
        let cost = match first {
            Step::Stop { refund, cost: 0, .. } if asks_all.is_zero() => {
                if refund > 0 {
                    self.give(url, budget, refund);
                }
                return Decided { step: first, by: By::Fleet };
            }
            Step::Stop { cost, .. } | Step::Retry { cost, .. } => cost,
        };
        let Some(Booked { tokens, closed_for }) = self.ask(url, budget, cost, asks_all, deadline).await else {
            return alone();
        };
        let bucket = budget.holding(tokens);
        let step = decide(bucket, closed_for);
        // What the store took for a retry that is not made, because the server is to be left alone too long for it.
        let after = Booking { origin: "", budget, give: 0, cost, close_for: Duration::ZERO }.apply(bucket);
        let taken = bucket.tokens() - after.tokens();
        let (Step::Retry { cost: due, .. } | Step::Stop { cost: due, .. }) = step;
        if taken > due {
            self.give(url, budget, taken - due);
        }
        Decided { step, by: By::Fleet }
    }

    /// Collects tokens that come back, and sees to it that the store is told.
    pub(crate) fn give(&self, url: &Url, budget: &Budget, tokens: u32) {
        let mut state = self.locked();
        let collected = state.collected.entry((url.origin(), *budget)).or_default();
        *collected = collected.saturating_add(tokens).min(budget.capacity);
        if !std::mem::replace(&mut state.telling, true) {
            tokio::spawn(self.clone().tell());
        }
    }

    /// Tells the store what was collected. What it cannot be told is forgotten: the bucket of the fleet is emptier for it,
    /// and never fuller than it should be.
    async fn tell(self) {
        sleep(COLLECTED).await;
        let collected = {
            let mut state = self.locked();
            state.telling = false;
            std::mem::take(&mut state.collected)
        };
        for ((origin, budget), give) in collected {
            let origin = origin.ascii_serialization();
            let booking = Booking { origin: &origin, budget: &budget, give, cost: 0, close_for: Duration::ZERO };
            if self.book(booking).await.is_none() {
                return;
            }
        }
    }

    async fn ask(
        &self,
        url: &Url,
        budget: &Budget,
        cost: u32,
        close_for: Duration,
        deadline: Option<Instant>,
    ) -> Option<Booked> {
        let origin = url.origin();
        let give = self.locked().collected.remove(&(origin.clone(), *budget)).unwrap_or(0);
        let origin = origin.ascii_serialization();
        let booked = self.book(Booking { origin: &origin, budget, give, cost, close_for });
        match deadline {
            Some(deadline) => timeout_at(deadline, booked).await.unwrap_or(None),
            None => booked.await,
        }
    }

    /// `None` while the store cannot be reached.
    async fn book(&self, booking: Booking<'_>) -> Option<Booked> {
        if self.locked().ask_again.is_some_and(|at| Instant::now() < at) {
            return None;
        }
        let booked = self.0.store.book(booking).await;
        self.heard(booked.as_ref().err());
        booked.ok()
    }

    /// Says when the process is on its own, and when it is no more.
    fn heard(&self, error: Option<&StoreError>) {
        let now = Instant::now();
        let before = std::mem::replace(&mut self.locked().ask_again, error.map(|_| now + STORE_REST));
        match (before, error) {
            // Another call has found out, and said so.
            (Some(again), Some(_)) if now < again => {}
            (_, Some(error)) => {
                tracing::warn!(%error, "retries are paid from the process's own budget, that of its fleet is out of reach");
            }
            (Some(_), None) => tracing::info!("retries are paid from the budget of the fleet again"),
            (None, None) => {}
        }
    }

    fn locked(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
