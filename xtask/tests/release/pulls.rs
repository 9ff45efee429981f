//! Pull requests: judged before they are merged, and published once, whichever way a stack of them is merged.

use crate::{
    repository::{Call, Repository},
    scenario::{refused, released, skipped},
};

const BOTH: [&str; 2] = ["core 1.1.0", "cons 1.1.0"];

/// Judges the branch that is checked out, as the workflow does: HEAD is on no branch.
fn lint(repository: &Repository, branch: &str, title: &str) -> Call {
    repository.git(&["switch", "--quiet", "--detach", branch]);
    let before = (repository.registry.uploads(), repository.remote_tags());
    let call = repository.release(&["lint", "--title", title, "--base", "origin/main"]);
    assert_eq!((repository.registry.uploads(), repository.remote_tags()), before);
    repository.git(&["switch", "--quiet", "main"]);
    call
}

/// L1 bumps to 1.1.0 and L2 adds to it, each pushed as a branch.
fn two_layers() -> Repository {
    let repository = Repository::new();
    repository.layer("l1", "main", |repository| repository.bump("1.1.0"));
    repository.layer("l2", "l1", |repository| repository.add("second"));
    repository
}

#[test]
fn a_pull_request_is_judged_by_the_title_it_will_be_merged_with() {
    let repository = two_layers();
    for (branch, title, exit, codes) in [
        ("l1", "L1 (#1)", 0, vec![]),
        ("l1", "L1 [release] (#1)", 40, vec!["E-STACK-OPEN"]),
        ("l1", "L1 [Release]", 11, vec!["E-MARKER-MALFORMED"]),
        ("l2", "L2 [release]", 0, vec![]),
        ("l2", "Revert \"x [release]\"", 0, vec![]),
    ] {
        let call = lint(&repository, branch, title);
        assert_eq!((call.exit, call.codes()), (Some(exit), codes), "{branch} {title}: {}", call.stderr);
    }
    let call = repository.release(&["lint", "--title", "x", "--base", "origin/nowhere"]);
    assert_eq!(call.exit, Some(2), "{}", call.stderr);
    assert!(call.stderr.contains("the base of the pull request cannot be found"), "{}", call.stderr);
}

#[test]
fn a_pull_request_that_ships_nothing_may_state_a_published_version() {
    let repository = Repository::new();
    repository.layer("fix", "main", |repository| repository.touch("fix"));
    assert_eq!(lint(&repository, "fix", "fix (#1)").exit, Some(0));
    let call = lint(&repository, "fix", "fix [release] (#1)");
    assert_eq!((call.exit, call.codes()), (Some(50), vec!["E-BURNED", "E-BURNED"]), "{}", call.stderr);
}

#[test]
fn c108_a_marked_pull_request_with_a_commit_that_ci_would_skip_is_refused() {
    let told = "x\n\nUpdate spec [skip ci]\n[ci skip]\n[no ci]\n[skip actions]\n[actions skip]\n\nskip-checks: true";
    let repository = Repository::new();
    repository.layer("l1", "main", |repository| repository.bump("1.1.0"));
    repository.git(&["switch", "--quiet", "l1"]);
    repository.touch("more");
    let sha = repository.commit(told);
    repository.git(&["push", "--quiet", "origin", "l1"]);
    let call = lint(&repository, "l1", "[release] x@1.1.0");
    assert_eq!((call.exit, call.codes()), (Some(11), vec!["E-CI-SKIPPED"; 6]), "{}", call.stderr);
    for line in ["\"[skip ci]\" in line 3", "\"[ci skip]\" in line 4", "\"skip-checks: true\" in line 9"] {
        assert!(call.stderr.contains(&format!("{line} of {} would skip the release", &sha[..7])), "{}", call.stderr);
    }
    // Without a marker there is nothing to skip.
    assert_eq!(lint(&repository, "l1", "x@1.1.0").exit, Some(0));
    // Where it has landed, a run by hand publishes; no new commit is needed.
    repository.squash("l1", &told.replacen('x', "[release] x@1.1.0", 1));
    released(&repository, &BOTH);
}

/// The upper layer is merged into the branch of the lower one, with the marker; that branch is checked out then.
fn merge_upper_into_lower(repository: &Repository) {
    repository.git(&["switch", "--quiet", "l1"]);
    let message = "Merge pull request #2 from o/l2\n\nL2 [release]";
    repository.git(&["merge", "--quiet", "--no-ff", "--message", message, "l2"]);
    repository.git(&["push", "--quiet", "origin", "l1"]);
}

#[test]
fn c110_a_stack_that_is_merged_into_its_lowest_branch_is_published_once_from_main() {
    let repository = two_layers();
    // The upper one is merged into the lower one's branch, with the marker.
    merge_upper_into_lower(&repository);
    refused(&repository, &["--if-marked"], 20, &["E-NOT-MAIN", "E-UNPUSHED"]);
    // That lands on main without a marker of its own: nothing is published, and it is told.
    repository.git(&["switch", "--quiet", "main"]);
    let before = repository.sha("main");
    repository.squash("l1", "L1 (#1)\n\n* L1\n\n* L2 [release]");
    let call = skipped(&repository, &["--if-marked", "--since", &before]);
    assert!(call.stderr.contains("there is no tag v1.1.0: 1.1.0 waits for a marked commit"), "{}", call.stderr);
    assert!(call.stderr.contains("a marker in the body, line 5, does not count"), "{}", call.stderr);
    // Any later marked commit publishes both, the lower one first.
    repository.touch("later");
    repository.land("later [release] (#3)");
    released(&repository, &BOTH);
    refused(&repository, &[], 50, &["E-ALREADY-RELEASED"]);
}

#[test]
fn c110_merged_as_a_commit_the_marker_of_the_upper_one_does_not_count() {
    let repository = two_layers();
    merge_upper_into_lower(&repository);
    repository.git(&["switch", "--quiet", "main"]);
    repository.merge("l1", "Merge pull request #1 from o/l1\n\nL1");
    skipped(&repository, &["--if-marked"]);
    repository.git(&["commit", "--quiet", "--allow-empty", "--message", "all of it [release]"]);
    repository.push();
    released(&repository, &BOTH);
}

#[test]
fn c110_merged_bottom_up_and_retargeted_the_bump_is_neither_lost_nor_doubled() {
    let repository = two_layers();
    let before = repository.sha("main");
    repository.squash("l1", "L1 (#1)");
    skipped(&repository, &["--if-marked", "--since", &before]);
    // Retargeted: main is merged into the upper one, and it goes to main itself.
    repository.git(&["switch", "--quiet", "l2"]);
    repository.git(&["merge", "--quiet", "--strategy-option", "ours", "--message", "main", "main"]);
    repository.git(&["push", "--quiet", "origin", "l2"]);
    repository.git(&["switch", "--quiet", "main"]);
    let call = lint(&repository, "l2", "L2 [release] (#2)");
    assert_eq!((call.exit, call.codes()), (Some(0), vec![]), "{}", call.stderr);
    repository.squash("l2", "L2 [release] (#2)");
    released(&repository, &BOTH);
    assert_eq!(repository.read("VERSION"), "1.1.0\n");
    assert_eq!(repository.read("changelog.txt").matches("1.1.0 - ").count(), 1);
}

#[test]
fn c110_rebased_onto_main_a_stack_is_published_from_its_marked_top() {
    let repository = two_layers();
    repository.git(&["merge", "--quiet", "--ff-only", "l2"]);
    repository.git(&["commit", "--quiet", "--amend", "--message", "L2 [release]"]);
    repository.push();
    released(&repository, &BOTH);
}
