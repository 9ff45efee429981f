//! Tokens of a retry that has not been made yet.

use httpx_retry::Charge;

use crate::call::Call;
use crate::fleet::By;

/// Holds what a retry paid while the call waits to make it: a call that is dropped before gets it back.
#[must_use = "dropped, it gives the tokens back"]
pub(crate) struct Paid<'a> {
    call: &'a Call,
    cost: u32,
    by: By,
}

impl<'a> Paid<'a> {
    /// `cost` was paid by `by`.
    pub(crate) const fn new(call: &'a Call, cost: u32, by: By) -> Self {
        Paid { call, cost, by }
    }

    /// The retry is made now.
    pub(crate) fn spend(mut self) {
        self.cost = 0;
    }
}

impl Drop for Paid<'_> {
    fn drop(&mut self) {
        let Call { shared, parts, .. } = self.call;
        // Where failures are charged, nobody pays for the retry itself.
        let budget = self.call.policy().budget().filter(|budget| budget.charge == Charge::Retries && self.cost > 0);
        let Some(budget) = budget else { return };
        match (self.by, &shared.fleet) {
            (By::Fleet, Some(fleet)) => fleet.give(&parts.url, budget, self.cost),
            (By::Fleet, None) | (By::Itself, _) => shared.budgets.give(&parts.url, budget, self.cost),
        }
    }
}
