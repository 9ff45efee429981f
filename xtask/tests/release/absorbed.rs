//! Which branches are in HEAD already: a kept branch is no obstacle, and none that brings something is left behind.

use crate::{
    repository::Repository,
    scenario::{refused, released},
};
use std::{fs, os::unix::fs::PermissionsExt};

const BOTH: [&str; 2] = ["core 1.1.0", "cons 1.1.0"];

/// What each branch is to the version, as `branch standing`, by name.
#[track_caller]
fn standings(repository: &Repository) -> Vec<String> {
    let call = repository.release(&["--json"]);
    let report: serde_json::Value = serde_json::from_str(&call.stdout).expect("the report is JSON");
    let layers = report["layers"].as_array().expect("the report has layers");
    let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
    layers.iter().map(|layer| format!("{} {}", text(&layer["branch"]), text(&layer["standing"]))).collect()
}

/// L1, which bumps, and L2 are merged by squash, and L2 is reverted; their branches are kept, and nothing is marked yet.
fn reverted() -> Repository {
    let repository = Repository::new();
    repository.layer("l1", "main", Repository::bump_to_1_1_0);
    repository.squash("l1", "L1 (#1)");
    repository.layer("l2", "main", |r| r.add("second"));
    repository.squash("l2", "L2 (#2)");
    revert(&repository, "HEAD");
    repository.push();
    repository
}

fn revert(repository: &Repository, revision: &str) {
    repository.git(&["revert", "--no-edit", revision]);
}

/// Marks what is on main.
fn mark(repository: &Repository) {
    repository.git(&["commit", "--quiet", "--allow-empty", "--message", "ship [release]"]);
    repository.push();
}

/// Makes a branch at a commit by calls of git, and pushes it.
fn branch(repository: &Repository, name: &str, from: &str, make: impl FnOnce()) {
    repository.git(&["switch", "--quiet", "--create", name, from]);
    make();
    repository.git(&["push", "--quiet", "--set-upstream", "origin", name]);
    repository.git(&["switch", "--quiet", "main"]);
}

#[test]
fn a_layer_that_was_merged_and_reverted_is_no_obstacle() {
    let repository = reverted();
    mark(&repository);
    assert_eq!(standings(&repository), ["l1 absorbed", "l2 absorbed"]);
    let (landed, undone) = (repository.sha("HEAD~2"), repository.sha("HEAD~1"));
    let call = released(&repository, &BOTH);
    // Whether the pull request was opened again nobody can see.
    let told = format!("warning: origin/l2 landed as {}, and {} took it back;", &landed[..7], &undone[..7]);
    assert!(call.stderr.contains(&told), "{}", call.stderr);
    assert_eq!(call.stderr.matches("took it back").count(), 1, "{}", call.stderr);
}

#[test]
fn a_layer_that_landed_again_after_its_revert_is_not_told_as_taken_back() {
    let repository = reverted();
    repository.git(&["cherry-pick", "l2"]);
    // Changed afterwards, so that merging is no evidence.
    repository.replace("crates/core/src/lib.rs", "pub fn second() {}", "pub fn second() -> u8 {\n    2\n}");
    repository.commit("changed (#4)");
    mark(&repository);
    let call = repository.release(&["--json"]);
    assert_eq!(standings(&repository), ["l1 absorbed", "l2 absorbed"]);
    assert!(call.stdout.contains("the same change as"), "{}", call.stdout);
    assert!(!call.stdout.contains("took it back"), "{}", call.stdout);
}

#[test]
fn a_layer_that_was_rebased_onto_main_and_taken_back_is_told() {
    // What follows the landing of two commits, and how many later commits are told to have taken something back.
    for (then, told) in [
        (&["revert --no-edit HEAD"][..], 1),
        (&["revert --no-edit HEAD~1"], 1),
        (&["revert --no-commit HEAD HEAD~1", "commit --message both"], 1),
        (&["revert --no-edit HEAD", "revert --no-edit HEAD"], 0),
    ] {
        let repository = Repository::new();
        repository.layer("l1", "main", Repository::bump_to_1_1_0);
        repository.squash("l1", "L1 (#1)");
        repository.layer("l2", "main", |r| {
            r.add("second");
            r.commit("a second");
            r.write("crates/core/third.txt", "third\n");
        });
        repository.write("crates/core/between.txt", "between\n");
        repository.commit("between (#2)");
        repository.git(&["cherry-pick", "main..l2"]);
        for words in then {
            repository.git(&words.split(' ').collect::<Vec<_>>());
        }
        // Changed afterwards, so that merging is no evidence.
        repository.write("crates/core/third.txt", "3\n");
        repository.commit("changed (#4)");
        repository.push();
        mark(&repository);
        assert_eq!(standings(&repository), ["l1 absorbed", "l2 absorbed"], "{then:?}");
        let call = repository.release(&["--json"]);
        let found = call.stdout.matches("origin/l2 landed, commit by commit, and ").count();
        assert_eq!(found, told, "{then:?}: {}", call.stdout);
    }
}

#[test]
fn a_layer_that_brings_back_what_was_reverted_is_open() {
    let repository = reverted();
    mark(&repository);
    let landed = repository.sha("HEAD~2");
    branch(&repository, "reapply", "main", || repository.git(&["cherry-pick", "l2"]));
    let call = refused(&repository, &[], 40, &["E-STACK-OPEN"]);
    assert!(call.stderr.contains("without origin/reapply (cut from HEAD);"), "{}", call.stderr);
    // The same as the revert of the revert, with another commit beside it, and cut from the revert itself.
    for (name, from) in [("again", "main"), ("earlier", "main~1")] {
        branch(&repository, name, from, || {
            repository.git(&["cherry-pick", &landed]);
            repository.git(&["commit", "--quiet", "--allow-empty", "--message", "nothing"]);
        });
    }
    branch(&repository, "unreverted", "main", || revert(&repository, "main~1"));
    let open = ["again open", "earlier open", "l1 absorbed", "l2 absorbed", "reapply open", "unreverted open"];
    assert_eq!(standings(&repository), open);
    // It lands, and all of them with it.
    repository.squash("reapply", "L2 again [release] (#4)");
    let call = repository.release(&["--json", "--ack-marker", &format!("{}=before", repository.sha("HEAD~1"))]);
    assert_eq!(call.codes(), ["E-GATE", "E-GATE"], "{}", call.stderr);
    assert!(standings(&repository).iter().all(|standing| standing.ends_with(" absorbed")));
}

#[test]
fn a_layer_that_outlives_its_revert_by_a_merge_of_main_is_open() {
    let repository = reverted();
    mark(&repository);
    repository.git(&["switch", "--quiet", "l2"]);
    // To git the revert took nothing back that the branch had at their last common commit.
    repository.git(&["merge", "--quiet", "--message", "main", "main"]);
    repository.git(&["push", "--quiet", "origin", "l2"]);
    repository.git(&["switch", "--quiet", "main"]);
    assert_eq!(standings(&repository), ["l1 absorbed", "l2 open"]);
}

#[test]
fn a_layer_cut_from_one_that_took_over_the_revert_is_open_when_it_brings_the_work_back() {
    let repository = reverted();
    // `other` takes over main with its revert, and is merged; `reapply` is cut from its tip, beside the chain.
    repository.layer("other", "main~2", |r| r.write("crates/core/other.txt", "other\n"));
    repository.git(&["switch", "--quiet", "other"]);
    repository.git(&["merge", "--quiet", "--message", "main", "main"]);
    repository.git(&["push", "--quiet", "origin", "other"]);
    repository.git(&["switch", "--quiet", "main"]);
    repository.merge("other", "Merge pull request #4 from o/other\n\nother");
    branch(&repository, "reapply", "other", || repository.git(&["cherry-pick", "l2"]));
    mark(&repository);
    assert_eq!(standings(&repository), ["l1 absorbed", "l2 absorbed", "other absorbed", "reapply open"]);
}

#[test]
fn a_commit_that_a_layer_brings_twice_lands_twice() {
    let repository = Repository::new();
    repository.bump_to_1_1_0();
    repository.land("bump (#1)");
    repository.layer("l2", "main", |r| r.add("second"));
    let second = repository.sha("l2");
    // It is rebased onto main, and one of its two commits is reverted there.
    repository.git(&["switch", "--quiet", "l2"]);
    repository.write("crates/core/beside.txt", "beside\n");
    repository.commit("beside");
    repository.git(&["switch", "--quiet", "main"]);
    repository.write("crates/core/between.txt", "between\n");
    repository.land("between (#2)");
    repository.git(&["cherry-pick", "l2~1", "l2"]);
    revert(&repository, "HEAD~1");
    mark(&repository);
    // The branch goes through the same, and brings that commit once more.
    repository.git(&["switch", "--quiet", "l2"]);
    revert(&repository, &second);
    repository.git(&["cherry-pick", &second]);
    repository.git(&["push", "--quiet", "origin", "l2"]);
    repository.git(&["switch", "--quiet", "main"]);
    assert_eq!(standings(&repository), ["l2 open"]);
}

#[test]
fn commits_picked_from_a_layer_are_in_and_commits_picked_into_one_are_not_its_own() {
    let repository = Repository::new();
    repository.bump_to_1_1_0();
    repository.land("bump (#1)");
    repository.layer("l2", "main", |r| r.write("crates/core/a.txt", "a\n"));
    repository.git(&["switch", "--quiet", "l2"]);
    repository.write("crates/core/b.txt", "b\n");
    repository.commit("b");
    repository.git(&["commit", "--quiet", "--allow-empty", "--message", "run CI again"]);
    repository.git(&["push", "--quiet", "origin", "l2"]);
    repository.git(&["switch", "--quiet", "main"]);
    repository.write("crates/core/c.txt", "c\n");
    let third = repository.land("c (#2)");
    // One after the other in another order, and changed afterwards, so that merging is no evidence.
    repository.git(&["cherry-pick", "l2~1", "l2~2"]);
    repository.write("crates/core/a.txt", "changed\n");
    repository.write("crates/core/b.txt", "changed\n");
    repository.commit("changed (#3)");
    branch(&repository, "l3", &format!("{third}~1"), || {
        repository.git(&["cherry-pick", &third]);
        repository.add("its own");
        repository.commit("its own");
    });
    mark(&repository);
    assert_eq!(standings(&repository), ["l2 absorbed", "l3 open"]);
}

#[test]
fn a_layer_that_took_over_main_and_landed_by_rebase_is_in() {
    let repository = Repository::new();
    repository.bump_to_1_1_0();
    repository.land("bump (#1)");
    repository.layer("l2", "main", |r| r.write("crates/core/a.txt", "a\n"));
    repository.touch("between");
    repository.land("between (#2)");
    repository.git(&["switch", "--quiet", "l2"]);
    repository.git(&["merge", "--quiet", "--message", "main", "main"]);
    repository.write("crates/core/b.txt", "b\n");
    repository.commit("b");
    repository.git(&["push", "--quiet", "origin", "l2"]);
    repository.git(&["switch", "--quiet", "main"]);
    repository.git(&["cherry-pick", "l2~2", "l2"]);
    // Changed afterwards, so that merging is no evidence.
    repository.write("crates/core/a.txt", "changed\n");
    repository.write("crates/core/b.txt", "changed\n");
    repository.commit("changed (#3)");
    mark(&repository);
    assert_eq!(standings(&repository), ["l2 absorbed"]);
}

#[test]
fn a_merge_that_was_changed_by_hand_is_in_no_other_commit() {
    let repository = Repository::new();
    repository.bump_to_1_1_0();
    repository.land("bump (#1)");
    repository.layer("l2", "main", |r| r.write("crates/core/a.txt", "a\n"));
    repository.touch("between");
    repository.land("between (#2)");
    repository.git(&["cherry-pick", "l2"]);
    repository.git(&["switch", "--quiet", "l2"]);
    repository.git(&["merge", "--quiet", "--no-commit", "main~1"]);
    repository.write("crates/core/by-hand.txt", "by hand\n");
    repository.add("by hand");
    repository.commit("merge main");
    repository.git(&["push", "--quiet", "origin", "l2"]);
    repository.git(&["switch", "--quiet", "main"]);
    mark(&repository);
    assert_eq!(standings(&repository), ["l2 open"]);
}

/// A layer makes the one change, main lands the other, which looks alike.
type Pair = (&'static str, fn(&Repository), fn(&Repository));

const ALIKE: &[Pair] = &[
    (
        "white space inside a line",
        |r| r.write("crates/core/data.txt", "if x:\n    a\n    b\n"),
        |r| r.write("crates/core/data.txt", "if x:\n    a\nb\n"),
    ),
    ("the end of a line", |r| r.write("crates/core/data.txt", "one\r\n"), |r| r.write("crates/core/data.txt", "one\n")),
    ("the end of a file", |r| r.write("crates/core/data.txt", "one"), |r| r.write("crates/core/data.txt", "one\n")),
    (
        "the mode of a new file",
        |r| {
            r.write("crates/core/run.sh", "#!/bin/sh\n");
            execute(r, "crates/core/run.sh");
        },
        |r| r.write("crates/core/run.sh", "#!/bin/sh\n"),
    ),
    (
        "the mode of an old file",
        |r| {
            r.touch("more");
            execute(r, "crates/core/src/lib.rs");
        },
        |r| r.touch("more"),
    ),
    (
        "a link",
        |r| std::os::unix::fs::symlink("one", r.work().join("crates/core/link")).expect("a link"),
        |r| r.write("crates/core/link", "one"),
    ),
    (
        "a file of another name",
        |r| r.write("crates/core/one.txt", "one\n"),
        |r| r.write("crates/core/two.txt", "one\n"),
    ),
    (
        "the bytes of a binary file",
        |r| r.write("crates/core/data.bin", "\0 one"),
        |r| r.write("crates/core/data.bin", "\0 two"),
    ),
    (
        "the same lines at another place",
        |r| r.replace("crates/core/places.txt", "two\n", "two\nnew\n"),
        |r| r.replace("crates/core/places.txt", "nine\n", "nine\nnew\n"),
    ),
];

fn execute(repository: &Repository, path: &str) {
    fs::set_permissions(repository.work().join(path), fs::Permissions::from_mode(0o755)).expect("a file");
}

/// main with the bump, after which a branch `l2` makes one change and main lands another.
fn both(layer: fn(&Repository), main: fn(&Repository)) -> Repository {
    let repository = Repository::new();
    repository.bump_to_1_1_0();
    repository.write("crates/core/places.txt", "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n");
    repository.land("bump (#1)");
    // What is cut from a merged layer and not in HEAD is open, whatever it changes.
    repository.layer("l1", "main", |_| {});
    repository.layer("l2", "l1", layer);
    repository.merge("l1", "Merge pull request #2 from o/l1\n\nL1");
    main(&repository);
    repository.land("L2 (#3)");
    repository
}

#[test]
fn a_change_that_merely_looks_like_a_layer_is_not_that_layer() {
    for (claim, layer, other) in ALIKE {
        let repository = both(*layer, *other);
        mark(&repository);
        assert_eq!(standings(&repository), ["l1 absorbed", "l2 open"], "{claim}");
        // With the very change it is in, and stays so when the files go on changing.
        let repository = both(*layer, *layer);
        assert_eq!(repository.sha("HEAD^{tree}"), repository.sha("l2^{tree}"), "{claim}");
        repository.git(&["rm", "--quiet", "-r", "crates/core"]);
        repository.git(&["checkout", "--quiet", "HEAD~1", "--", "crates/core"]);
        repository.write("crates/core/more.txt", claim);
        repository.commit("on");
        mark(&repository);
        assert_eq!(standings(&repository), ["l1 absorbed", "l2 absorbed"], "{claim}");
    }
}

#[test]
fn a_layer_that_landed_after_other_changes_of_the_same_file_is_in() {
    let repository = both(
        |r| r.replace("crates/core/places.txt", "nine\n", "nine\nnew\n"),
        |r| r.replace("crates/core/places.txt", "one\n", "one\nbefore\n"),
    );
    repository.replace("crates/core/places.txt", "nine\n", "nine\nnew\n");
    repository.land("L2 after all (#4)");
    repository.replace("crates/core/places.txt", "nine\nnew\n", "nine, newer\n");
    repository.land("newer (#5)");
    mark(&repository);
    assert_eq!(standings(&repository), ["l1 absorbed", "l2 absorbed"]);
}
