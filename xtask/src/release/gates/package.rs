//! Whether HEAD makes packages, and what changed allows this version. Asked last: it builds.

use super::group::{Finding, Gate, when};
use crate::release::{
    case::Case,
    facts::{Semver, SemverRun},
};

pub(super) const GATES: &[Gate] = &[
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
        fails: "the bump is too small for what changed, nothing was checked, or the check failed; when the tool is not installed, that is a warning",
        fix: "bump VERSION further, or undo the change",
        check: Some(semver),
    },
];

fn package(case: &Case<'_>) -> Vec<Finding> {
    if !case.is_shipped() {
        return Vec::new();
    }
    let error = case.facts.packages.as_ref().err().or(case.facts.verified.as_ref().err());
    if let Some(error) = error {
        return vec![Finding::new(format!("cargo package {}", error.0))];
    }
    let without = case.planned().into_iter().filter(|member| case.checksum(&member.name).is_none());
    without.map(|member| Finding::new(format!("no package of {} was made", member.name))).collect()
}

fn semver(case: &Case<'_>) -> Vec<Finding> {
    // Nothing is compared when nothing could be packaged, and that refuses above.
    if case.facts.packages.is_err() || case.facts.verified.is_err() {
        return Vec::new();
    }
    match &case.facts.semver {
        Semver::NoTool | Semver::NoBaseline => Vec::new(),
        Semver::Failed(error) => vec![Finding::new(format!("the semver check failed: {error}"))],
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
