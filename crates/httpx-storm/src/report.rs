//! What came of it.

use std::ops::AddAssign;
use std::time::Duration;

use serde::Serialize;

/// A service has recovered from when on so much of the calls that are offered ends well.
pub const RECOVERED_SHARE: f64 = 0.95;

/// Over how many seconds that is looked at: calls come by chance, and end a little later.
pub const RECOVERED_WINDOW: usize = 5;

/// What happened within one second, over the whole fleet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Second {
    /// Calls that began: the load that users ask for.
    pub calls: u64,
    /// Sends, retries included.
    pub attempts: u64,
    /// Those that reached a server, whatever it did with them.
    pub reached: u64,
    /// Requests that waited in the queues when the second was over.
    pub queued: u64,
    /// Calls that ended with a good answer: the goodput.
    pub good: u64,
    /// Calls that ended without.
    pub failed: u64,
    /// How often a server acted on a call that it, or another, had acted on before.
    pub duplicates: u64,
    /// How often a server worked for somebody who had given up.
    pub wasted: u64,
}

impl AddAssign for Second {
    fn add_assign(&mut self, other: Self) {
        self.calls += other.calls;
        self.attempts += other.attempts;
        self.reached += other.reached;
        self.queued += other.queued;
        self.good += other.good;
        self.failed += other.failed;
        self.duplicates += other.duplicates;
        self.wasted += other.wasted;
    }
}

/// How soon the service does its work again once the outage is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recovery {
    /// There was no outage.
    NoOutage,
    /// After so many whole seconds; 0 is at once.
    After(u32),
    /// Not within the simulated time.
    Never,
}

/// What one policy did.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The name of the policy.
    pub policy: String,
    /// How many servers there are.
    pub servers: u32,
    /// How many requests all of them together can serve in a second.
    pub capacity: f64,
    /// Everything together. Those that had begun are counted to their end; `queued` is none then.
    pub total: Second,
    /// The most attempts within one second.
    pub peak: u64,
    /// How soon it was over.
    pub recovery: Recovery,
    /// Every second in which calls came.
    pub seconds: Vec<Second>,
}

impl Report {
    /// Sends per call; 1 when there were no calls.
    #[must_use]
    pub fn amplification(&self) -> f64 {
        if self.total.calls == 0 { 1.0 } else { self.total.attempts as f64 / self.total.calls as f64 }
    }

    /// The share of all calls that ended well; 1 when there were none.
    #[must_use]
    pub fn success(&self) -> f64 {
        if self.total.calls == 0 { 1.0 } else { self.total.good as f64 / self.total.calls as f64 }
    }
}

/// How soon after `outage_end` goodput keeps up with what is offered, for good.
pub(crate) fn recovery(seconds: &[Second], outage_end: Option<Duration>) -> Recovery {
    let Some(outage_end) = outage_end else { return Recovery::NoOutage };
    let end = outage_end.as_nanos().div_ceil(1_000_000_000) as usize;
    let after = seconds.get(end..).unwrap_or_default();
    let keeps_up = |window: &[Second]| {
        let (good, calls) = window.iter().fold((0, 0), |sum, second| (sum.0 + second.good, sum.1 + second.calls));
        good as f64 >= RECOVERED_SHARE * calls as f64
    };
    let windows = after.windows(RECOVERED_WINDOW);
    let all = windows.len();
    let kept_up = windows.rev().take_while(|window| keeps_up(window)).count();
    match (kept_up, u32::try_from(all - kept_up)) {
        (0, _) | (_, Err(_)) => Recovery::Never,
        (_, Ok(seconds)) => Recovery::After(seconds),
    }
}
