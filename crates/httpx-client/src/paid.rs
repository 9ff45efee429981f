//! Tokens of a retry that has not been made yet.

use httpx_retry::{Budget, Charge, Policy};
use url::Url;

use crate::fleet::By;
use crate::shared::Shared;

/// Holds what a retry paid while the call waits to make it: a call that is dropped before gets it back.
#[must_use = "dropped, it gives the tokens back"]
pub(crate) struct Paid<'a> {
    shared: &'a Shared,
    url: &'a Url,
    /// The rules of the bucket; `None` when there is nothing to give back.
    budget: Option<&'a Budget>,
    cost: u32,
    by: By,
}

impl<'a> Paid<'a> {
    /// `cost` was paid by `by`. Where failures are charged, nobody pays for the retry itself.
    pub(crate) fn new(shared: &'a Shared, policy: &'a Policy, url: &'a Url, cost: u32, by: By) -> Self {
        let budget = policy.budget().filter(|budget| budget.charge == Charge::Retries && cost > 0);
        Paid { shared, url, budget, cost, by }
    }

    /// The retry is made now.
    pub(crate) fn spend(mut self) {
        self.budget = None;
    }
}

impl Drop for Paid<'_> {
    fn drop(&mut self) {
        let Some(budget) = self.budget else { return };
        match (self.by, &self.shared.fleet) {
            (By::Fleet, Some(fleet)) => fleet.give(self.url, budget, self.cost),
            (By::Fleet, None) | (By::Itself, _) => self.shared.budgets.give(self.url, budget, self.cost),
        }
    }
}
