//! Whether a layer would be left behind.

use crate::world::{BASE, Row3, branch, check, commit, given, index, with_branches};
use xtask::release::{Branch, Facts, Mode, Options, Proposal, Resume};

fn lint(facts: &mut Facts, options: &mut Options, title: &str) {
    options.mode = Mode::Lint;
    facts.checkout.head.message = title.to_owned();
    facts.checkout.branch = Some("l1".to_owned());
    facts.receipts.clear();
}

const STACK: &[Row3] = &[
    ("S5", |f, _| with_branches(f, vec![branch("l2")]), "E-STACK-OPEN (40)"),
    (
        "S15",
        |f, _| with_branches(f, vec![Branch { version: Some("1.2.0".to_owned()), ..branch("l2") }]),
        "release core cons (0)",
    ),
    ("S19", |f, _| with_branches(f, vec![rider()]), "release core cons (0)"),
    (
        "riders refuse on request",
        |f, _| {
            with_branches(f, vec![rider()]);
            f.tree.manifest.push_str("[workspace.metadata.release]\nstrict-riders = true\n");
        },
        "E-STACK-OPEN (40)",
    ),
    (
        "said to stand outside",
        |f, o| {
            with_branches(f, vec![branch("l2"), branch("l3")]);
            o.not_in_stack = vec![given("l2"), given("origin/l3")];
        },
        "release core cons (0)",
    ),
    (
        "a version that is partly out can be finished",
        |f, o| {
            with_branches(f, vec![branch("l2")]);
            f.index[0] = index("core", &[("1.1.0", "c0de", false)]);
            o.resume = Resume::AtTip;
        },
        "release cons (0)",
    ),
    (
        "a version of which nothing is out cannot",
        |f, o| {
            with_branches(f, vec![branch("l2")]);
            o.resume = Resume::AtTip;
        },
        "E-STACK-OPEN (40)",
    ),
    (
        "a marked pull request with a layer above it",
        |f, o| {
            lint(f, o, "L1 [release]");
            with_branches(f, vec![branch("l2")]);
        },
        "E-STACK-OPEN (40)",
    ),
    (
        "an unmarked one",
        |f, o| {
            lint(f, o, "L1");
            with_branches(f, vec![branch("l2")]);
        },
        "release core cons (0)",
    ),
    (
        "C108: a marked pull request that CI would skip",
        |f, o| {
            lint(f, o, "x@1.0.0 [release]");
            f.proposal = Some(proposal(
                "ccccccc",
                "x\n\nUpdate spec [skip ci]\n[ci skip]\n[no ci]\n[skip actions]\nskip-checks: true",
            ));
        },
        "E-CI-SKIPPED E-CI-SKIPPED E-CI-SKIPPED E-CI-SKIPPED E-CI-SKIPPED (11)",
    ),
    ("a near miss in a pull request", |f, o| lint(f, o, "L1 [Release]"), "E-MARKER-MALFORMED (11)"),
];

/// One commit on a base where VERSION was 1.0.0.
fn proposal(sha: &str, message: &str) -> Proposal {
    Proposal { base: commit(BASE, "base", "1.0.0"), commits: vec![commit(sha, message, "1.1.0")] }
}

fn rider() -> Branch {
    let mut rider = branch("r");
    let fork = rider.fork.as_mut().expect("a branch has a fork");
    fork.commit = commit("late", "bump", "1.1.0");
    fork.changelog = rider.changelog.clone();
    rider
}

#[test]
fn no_layer_is_left_behind() {
    check(STACK);
}
