//! Whether what would be published was built, tested, packaged and compared.

use super::group::{Finding, Gate, when};
use crate::release::{
    case::Case,
    facts::{Semver, SemverRun},
};

/// The layers that CI builds and tests apart.
pub(crate) const LAYERS: [&str; 2] = ["core", "consumers"];

pub(super) const GATES: &[Gate] = &[
    Gate {
        code: "E-GATE",
        exit: 70,
        reads: "the receipts of `cargo xtask ci core` and `cargo xtask ci consumers`",
        fails: "one is missing, red, unreadable, or for another tree than HEAD's",
        fix: "cargo xtask ci core; cargo xtask ci consumers",
        check: Some(receipts),
    },
    Gate {
        code: "E-PACKAGE",
        exit: 70,
        reads: "cargo package --workspace --locked",
        fails: "it fails: a crate does not build against the packages below it, or no package of it was made",
        fix: "cargo package --workspace --locked, and what it says",
        check: Some(package),
    },
    Gate {
        code: "E-SEMVER",
        exit: 70,
        reads: "cargo-semver-checks, against the greatest published version below VERSION",
        fails: "the bump is too small for what changed, or nothing was checked; when the tool is not installed, that is a warning",
        fix: "bump VERSION further, or undo the change",
        check: Some(semver),
    },
    Gate {
        code: "E-PUBLISH",
        exit: 80,
        reads: "the raw index after each upload",
        fails: "the checksum of an uploaded crate is not seen in time, or is another one",
        fix: "cargo xtask release --execute --resume",
        check: None,
    },
    Gate {
        code: "E-POST",
        exit: 81,
        reads: "the push of the tag, and the notes",
        fails: "every crate is out, and the tag or the notes are not",
        fix: "cargo xtask release --execute --resume",
        check: None,
    },
];

fn receipts(case: &Case<'_>) -> Vec<Finding> {
    if case.is_lint() {
        return Vec::new();
    }
    let unreadable = case.facts.receipts.iter().filter_map(|receipt| receipt.as_ref().err());
    let mut findings: Vec<_> = unreadable.map(|error| Finding::new(format!("a receipt {}", error.0))).collect();
    let tree = &case.head().tree;
    let short = crate::release::facts::short(tree);
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

fn package(case: &Case<'_>) -> Vec<Finding> {
    let error = case.facts.packages.as_ref().err().or(case.facts.verified.as_ref().err());
    if let Some(error) = error {
        return vec![Finding::new(format!("cargo package {}", error.0))];
    }
    let without = case.planned().into_iter().filter(|member| case.checksum(&member.name).is_none());
    without.map(|member| Finding::new(format!("no package of {} was made", member.name))).collect()
}

fn semver(case: &Case<'_>) -> Vec<Finding> {
    match &case.facts.semver {
        Semver::NoTool | Semver::NoBaseline => Vec::new(),
        Semver::Ran(runs) if runs.is_empty() => vec![Finding::new("the semver check compared no crate")],
        Semver::Ran(runs) => runs.iter().flat_map(too_small).collect(),
    }
}

fn too_small(run: &SemverRun) -> Vec<Finding> {
    let SemverRun { name, baseline, checks, failures } = run;
    let none = when(*checks == 0 && failures.is_empty(), || {
        Finding::new(format!("{name}: the semver check against {baseline} checked nothing"))
    });
    let small = when(!failures.is_empty(), || {
        Finding::new(format!("{name}: the bump from {baseline} is too small for {}", failures.join(", ")))
    });
    none.into_iter().chain(small).collect()
}
