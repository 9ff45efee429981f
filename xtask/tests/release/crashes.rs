//! The release is killed at every step boundary in turn; resuming it never uploads anything twice.

use crate::repository::Repository;
use xtask::release::POINTS;

/// The signal that no program can catch.
const SIGKILL: i32 = 9;

#[test]
fn killed_at_any_point_a_release_is_finished_by_resume_with_one_upload_per_crate_and_one_tag() {
    for point in POINTS {
        let crates: &[&str] = if is_about_a_crate(point) { &[":core", ":cons"] } else { &[""] };
        for of in crates {
            killed_at(&format!("{point}{of}"));
        }
    }
}

fn is_about_a_crate(point: &str) -> bool {
    !["before-tag", "after-tag", "after-push", "after-notes"].contains(&point)
}

#[track_caller]
fn killed_at(point: &str) {
    let repository = Repository::new();
    repository.bump("1.1.0");
    repository.land("x [release]");
    repository.green();
    // What was uploaded right before the kill is not shown at once.
    repository.registry.lag(Some(2));
    let call = repository.release_in(&repository.work(), &["--execute"], &[("XTASK_FAULT", point)]);
    assert_eq!((call.exit, call.signal), (None, Some(SIGKILL)), "{point} kills: {}", call.stderr);
    let resumed = repository.release(&["--execute", "--resume", "--index-wait", "2"]);
    let is_finished = point == "after-push" || point == "after-notes";
    let expected = if is_finished { (Some(50), vec!["E-ALREADY-RELEASED"]) } else { (Some(0), vec![]) };
    assert_eq!((resumed.exit, resumed.codes()), expected, "{point}: {}", resumed.stderr);
    assert_eq!(repository.registry.uploads(), ["core 1.1.0", "cons 1.1.0"], "{point}");
    let tag = |name: &str, commit: &str| (name.to_owned(), repository.sha(commit));
    assert_eq!(repository.remote_tags(), [tag("v1.0.0", "HEAD~1"), tag("v1.1.0", "HEAD")], "{point}");
    assert_eq!(repository.kind_on_remote("v1.1.0"), "tag", "{point}");
    assert_eq!(repository.status(), "", "{point}");
}
