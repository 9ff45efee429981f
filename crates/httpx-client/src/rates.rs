//! The rates at which servers that throttle are asked: one per origin, shared by a client and its clones.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use httpx_retry::AdaptiveRate;
use tokio::time::{Instant, sleep};
use url::{Origin, Url};

/// Beyond so many origins, those that never throttled are forgotten.
const ORIGINS_KEPT: usize = 1000;

/// Looked at only for policies that adapt their rate.
#[derive(Debug)]
pub(crate) struct Rates {
    /// What all moments are counted from.
    start: Instant,
    rates: Mutex<HashMap<Origin, AdaptiveRate>>,
}

impl Default for Rates {
    fn default() -> Self {
        Rates { start: Instant::now(), rates: Mutex::default() }
    }
}

/// An attempt's turn comes only after the deadline of its call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLate;

impl Rates {
    /// Waits for an attempt's turn at the origin of `url`. One that would come too late is not taken.
    pub(crate) async fn turn(&self, url: &Url, deadline: Option<Instant>) -> Result<(), TooLate> {
        let wait = {
            let now = Instant::now();
            let moment = now - self.start;
            let mut rates = self.locked();
            let rate = rates.entry(url.origin()).or_insert_with(|| AdaptiveRate::start(moment));
            let (wait, after) = rate.acquire(moment);
            if deadline.is_some_and(|deadline| now.checked_add(wait).is_none_or(|turn| turn >= deadline)) {
                return Err(TooLate);
            }
            *rate = after;
            wait
        };
        if !wait.is_zero() {
            sleep(wait).await;
        }
        Ok(())
    }

    /// Counts the end of an attempt.
    pub(crate) fn ended(&self, url: &Url, throttled: bool) {
        let moment = self.start.elapsed();
        let mut rates = self.locked();
        if rates.len() > ORIGINS_KEPT {
            rates.retain(|_, rate| rate.limit().is_some());
        }
        let rate = rates.entry(url.origin()).or_insert_with(|| AdaptiveRate::start(moment));
        *rate = if throttled { rate.throttled(moment) } else { rate.answered(moment) };
    }

    fn locked(&self) -> MutexGuard<'_, HashMap<Origin, AdaptiveRate>> {
        self.rates.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
