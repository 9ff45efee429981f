//! Whether what would be published was built and tested.

use super::group::{Finding, Gate};
use crate::release::{case::Case, facts::short};

/// The layers that CI builds and tests apart.
pub(crate) const LAYERS: [&str; 2] = ["core", "consumers"];

pub(super) const GATES: &[Gate] = &[Gate {
    code: "E-GATE",
    exit: 70,
    reads: "the receipts of `cargo xtask ci core` and `cargo xtask ci consumers`",
    fails: "one is missing, red, unreadable, or for another tree than HEAD's",
    fix: "cargo xtask ci core; cargo xtask ci consumers",
    check: Some(receipts),
}];

fn receipts(case: &Case<'_>) -> Vec<Finding> {
    if case.is_lint() {
        return Vec::new();
    }
    let unreadable = case.facts.receipts.iter().filter_map(|receipt| receipt.as_ref().err());
    let mut findings: Vec<_> = unreadable.map(|error| Finding::new(format!("a receipt {}", error.0))).collect();
    let tree = &case.head().tree;
    let short = short(tree);
    for layer in LAYERS {
        let readable = case.facts.receipts.iter().flatten().filter(|receipt| receipt.layer == layer);
        let of_tree: Vec<_> = readable.filter(|receipt| receipt.tree == *tree).collect();
        if of_tree.iter().any(|receipt| !receipt.ok) {
            findings.push(Finding::new(format!("{layer}: red for tree {short}")));
        } else if of_tree.is_empty() {
            findings.push(Finding::new(format!("{layer}: no green run for tree {short}")));
        }
    }
    findings
}
