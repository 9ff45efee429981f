//! What would keep the push of a marked pull request from ever being looked at.

use super::group::{Finding, Gate};
use crate::release::{
    case::Case,
    marker::{Mark, mark},
};
use regex::Regex;

pub(super) const GATES: &[Gate] = &[Gate {
    code: "E-CI-SKIPPED",
    exit: 11,
    reads: "the messages of the commits of a pull request with a marked title",
    fails: "one of them tells CI to skip the push: a squash would carry it into the release commit, and no release would \
            run, silently",
    fix: "reword that commit; where it has landed already, run the release workflow by hand, no new commit is needed",
    check: Some(skipped),
}];

fn skipped(case: &Case<'_>) -> Vec<Finding> {
    if !case.is_lint() || mark(&case.head().message) != Mark::Marked {
        return Vec::new();
    }
    // The directives of the host whose workflows these are; it documents them under "skipping workflow runs".
    let directive = Regex::new(r"(?i)\[(?:skip ci|ci skip|no ci|skip actions|actions skip)\]|^skip-checks:\s*true\s*$")
        .expect("the pattern is constant");
    let mut findings = Vec::new();
    for commit in case.facts.proposal.iter().flat_map(|proposal| &proposal.commits) {
        for (at, line) in commit.message.lines().enumerate() {
            if let Some(found) = directive.find(line) {
                let (sha, line) = (commit.short(), at + 1);
                findings.push(Finding::new(format!(
                    "\"{}\" in line {line} of {sha} would skip the release",
                    found.as_str()
                )));
            }
        }
    }
    findings
}
