//! Odd repositories and workspaces: what git and cargo allow, and a release may stumble over.

use crate::{
    repository::Repository,
    scenario::{refused, released, unchanged},
};
use std::fs;

const BOTH: [&str; 2] = ["core 1.1.0", "cons 1.1.0"];

#[test]
fn a_branch_that_was_renamed_is_seen_under_its_new_name_only() {
    let repository = Repository::new();
    repository.layer("old", "main", |repository| {
        repository.bump("1.1.0");
        repository.touch("other");
    });
    repository.layer("l1", "main", |repository| {
        repository.bump("1.1.0");
        repository.touch("first");
    });
    repository.squash("l1", "L1 [release] (#1)");
    repository.git_in(&repository.remote(), &["branch", "--move", "old", "new"]);
    let call = refused(&repository, &[], 20, &["E-REFS-STALE"]);
    assert!(call.stderr.contains("origin/new is not fetched"), "{}", call.stderr);
    repository.git(&["fetch", "--quiet"]);
    let call = refused(&repository, &[], 40, &["E-STACK-OPEN"]);
    assert!(call.stderr.contains("without origin/new (branch carries the bump);"), "{}", call.stderr);
}

#[test]
fn an_octopus_merge_absorbs_all_its_arms() {
    let repository = Repository::new();
    repository.bump("1.1.0");
    repository.land("bump (#1)");
    for arm in ["a", "b", "c"] {
        repository.layer(arm, "main", |repository| repository.write(&format!("crates/core/{arm}.txt"), arm));
    }
    repository.git(&["merge", "--quiet", "--message", "three arms [release]", "a", "b", "c"]);
    repository.push();
    let call = released(&repository, &BOTH);
    assert_eq!(call.stderr.matches("in the history of HEAD").count(), 3, "{}", call.stderr);
}

#[test]
fn a_main_that_was_pushed_over_is_refused() {
    let repository = Repository::landed(|_| {});
    repository.git(&["switch", "--quiet", "--create", "other", "HEAD~1"]);
    repository.bump("1.1.0");
    repository.commit("another 1.1.0 [release]");
    repository.git(&["push", "--quiet", "--force", "origin", "other:main"]);
    repository.git(&["switch", "--quiet", "main"]);
    refused(&repository, &[], 20, &["E-UNPUSHED"]);
}

#[test]
fn a_tag_of_something_else_or_of_another_commit_on_the_remote_is_refused() {
    let repository = Repository::landed(|_| {});
    let blob = repository.sha("HEAD:VERSION");
    repository.git(&["tag", "v1.1.0", &blob]);
    refused(&repository, &[], 50, &["E-TAG"]);
    // Here it is right, and on the remote it is not.
    repository.git(&["tag", "--force", "v1.1.0", "HEAD~1"]);
    repository.git(&["push", "--quiet", "origin", "v1.1.0"]);
    repository.git(&["tag", "--force", "--annotate", "--message", "x", "v1.1.0", "HEAD"]);
    refused(&repository, &[], 50, &["E-TAG"]);
    // A tag of a tag leads to the commit at its end.
    repository.git(&["push", "--quiet", "origin", "--delete", "v1.1.0"]);
    repository.git(&["tag", "--annotate", "--message", "x", "inner", "HEAD"]);
    repository.git(&["tag", "--force", "--annotate", "--message", "y", "v1.1.0", "inner"]);
    released(&repository, &BOTH);
}

#[test]
fn a_file_that_git_was_told_not_to_look_at_is_not_published_unseen() {
    for flag in ["--assume-unchanged", "--skip-worktree"] {
        let repository = Repository::landed(|_| {});
        repository.green();
        repository.git(&["update-index", flag, "crates/core/src/lib.rs"]);
        repository.touch("smuggled");
        assert_eq!(repository.status(), "", "git sees nothing");
        let call = unchanged(&repository, &["--execute"], 20, &["E-DIRTY"]);
        assert!(call.stderr.contains("crates/core/src/lib.rs (git was told not to look)"), "{}", call.stderr);
    }
}

#[test]
fn line_ends_that_this_machine_makes_are_not_published() {
    let repository = Repository::landed(|r| r.write("crates/core/two-lines.txt", "one\ntwo\n"));
    repository.green();
    repository.git(&["config", "core.autocrlf", "true"]);
    // Checked out before, the files are as they are in HEAD.
    assert_eq!(repository.release(&[]).exit, Some(0));
    fs::remove_file(repository.work().join("crates/core/two-lines.txt")).expect("a file");
    fs::remove_file(repository.work().join("VERSION")).expect("a file");
    repository.git(&["checkout", "--quiet", "."]);
    assert_eq!((repository.read("VERSION").as_str(), repository.status().as_str()), ("1.1.0\r\n", ""));
    let call = unchanged(&repository, &["--execute"], 20, &["E-DIRTY"]);
    for path in ["VERSION", "crates/core/two-lines.txt"] {
        assert!(call.stderr.contains(&format!("{path} (git changes its line ends here)")), "{}", call.stderr);
    }
    assert!(!call.stderr.contains("Cargo.toml"), "{}", call.stderr);
    // What the repository asks for is the same everywhere, and what HEAD holds is as it is.
    let repository = Repository::landed(|r| {
        r.write(".gitattributes", "*.txt eol=crlf\nas-it-is -text\n");
        r.write("crates/core/as-it-is", "one\r\n");
    });
    fs::remove_file(repository.work().join("changelog.txt")).expect("a file");
    repository.git(&["checkout", "--quiet", "."]);
    assert!(repository.read("changelog.txt").contains("\r\n"));
    released(&repository, &BOTH);
}

#[test]
fn a_submodule_that_moved_is_a_change() {
    let repository = Repository::new();
    repository.git_in(&repository.beside(""), &["clone", "--quiet", "remote.git", "module"]);
    let allow = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../module", "module"];
    repository.git(&allow);
    repository.bump("1.1.0");
    repository.land("x [release]");
    let module = repository.work().join("module");
    repository.git_in(&module, &["commit", "--quiet", "--allow-empty", "--message", "moved"]);
    repository.green();
    // Also where git is told not to look.
    for ignored in ["none", "all"] {
        repository.git(&["config", "diff.ignoreSubmodules", ignored]);
        let call = unchanged(&repository, &["--execute"], 20, &["E-DIRTY"]);
        assert!(call.stderr.contains("module"), "{ignored}: {}", call.stderr);
    }
    repository.git_in(&module, &["reset", "--quiet", "--hard", "HEAD~1"]);
    released(&repository, &BOTH);
}

#[test]
fn a_linked_worktree_is_as_good_as_a_clone() {
    let repository = Repository::landed(|_| {});
    repository.green();
    repository.git(&["switch", "--quiet", "--detach"]);
    repository.git(&["worktree", "add", "--quiet", "../linked", "main"]);
    let call = repository.release_in(&repository.beside("linked"), &["--execute"], &[]);
    assert_eq!((call.exit, call.codes()), (Some(0), vec![]), "{}", call.stderr);
    assert_eq!(repository.registry.uploads(), BOTH);
}

#[test]
fn a_repository_without_a_working_tree_releases_nothing() {
    let repository = Repository::landed(|_| {});
    repository.green();
    let call = repository.release_in(&repository.remote(), &["--execute"], &[]);
    assert_eq!(call.exit, Some(2), "{}", call.stderr);
    assert!(call.stderr.contains("the repository has no working tree"), "{}", call.stderr);
}

#[test]
fn a_workspace_that_cargo_refuses_is_refused() {
    let core = "crates/core/Cargo.toml";
    let unicode = Repository::landed(|r| r.replace(core, "name = \"core\"", "name = \"körn\""));
    // Cargo would take that name, and no registry has a place for it.
    let call = refused(&unicode, &[], 30, &["E-LOCK", "E-REGISTRY-UNREADABLE"]);
    assert!(call.stderr.contains("\"körn\" is no name of a crate"), "{}", call.stderr);
    let twins = Repository::landed(|r| {
        r.write("crates/twin/Cargo.toml", &r.read(core));
        r.write("crates/twin/src/lib.rs", "");
    });
    refused(&twins, &[], 30, &["E-LOCK", "E-MEMBER-UNDECLARED"]);
}

#[test]
fn a_crate_that_may_go_to_another_registry_only_is_refused_before_the_first_upload() {
    let repository = Repository::landed(|r| r.replace("crates/cons/Cargo.toml", "[\"local\"]", "[\"other\"]"));
    let call = refused(&repository, &[], 30, &["E-MEMBER-UNDECLARED"]);
    assert!(call.stderr.contains("crates/cons/Cargo.toml does not say that it may go to local"), "{}", call.stderr);
}

#[test]
fn publish_may_be_inherited() {
    let inherited = |publish: &str| {
        let line = format!("[workspace.package]\npublish = {publish}\n");
        Repository::landed(move |r| {
            r.replace("Cargo.toml", "[workspace.package]\n", &line);
            r.replace("crates/cons/Cargo.toml", "publish = [\"local\"]", "publish.workspace = true");
        })
    };
    released(&inherited("[\"local\"]"), &BOTH);
    let left_out = inherited("false");
    let call = released(&left_out, &["core 1.1.0"]);
    assert!(call.stderr.contains("publish = false, left out: cons"), "{}", call.stderr);
}

#[test]
fn a_need_without_a_version_is_refused_unless_only_tests_have_it() {
    let normal = Repository::landed(|r| {
        r.replace("crates/cons/Cargo.toml", "core.workspace = true", "core = { path = \"../core\" }")
    });
    let call = refused(&normal, &[], 30, &["E-MEMBER-UNDECLARED"]);
    assert!(call.stderr.contains("crate cons needs core without saying which version"), "{}", call.stderr);
    // A ring that only tests close: cargo leaves it out of the package.
    let ring = Repository::landed(|r| ring(r, "cons = { path = \"../cons\" }"));
    released(&ring, &BOTH);
}

#[test]
fn a_ring_that_the_packages_would_have_is_refused_before_the_first_upload() {
    let repository =
        Repository::landed(|r| ring(r, "cons = { path = \"../cons\", version = \"1.1.0\", registry = \"local\" }"));
    refused(&repository, &[], 70, &["E-PACKAGE"]);
}

/// Lets the tests of the lower crate need the upper one.
fn ring(repository: &Repository, need: &str) {
    let manifest = repository.read("crates/core/Cargo.toml");
    repository.write("crates/core/Cargo.toml", &format!("{manifest}[dev-dependencies]\n{need}\n"));
    repository.replace(
        "Cargo.lock",
        "name = \"core\"\nversion = \"1.1.0\"\n",
        "name = \"core\"\nversion = \"1.1.0\"\ndependencies = [\n \"cons\",\n]\n",
    );
}

#[test]
fn a_candidate_is_released_before_its_version_and_not_after() {
    let repository = Repository::new();
    repository.bump("1.1.0-rc.1");
    repository.land("candidate [release]");
    released(&repository, &["core 1.1.0-rc.1", "cons 1.1.0-rc.1"]);
    repository.bump("1.1.0");
    repository.land("x [release]");
    released(&repository, &["core 1.1.0-rc.1", "cons 1.1.0-rc.1", "core 1.1.0", "cons 1.1.0"]);
    repository.bump("1.1.0-rc.2");
    repository.land("late candidate [release]");
    refused(&repository, &[], 50, &["E-VERSION-LOWER", "E-VERSION-LOWER"]);
}

#[test]
fn build_metadata_in_a_manifest_is_another_version() {
    let repository = Repository::landed(|r| {
        r.replace(
            "Cargo.toml",
            "[workspace.package]\nversion = \"1.1.0\"",
            "[workspace.package]\nversion = \"1.1.0+b1\"",
        )
    });
    let call = refused(&repository, &[], 30, &["E-VERSION-MISMATCH", "E-LOCK"]);
    assert!(call.stderr.contains("VERSION 1.1.0, Cargo.toml 1.1.0+b1"), "{}", call.stderr);
}

#[test]
fn a_version_that_is_a_link_or_a_folder_is_none() {
    let link = Repository::landed(|r| {
        fs::remove_file(r.work().join("VERSION")).expect("a file");
        r.write("number", "1.1.0\n");
        std::os::unix::fs::symlink("number", r.work().join("VERSION")).expect("a link");
    });
    let call = refused(&link, &[], 30, &["E-VERSION-SYNTAX"]);
    assert!(call.stderr.contains("\"number\" is not one version"), "{}", call.stderr);
    let folder = Repository::landed(|r| {
        fs::remove_file(r.work().join("VERSION")).expect("a file");
        r.write("VERSION/core", "1.1.0\n");
    });
    let call = folder.release(&["--execute"]);
    assert!(!matches!(call.exit, Some(0) | None), "{}", call.stderr);
    assert_eq!(folder.registry.uploads(), Vec::<String>::new());
}

#[test]
fn a_revert_of_a_revert_is_marked_by_its_own_title_only() {
    let repository = Repository::new();
    repository.bump("1.1.0");
    repository.land("t [release]");
    for title in ["Revert \"t [release]\" (#5)", "Revert \"Revert \"t [release]\"\" (#6)"] {
        repository.git(&["revert", "--no-edit", "HEAD"]);
        repository.git(&["commit", "--quiet", "--amend", "--message", title]);
        repository.push();
        refused(&repository, &["--if-marked"], 0, &["E-NO-MARKER"]);
    }
    repository.git(&["commit", "--quiet", "--allow-empty", "--message", "Reapply \"t [release]\" [release] (#7)"]);
    repository.push();
    released(&repository, &BOTH);
}

#[test]
fn a_crate_that_no_list_names_is_seen_wherever_it_stands() {
    let manifest = "[package]\nname = \"forgotten\"\nversion = \"1.1.0\"\n";
    for path in [
        "forgotten/Cargo.toml",
        "tools/deep/forgotten/Cargo.toml",
        "crates/core/inner/Cargo.toml",
        "crates/x/Cargo.toml",
    ] {
        let list = "members = [\"crates/core\", \"crates/cons\"]";
        let with = |publish: &str| {
            Repository::landed(|r| {
                r.replace("Cargo.toml", "members = [\"crates/*\"]", list);
                r.write(path, &format!("{manifest}{publish}"));
            })
        };
        let call = refused(&with(""), &[], 30, &["E-MEMBER-UNDECLARED"]);
        assert!(call.stderr.contains(&format!("{path} belongs to no crate of the workspace")), "{}", call.stderr);
        released(&with("publish = false\n"), &BOTH);
    }
}

#[test]
fn a_version_file_beside_crates_of_the_top_folder_is_seen() {
    let repository = Repository::landed(|r| {
        r.replace("Cargo.toml", "members = [\"crates/*\"]", "members = [\"crates/*\", \"tool\"]");
        r.write("tool/Cargo.toml", "[package]\nname = \"tool\"\nversion.workspace = true\npublish = false\n");
        r.write("tool/src/lib.rs", "");
        let lock = r.read("Cargo.lock");
        r.write("Cargo.lock", &format!("{lock}\n[[package]]\nname = \"tool\"\nversion = \"1.1.0\"\n"));
        r.write("other/VERSION", "1.1.0\n");
    });
    let call = refused(&repository, &[], 30, &["E-MEMBER-UNDECLARED"]);
    assert!(call.stderr.contains("other/VERSION belongs to no crate of the workspace"), "{}", call.stderr);
}

#[test]
fn a_tag_without_a_message_gives_way_to_the_one_that_says_what_was_published() {
    let repository = Repository::landed(|_| {});
    repository.git(&["tag", "v1.1.0"]);
    released(&repository, &BOTH);
    assert_eq!(repository.kind_on_remote("v1.1.0"), "tag");
    // One that has a message stays as it is.
    let repository = Repository::landed(|_| {});
    repository.git(&["tag", "--annotate", "--message", "mine", "v1.1.0"]);
    let before = repository.sha("v1.1.0");
    released(&repository, &BOTH);
    assert_eq!(repository.sha("v1.1.0"), before);
}

#[test]
fn a_remote_that_is_pushed_to_elsewhere_is_refused_unless_both_hold_the_same() {
    let repository = Repository::landed(|_| {});
    repository.git_in(&repository.beside(""), &["clone", "--quiet", "--bare", "remote.git", "other.git"]);
    let other = repository.beside("other.git").display().to_string();
    repository.git(&["remote", "set-url", "--push", "origin", &other]);
    repository.git_in(&repository.remote(), &["tag", "only-here", "main"]);
    let call = refused(&repository, &[], 20, &["E-REFS-STALE"]);
    assert!(
        call.stderr.contains(&format!("origin is pushed to {other}, which holds other branches and tags")),
        "{}",
        call.stderr
    );
    repository.git(&["remote", "set-url", "--push", "origin", "../nowhere.git"]);
    refused(&repository, &[], 20, &["E-REFS-STALE"]);
    // Another way to the same repository.
    let same = format!("file://{}", repository.remote().display());
    repository.git(&["remote", "set-url", "--push", "origin", &same]);
    released(&repository, &BOTH);
}

#[test]
fn no_other_tag_is_pushed_beside_that_of_the_version() {
    let repository = Repository::landed(|_| {});
    repository.git(&["config", "push.followTags", "true"]);
    repository.git(&["tag", "--annotate", "--message", "x", "not-yet", "HEAD"]);
    released(&repository, &BOTH);
    let tags: Vec<_> = repository.remote_tags().into_iter().map(|(tag, _)| tag).collect();
    assert_eq!(tags, ["v1.0.0", "v1.1.0"]);
}
