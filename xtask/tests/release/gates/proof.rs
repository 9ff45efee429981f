//! Whether what is published was proven.

use crate::world::{Row3, TREE, check, consumers, packages, receipt, silent};
use xtask::release::{Semver, SemverRun};

const PROOF: &[Row3] = &[
    ("C1: missing", |f, _| f.receipts.truncate(1), "E-GATE (70)"),
    ("C1: red", |f, _| consumers(f).ok = false, "E-GATE (70)"),
    ("C1: other tree", |f, _| consumers(f).tree = "5f2d".to_owned(), "E-GATE (70)"),
    ("green once and red once", |f, _| f.receipts.push(Ok(receipt("core", TREE, false))), "E-GATE (70)"),
    ("a receipt of garbage", |f, _| f.receipts.push(silent()), "E-GATE (70)"),
    ("E-PACKAGE", |f, _| f.verified = silent(), "E-PACKAGE (70)"),
    ("a package is missing", |f, _| drop(packages(f).remove("cons")), "E-PACKAGE (70)"),
    ("an empty answer", |f, _| packages(f).clear(), "E-PACKAGE E-PACKAGE (70)"),
    ("no tool", |f, _| f.semver = Semver::NoTool, "release core cons (0)"),
    ("too small a bump", |f, _| f.semver = semver(196, &["function_missing"]), "E-SEMVER (70)"),
    ("enough", |f, _| f.semver = semver(196, &[]), "release core cons (0)"),
    ("nothing checked", |f, _| f.semver = semver(0, &[]), "E-SEMVER (70)"),
    ("the check failed", |f, _| f.semver = Semver::Failed("killed".to_owned()), "E-SEMVER (70)"),
    ("no crate checked", |f, _| f.semver = Semver::Ran(Vec::new()), "E-SEMVER (70)"),
];

fn semver(checks: u32, failures: &[&str]) -> Semver {
    let failures = failures.iter().map(|failure| (*failure).to_owned()).collect();
    Semver::Ran(vec![SemverRun { name: "core".to_owned(), baseline: "1.0.0".to_owned(), checks, failures }])
}

#[test]
fn what_is_published_was_proven() {
    check(PROOF);
}
