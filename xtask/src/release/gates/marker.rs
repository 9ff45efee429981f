//! Whether HEAD asks for a release, and nothing else in its run does.

use super::group::{Finding, Gate, when};
use crate::release::{
    case::{Case, Published, is_abbreviated},
    facts::Commit,
    marker::{Mark, mark, title},
};

pub(super) const GATES: &[Gate] = &[
    Gate {
        code: super::NO_MARKER,
        exit: 10,
        reads: "the title of HEAD",
        fails: "the title carries no `[release]`, quotations left out; with --if-marked this is exit 0, \"skipped\"",
        fix: "land a commit whose title begins or ends with [release]",
        check: Some(no_marker),
    },
    Gate {
        code: "E-MARKER-MALFORMED",
        exit: 11,
        reads: "the title of HEAD, quotations left out",
        fails: "the title holds `[release]` in other letters, with spaces inside, glued to a word, or in its middle; in a \
                quotation that never ends; or in the title of the commit that a fixup!, squash! or amend! is for",
        fix: "land a commit whose title begins or ends with exactly [release]",
        check: Some(malformed),
    },
    Gate {
        code: "E-MARKER-BELOW-TOP",
        exit: 11,
        reads: "the titles of the first-parent commits with HEAD's VERSION; with --if-marked only of those just pushed",
        fails: "HEAD is unmarked, a lower commit is marked, and the version has neither a tag nor a published crate",
        fix: "land a marked commit on top, or bump VERSION",
        check: Some(below_top),
    },
    Gate {
        code: "E-MARKER-TWICE",
        exit: 11,
        reads: "the titles of the first-parent commits with HEAD's VERSION",
        fails: "HEAD and another commit are marked, nobody acknowledged the other, and no crate is published",
        fix: "--ack-marker SHA=REASON",
        check: Some(twice),
    },
];

fn no_marker(case: &Case<'_>) -> Vec<Finding> {
    let Mark::Unmarked { in_body } = mark(&case.head().message) else { return Vec::new() };
    let told = in_body.map(|line| format!(" (a marker in the body, line {line}, does not count)")).unwrap_or_default();
    // Where commits are hidden nobody knows whether one of those that were pushed is marked.
    when(!case.is_lint() && case.sees_the_push() && below_top(case).is_empty(), || {
        let (sha, title) = (case.head().short(), title(&case.head().message));
        Finding::new(format!("HEAD {sha} \"{title}\" carries no [release] marker; nothing published{told}"))
    })
}

fn malformed(case: &Case<'_>) -> Vec<Finding> {
    match mark(&case.head().message) {
        Mark::Malformed(near) => {
            vec![Finding::new(format!("\"{near}\" is not the marker; write [release] first or last in the title"))]
        }
        Mark::Marked | Mark::Unmarked { .. } => Vec::new(),
    }
}

fn below_top(case: &Case<'_>) -> Vec<Finding> {
    let has_tag = case.facts.local_tag.is_some() || case.facts.remote.as_ref().is_ok_and(|remote| remote.tag.is_some());
    let is_unmarked = matches!(mark(&case.head().message), Mark::Unmarked { .. });
    if case.is_lint() || !is_unmarked || has_tag || is_taken(case) {
        return Vec::new();
    }
    let count = case.facts.run.len();
    let marked = case.marked_below().into_iter().filter(|(at, _)| *at < case.pushed());
    marked
        .map(|(at, commit)| {
            let (sha, layer) = (commit.short(), count - at);
            Finding::new(format!("marker sits on {sha} (layer {layer} of {count}); only the top layer may carry it"))
        })
        .collect()
}

fn twice(case: &Case<'_>) -> Vec<Finding> {
    let is_marked = mark(&case.head().message) == Mark::Marked;
    if case.is_lint() || !is_marked || is_taken(case) {
        return Vec::new();
    }
    let known = |commit: &Commit| {
        let mut acknowledged = case.options.acknowledged.iter();
        acknowledged.any(|acknowledged| is_abbreviated(&acknowledged.of, &commit.sha))
    };
    let others = case.marked_below().into_iter().filter(|(_, commit)| !known(commit));
    let version = case.facts.tree.version.as_deref().unwrap_or_default().trim();
    others
        .map(|(_, commit)| {
            let (other, head) = (commit.short(), case.head().short());
            Finding::new(format!("{version} is marked on {other} and on {head}"))
                .fix(format!("--ack-marker {other}=REASON"))
        })
        .collect()
}

/// Whether a planned crate is published at the version. A registry that does not say leaves it free.
fn is_taken(case: &Case<'_>) -> bool {
    let planned = case.planned();
    planned.iter().any(|member| matches!(case.published(&member.name), Published::Same(_) | Published::Other(_)))
}
