//! S: stacks of pull requests, merged in every way.

use crate::repository::Repository;
use crate::scenario::{refused, released, skipped};

/// L1 bumps to 1.1.0 and L2 adds to it, each pushed as a branch.
fn two_layers() -> Repository {
    let repository = Repository::new();
    repository.layer("l1", "main", |repository| {
        repository.bump("1.1.0");
        repository.touch("first");
    });
    repository.layer("l2", "l1", |repository| repository.add("second"));
    repository
}

#[test]
fn s1_one_layer_squashed_with_the_marker_is_released() {
    let repository = Repository::new();
    repository.layer("l1", "main", |repository| repository.bump("1.1.0"));
    repository.squash("l1", "core [release] (#1)");
    released(&repository, &["core 1.1.0", "cons 1.1.0"]);
}

#[test]
fn s2_a_merge_commit_is_marked_by_the_title_of_its_pull_request() {
    let repository = Repository::new();
    repository.layer("l1", "main", |repository| repository.bump("1.1.0"));
    repository.merge("l1", "Merge pull request #1 from o/l1\n\ncore [release]");
    released(&repository, &["core 1.1.0", "cons 1.1.0"]);
}

#[test]
fn s4_the_marker_on_the_lower_of_two_merged_layers_is_refused() {
    let repository = two_layers();
    repository.squash("l1", "L1 [release] (#1)");
    repository.git(&["switch", "--quiet", "l2"]);
    repository.git(&["merge", "--quiet", "--strategy-option", "ours", "--message", "main", "main"]);
    repository.git(&["switch", "--quiet", "main"]);
    repository.squash("l2", "L2 (#2)");
    refused(&repository, &[], 11, &["E-MARKER-BELOW-TOP"]);
}

#[test]
fn s5_an_open_upper_layer_is_refused() {
    let repository = two_layers();
    repository.squash("l1", "L1 [release] (#1)");
    let call = refused(&repository, &[], 40, &["E-STACK-OPEN"]);
    assert!(call.stderr.contains("1.1.0 would ship without origin/l2 (branch carries the bump)"), "{}", call.stderr);
}

#[test]
fn s5_an_open_layer_is_one_however_it_spells_the_version() {
    for spelled in ["v1.1.0\n", "1.1.0+x\n", "1.1\n"] {
        let repository = Repository::new();
        repository.layer("l2", "main", |r| {
            r.bump("1.1.0");
            r.write("VERSION", spelled);
        });
        repository.bump("1.1.0");
        repository.land("L1 [release] (#1)");
        let call = refused(&repository, &[], 40, &["E-STACK-OPEN"]);
        assert!(call.stderr.contains("without origin/l2 (branch carries the bump);"), "{}", call.stderr);
        // What was spelled so when it was marked is part of the same run.
        repository.write("VERSION", spelled);
        let wrong = repository.land("L1, spelled otherwise [release] (#2)");
        repository.write("VERSION", "1.1.0\n");
        repository.land("L1 as before (#3)");
        let call = refused(&repository, &["--not-in-stack", "l2=known"], 11, &["E-MARKER-BELOW-TOP"; 2]);
        assert!(call.stderr.contains(&format!("marker sits on {} (layer 2 of 3)", &wrong[..7])), "{}", call.stderr);
    }
}

#[test]
fn s8_merged_layers_whose_branches_were_kept_are_no_obstacle() {
    let repository = two_layers();
    repository.merge("l1", "Merge pull request #1 from o/l1\n\nL1");
    repository.merge("l2", "Merge pull request #2 from o/l2\n\nL2 [release]");
    released(&repository, &["core 1.1.0", "cons 1.1.0"]);
}

#[test]
fn s10_four_layers_squashed_bottom_up_with_main_merged_into_each_are_released() {
    let repository = two_layers();
    repository.layer("l3", "l2", |repository| repository.add("third"));
    repository.layer("l4", "l3", |repository| repository.add("fourth"));
    repository.squash("l1", "L1 (#1)");
    for (branch, title) in [("l2", "L2 (#2)"), ("l3", "L3 (#3)"), ("l4", "L4 [release] (#4)")] {
        repository.git(&["switch", "--quiet", branch]);
        repository.git(&["merge", "--quiet", "--strategy-option", "ours", "--message", "main", "main"]);
        repository.git(&["push", "--quiet", "origin", branch]);
        repository.git(&["switch", "--quiet", "main"]);
        repository.squash(branch, title);
    }
    released(&repository, &["core 1.1.0", "cons 1.1.0"]);
}

#[test]
fn s12_a_marker_in_the_middle_of_one_push_is_refused() {
    let repository = two_layers();
    let before = repository.sha("main");
    repository.git(&["merge", "--quiet", "--squash", "l1"]);
    repository.commit("L1 [release] (#1)");
    repository.git(&["checkout", "--quiet", "l2", "--", "."]);
    repository.land("L2 (#2)");
    refused(&repository, &[], 11, &["E-MARKER-BELOW-TOP"]);
    refused(&repository, &["--if-marked", "--since", &before], 11, &["E-MARKER-BELOW-TOP"]);
}

#[test]
fn s13_a_later_unmarked_push_is_skipped_with_a_warning() {
    let repository = two_layers();
    let before = repository.squash("l1", "L1 [release] (#1)");
    repository.touch("later");
    repository.land("later");
    let call = skipped(&repository, &["--if-marked", "--since", &before]);
    assert!(call.stderr.contains("warning: an earlier push left a marker on"), "{}", call.stderr);
}

#[test]
fn s15_and_s16_a_layer_with_a_version_of_its_own_is_released_after() {
    let repository = Repository::new();
    repository.layer("l1", "main", |repository| repository.bump("1.1.0"));
    repository.layer("l2", "l1", |repository| repository.bump("1.2.0"));
    repository.squash("l1", "L1 [release] (#1)");
    released(&repository, &["core 1.1.0", "cons 1.1.0"]);
    repository.git(&["checkout", "--quiet", "l2", "--", "."]);
    repository.land("L2 [release] (#2)");
    released(&repository, &["core 1.1.0", "cons 1.1.0", "core 1.2.0", "cons 1.2.0"]);
}

#[test]
fn s19_a_branch_cut_between_bump_and_release_rides_along_with_a_warning() {
    let repository = Repository::new();
    repository.bump("1.1.0");
    repository.land("bump (#1)");
    repository.layer("feature", "main", |repository| repository.touch("feature"));
    repository.touch("more");
    repository.land("more [release] (#2)");
    let call = released(&repository, &["core 1.1.0", "cons 1.1.0"]);
    assert!(call.stderr.contains("warning: origin/feature is a rider"), "{}", call.stderr);
}

#[test]
fn s22_and_s23_a_version_published_from_a_lower_layer_is_refused_as_burned() {
    let repository = Repository::new();
    repository.layer("l1", "main", |repository| repository.bump("1.1.0"));
    let lower = repository.squash("l1", "L1 [release] (#1)");
    released(&repository, &["core 1.1.0", "cons 1.1.0"]);
    repository.layer("l2", "main", |repository| repository.add("second"));
    repository.squash("l2", "L2 [release] (#2)");
    let call = refused(&repository, &[], 50, &["E-BURNED", "E-BURNED"]);
    let named = format!("core 1.1.0 was published from {} (#1), not from HEAD", &lower[..7]);
    assert!(call.stderr.contains(&named), "{}", call.stderr);
    repository.bump("1.1.1");
    repository.land("1.1.1 [release] (#3)");
    released(&repository, &["core 1.1.0", "cons 1.1.0", "core 1.1.1", "cons 1.1.1"]);
}

#[test]
fn s24_a_job_on_a_commit_that_main_has_left_is_refused() {
    let repository = Repository::new();
    repository.bump("1.1.0");
    let old = repository.land("L1 [release] (#1)");
    repository.add("second");
    repository.land("L2 (#2)");
    repository.git(&["reset", "--quiet", "--hard", &old]);
    let call = refused(&repository, &[], 20, &["E-NOT-TIP"]);
    assert!(call.stderr.contains("(#2) also says 1.1.0 and would be stranded"), "{}", call.stderr);
}

#[test]
fn layers_merged_by_rebase_or_fast_forward_are_absorbed() {
    for squash_lower in [false, true] {
        let repository = two_layers();
        if squash_lower {
            repository.squash("l1", "L1 (#1)");
            repository.git(&["cherry-pick", "l2"]);
        } else {
            repository.git(&["merge", "--quiet", "--ff-only", "l2"]);
        }
        repository.touch("top");
        repository.land("top [release] (#3)");
        let call = repository.release(&["--json"]);
        let report: serde_json::Value = serde_json::from_str(&call.stdout).expect("the report is JSON");
        let standings: Vec<_> =
            report["layers"].as_array().into_iter().flatten().map(|layer| &layer["standing"]).collect();
        assert_eq!(standings, ["absorbed", "absorbed"], "{}", call.stdout);
    }
}

#[test]
fn a_layer_whose_binary_file_landed_with_other_bytes_is_open() {
    let repository = two_layers();
    repository.squash("l1", "L1 (#1)");
    repository.layer("l3", "l1", |repository| repository.write("crates/core/data.bin", "\0 one"));
    repository.git(&["push", "--quiet", "origin", "--delete", "l2"]);
    repository.write("crates/core/data.bin", "\0 two");
    let amended = repository.land("L3, amended [release] (#3)");
    refused(&repository, &[], 40, &["E-STACK-OPEN"]);
    // With its own bytes it is in.
    repository.write("crates/core/data.bin", "\0 one");
    repository.land("L3 as it was [release] (#4)");
    let call = repository.release(&["--json", "--ack-marker", &format!("{amended}=amended above")]);
    let report: serde_json::Value = serde_json::from_str(&call.stdout).expect("the report is JSON");
    let standings: Vec<_> = report["layers"].as_array().into_iter().flatten().map(|layer| &layer["standing"]).collect();
    assert_eq!(standings, ["absorbed", "absorbed"]);
}
