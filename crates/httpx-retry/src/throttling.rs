//! Statuses that say "slow down", where a policy treats them apart.

use crate::{Backoff, StatusSet};

/// Another back-off and another price for a server that throttles.
///
/// The AWS SDKs wait longer there and pay less: such a server is up, and says so.
#[derive(Clone, Debug, PartialEq)]
pub struct Throttling {
    /// The statuses that mean it.
    pub statuses: StatusSet,
    /// How long to wait then.
    pub backoff: Backoff,
    /// What a retry then takes from the bucket.
    pub cost: u32,
}
