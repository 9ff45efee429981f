//! M and G: what HEAD asks for, and where it stands.

use crate::{
    repository::Repository,
    scenario::{refused, released, skipped, unchanged, unchanged_in},
};

/// main with one commit of this message, which bumps to 1.1.0.
fn landed(message: &str) -> Repository {
    let repository = Repository::new();
    repository.bump("1.1.0");
    repository.land(message);
    repository
}

#[test]
fn m1_an_unmarked_commit_right_after_a_release_is_skipped() {
    let repository = Repository::new();
    repository.touch("fix");
    repository.land("fix (#2)");
    skipped(&repository, &["--if-marked"]);
    refused(&repository, &[], 10, &["E-NO-MARKER"]);
}

#[test]
fn m2_and_m3_the_marker_is_first_or_last() {
    for title in ["[release] t (#1)", "t (#1) [release]"] {
        released(&landed(title), &["core 1.1.0", "cons 1.1.0"]);
    }
}

#[test]
fn m4_a_near_miss_is_refused_and_never_skipped() {
    for title in ["[Release] t", "[RELEASE] t (#1)", "fixup! t [release]", "Revert \"t [release] (#2)"] {
        let repository = landed(title);
        refused(&repository, &[], 11, &["E-MARKER-MALFORMED"]);
        refused(&repository, &["--if-marked"], 11, &["E-MARKER-MALFORMED"]);
    }
}

#[test]
fn m6_m8_and_m11_a_marker_in_a_body_or_a_quotation_is_skipped() {
    let rows = [
        ("L (#1)\n\n* [release] core@1.1.0", "a marker in the body, line 3, does not count"),
        ("Revert \"t [release]\" (#5)", ""),
        ("Reapply \"t [release]\"", ""),
        ("document the `[release]` marker", ""),
    ];
    for (message, told) in rows {
        let call = skipped(&landed(message), &["--if-marked"]);
        assert!(call.stderr.contains(told), "{}", call.stderr);
        // C110: the bump is told, not lost.
        assert!(call.stderr.contains("1.1.0 waits for a marked commit"), "{}", call.stderr);
    }
}

#[test]
fn a_skip_asks_neither_remote_nor_registry() {
    let repository = landed("L (#1)");
    repository.git(&["remote", "set-url", "origin", "../nowhere.git"]);
    repository.registry.index(Some(crate::registry::Index::Hangs));
    skipped(&repository, &["--if-marked"]);
}

#[test]
fn g1_g2_and_c94_a_marked_branch_is_refused_and_released_once_it_is_on_main() {
    let repository = Repository::new();
    for branch in ["feature/x", "hotfix"] {
        repository.layer(branch, "main", |repository| repository.bump("1.1.0"));
        repository.git(&["switch", "--quiet", branch]);
        repository.git(&["commit", "--quiet", "--amend", "--message", "[release] x@1.1.0"]);
        repository.git(&["push", "--quiet", "--force", "origin", branch]);
        let call = refused(&repository, &["--if-marked"], 20, &["E-NOT-MAIN", "E-UNPUSHED"]);
        assert!(call.stderr.contains(&format!("on {branch}, releases run only from main")), "{}", call.stderr);
        repository.git(&["switch", "--quiet", "main"]);
        repository.git(&["branch", "--quiet", "--delete", "--force", branch]);
        repository.git(&["push", "--quiet", "origin", "--delete", branch]);
    }
    repository.bump("1.1.0");
    repository.land("[release] x@1.1.0");
    released(&repository, &["core 1.1.0", "cons 1.1.0"]);
}

#[test]
fn c94_a_tag_push_checks_out_no_branch_and_is_refused() {
    let repository = landed("x [release]");
    repository.git(&["tag", "v1.1.0"]);
    repository.git(&["switch", "--quiet", "--detach", "v1.1.0"]);
    refused(&repository, &[], 20, &["E-DETACHED"]);
}

#[test]
fn g3_a_detached_head_is_refused_even_at_the_tip() {
    let repository = landed("x [release]");
    repository.git(&["switch", "--quiet", "--detach"]);
    refused(&repository, &[], 20, &["E-DETACHED"]);
}

#[test]
fn g5_a_shallow_or_single_branch_clone_is_refused() {
    let repository = landed("x [release]");
    repository.layer("l2", "main", |repository| repository.bump("1.2.0"));
    repository.green();
    let url = format!("file://{}", repository.remote().display());
    let shallow = repository.beside("shallow");
    repository.git_in(&repository.beside(""), &["clone", "--quiet", "--depth", "1", &url, "shallow"]);
    unchanged_in(&repository, &shallow, &["--execute"], 20, &["E-SHALLOW", "E-REFS-STALE"]);
    let single = repository.beside("single");
    repository.git_in(&repository.beside(""), &["clone", "--quiet", "--single-branch", &url, "single"]);
    let call = unchanged_in(&repository, &single, &["--execute"], 20, &["E-REFS-STALE"]);
    assert!(call.stderr.contains("origin/l2 is not fetched; 1 open layer could be hidden"), "{}", call.stderr);
}

#[test]
fn g5_a_clone_that_lacks_commits_or_files_is_refused_and_not_broken() {
    let repository = Repository::new();
    repository.layer("l1", "main", |repository| repository.bump("1.1.0"));
    repository.squash("l1", "L1 (#1)");
    repository.layer("l2", "main~1", |repository| repository.bump("1.1.0"));
    repository.touch("more");
    repository.land("more [release] (#2)");
    repository.green();
    repository.git_in(&repository.remote(), &["config", "uploadpack.allowFilter", "true"]);
    let url = format!("file://{}", repository.remote().display());
    let rows: [(&str, &[&str], &[&str]); 5] = [
        ("one", &["--depth", "1", "--no-single-branch"], &["E-SHALLOW"]),
        ("two", &["--depth", "2", "--no-single-branch"], &["E-SHALLOW"]),
        ("single", &["--depth", "2"], &["E-SHALLOW", "E-REFS-STALE"]),
        ("files", &["--filter", "blob:none"], &["E-SHALLOW", "E-REFS-STALE"]),
        ("trees", &["--filter", "tree:0"], &["E-SHALLOW", "E-REFS-STALE"]),
    ];
    for (name, arguments, codes) in rows {
        let clone = [&["clone", "--quiet"], arguments, &[&url, name]].concat();
        repository.git_in(&repository.beside(""), &clone);
        let call = repository.release_in(&repository.beside(name), &["--execute"], &[]);
        let at_20 = call.codes().into_iter().filter(|code| codes.contains(code)).collect::<Vec<_>>();
        assert_eq!((call.exit, at_20), (Some(20), codes.to_vec()), "{name}: {}", call.stderr);
        let fix = if arguments[0] == "--filter" { "clone again without --filter" } else { "git fetch --unshallow" };
        assert!(call.stderr.contains(fix), "{name}: {}", call.stderr);
        let lint = ["lint", "--title", "x [release]", "--base", "origin/main"];
        let call = repository.release_in(&repository.beside(name), &lint, &[]);
        assert_eq!(call.exit, Some(20), "{name}: {}", call.stderr);
    }
    assert_eq!(repository.registry.uploads(), Vec::<String>::new());
    assert_eq!(repository.remote_tags().len(), 1);
}

#[test]
fn a_shallow_clone_that_hides_a_marker_of_the_push_is_not_skipped() {
    let repository = Repository::new();
    let since = repository.sha("HEAD");
    repository.bump_to_1_1_0();
    repository.commit("L1 [release] (#1)");
    repository.add("second");
    repository.land("L2 (#2)");
    repository.green();
    let url = format!("file://{}", repository.remote().display());
    // The first sees L2 only, the second L1 too, and the third all that was pushed.
    for (depth, exit, code) in
        [("1", 20, "E-SHALLOW"), ("2", 11, "E-MARKER-BELOW-TOP"), ("3", 11, "E-MARKER-BELOW-TOP")]
    {
        repository.git_in(&repository.beside(""), &["clone", "--quiet", "--depth", depth, &url, depth]);
        let given = ["--execute", "--if-marked", "--since", &since];
        let call = repository.release_in(&repository.beside(depth), &given, &[]);
        assert_eq!(call.exit, Some(exit), "{depth}: {}", call.stderr);
        assert!(call.codes().contains(&code), "{depth}: {}", call.stderr);
        assert!(!call.stderr.contains("skipped"), "{depth}: {}", call.stderr);
    }
    assert_eq!(repository.registry.uploads(), Vec::<String>::new());
}

#[test]
fn g7_an_unreachable_remote_is_refused() {
    let repository = landed("x [release]");
    repository.git(&["remote", "set-url", "origin", "../nowhere.git"]);
    refused(&repository, &[], 20, &["E-REFS-STALE"]);
}

#[test]
fn g7_a_remote_without_git_on_the_machine_is_refused() {
    let repository = landed("x [release]");
    repository.green();
    // A folder with cargo and no git: what cannot be asked is not empty.
    let cargo = std::path::Path::new(env!("CARGO")).parent().expect("cargo is in a folder").display().to_string();
    let call = repository.release_in(&repository.work(), &["--execute"], &[("PATH", &cargo)]);
    assert_eq!(call.exit, Some(20), "{}", call.stderr);
    assert!(call.codes().contains(&"E-REFS-STALE"), "{}", call.stderr);
    assert_eq!(repository.registry.uploads(), Vec::<String>::new());
    assert!(repository.tags_in(&repository.work()).iter().all(|(tag, _)| tag == "v1.0.0"));
}

#[test]
fn g9_and_c106_a_tag_elsewhere_is_refused_and_one_at_head_is_told() {
    let repository = landed("x [release]");
    repository.git(&["tag", "v1.1.0", "HEAD~1"]);
    refused(&repository, &[], 50, &["E-TAG"]);
    repository.git(&["push", "--quiet", "origin", "v1.1.0"]);
    repository.git(&["tag", "--delete", "v1.1.0"]);
    refused(&repository, &[], 50, &["E-TAG"]);
    for is_only_there in [false, true] {
        let repository = landed("x [release]");
        repository.git(&["tag", "v1.1.0"]);
        if is_only_there {
            repository.git(&["push", "--quiet", "origin", "v1.1.0"]);
            repository.git(&["tag", "--delete", "v1.1.0"]);
        }
        let call = released(&repository, &["core 1.1.0", "cons 1.1.0"]);
        assert!(call.stderr.contains("warning: v1.1.0 is at HEAD although nothing is published"), "{}", call.stderr);
    }
}

#[test]
fn what_is_not_committed_or_not_pushed_is_refused() {
    let repository = landed("x [release]");
    repository.green();
    repository.write("notes.txt", "x");
    unchanged(&repository, &["--execute"], 20, &["E-DIRTY"]);
    let acknowledged = format!("{}=known to ship with it", repository.sha("HEAD"));
    repository.commit("y [release]");
    refused(&repository, &["--ack-marker", &acknowledged], 20, &["E-UNPUSHED"]);
}

#[test]
fn a_merge_in_progress_is_refused() {
    let repository = landed("x [release]");
    let head = repository.sha("HEAD");
    std::fs::write(repository.work().join(".git/MERGE_HEAD"), format!("{head}\n")).expect("a file");
    refused(&repository, &[], 20, &["E-IN-PROGRESS"]);
}
