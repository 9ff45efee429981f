//! httpx's own policies.

use super::{Preset, sends};
use crate::{Policy, Rule, StatusSet};

pub(super) const ROWS: &[Preset] = &[
    Preset::own(
        "default",
        "transient statuses and any I/O failure, except a timeout once the request may have been sent",
        Policy::default,
    ),
    Preset::own(
        "idempotent_only",
        "as default, but only when provably not processed or when the request is idempotent",
        || Policy::default().with_rule(Rule::idempotent_only()),
    ),
    Preset::own(
        "any_io_error",
        "as default, and timeouts once the request may have been sent, as lib-httpx did before 2.5.0",
        || Policy::default().with_rule(Rule::any_io_error()),
    ),
    Preset::own("never", "nothing is retried", never),
];

/// Its statuses are the default's, so that the reason for stopping after one is this policy and not the status.
fn never() -> Policy {
    Policy::bare(Rule::never(), sends(1)).with_statuses(StatusSet::default())
}
