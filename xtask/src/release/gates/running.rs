//! Whether another release runs.

use super::group::{Finding, Gate};
use crate::release::case::Case;

pub(super) const CODE: &str = "E-RUNNING";

pub(super) const GATES: &[Gate] = &[Gate {
    code: CODE,
    exit: 20,
    reads: "the lock of the clone, which all its worktrees share, when publishing",
    fails: "another release holds it",
    fix: "wait until it has ended; should it have been killed, the lock went with it",
    check: Some(running),
}];

fn running(case: &Case<'_>) -> Vec<Finding> {
    let holder = case.facts.holder.iter();
    holder.map(|holder| Finding::new(format!("another release runs on this clone: {holder}"))).collect()
}
