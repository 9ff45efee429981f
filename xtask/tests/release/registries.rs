//! R: what the registry holds, and how it fails.

use crate::{
    registry::{Index, Upload},
    repository::{Call, Repository},
    scenario::{refused, released, unchanged},
};

const BOTH: [&str; 2] = ["core 1.1.0", "cons 1.1.0"];

fn landed() -> Repository {
    let repository = Repository::new();
    repository.bump("1.1.0");
    repository.land("x [release] (#1)");
    repository.green();
    repository
}

/// Publishes, and is stopped with this exit and code.
#[track_caller]
fn stopped(repository: &Repository, arguments: &[&str], exit: i32, code: &str) -> String {
    let call = repository.release(&[&["--execute"], arguments].concat());
    assert_eq!((call.exit, call.codes()), (Some(exit), vec![code]), "{}", call.stderr);
    call.stderr
}

/// Finishes an interrupted release, after which these uploads have arrived in all.
#[track_caller]
fn resumed(repository: &Repository, uploads: &[&str]) {
    let call = repository.release(&["--execute", "--resume", "--index-wait", "5"]);
    assert_eq!((call.exit, call.codes()), (Some(0), vec![]), "{}", call.stderr);
    assert_eq!(repository.registry.uploads(), uploads);
    assert!(repository.remote_tags().contains(&("v1.1.0".to_owned(), repository.sha("HEAD"))));
}

#[test]
fn r1_a_rerun_of_a_finished_release_is_refused() {
    let repository = landed();
    released(&repository, &BOTH);
    refused(&repository, &[], 50, &["E-ALREADY-RELEASED"]);
    refused(&repository, &["--resume"], 50, &["E-ALREADY-RELEASED"]);
}

#[test]
fn r3_and_r6_a_refused_upload_stops_and_resume_uploads_only_what_is_missing() {
    let repository = landed();
    repository.registry.next(&[Upload::Stored, Upload::Refused(503)]);
    let told = stopped(&repository, &["--index-wait", "1"], 80, "E-PUBLISH");
    assert!(told.contains("published: core; missing: cons; rerun with --resume"), "{told}");
    let call = unchanged(&repository, &["--execute"], 50, &["E-PARTIAL"]);
    assert!(call.stderr.contains("core is out, cons is not. fix: --resume: `cargo xtask release"), "{}", call.stderr);
    resumed(&repository, &["core 1.1.0", "cons 1.1.0", "cons 1.1.0"]);
}

#[test]
fn a_registry_that_asks_to_wait_is_quoted() {
    let repository = landed();
    repository.registry.next(&[Upload::Refused(429)]);
    let told = stopped(&repository, &["--index-wait", "1"], 80, "E-PUBLISH");
    assert!(told.contains("try again after Mon, 30 Nov 2026 12:00:00 GMT"), "{told}");
}

#[test]
fn an_upload_whose_answer_was_lost_counts_as_the_index_shows_it() {
    let repository = landed();
    repository.registry.next(&[Upload::LostAnswer]);
    released(&repository, &BOTH);
}

#[test]
fn other_bytes_in_the_index_stop_the_release() {
    let repository = landed();
    repository.registry.next(&[Upload::Tampered]);
    let told = stopped(&repository, &["--index-wait", "1"], 80, "E-PUBLISH");
    assert!(told.contains("the registry holds other bytes"), "{told}");
    let call = unchanged(&repository, &["--execute", "--resume"], 50, &["E-BURNED"]);
    assert!(call.stderr.contains("bump VERSION, 1.1.1 is free"), "{}", call.stderr);
}

#[test]
fn r8_and_c102_a_slow_index_is_waited_for_up_to_a_limit() {
    let repository = landed();
    repository.registry.lag(Some(3));
    released(&repository, &BOTH);
    let repository = landed();
    repository.registry.lag(None);
    let told = stopped(&repository, &["--index-wait", "1"], 80, "E-PUBLISH");
    assert!(told.contains("core 1.1.0 was uploaded, and the index does not show it after 1 s"), "{told}");
    assert_eq!(repository.registry.uploads(), ["core 1.1.0"]);
    // What the registry confirmed is not uploaded again, however long the index takes.
    let told = stopped(&repository, &["--resume", "--index-wait", "1"], 80, "E-PUBLISH");
    assert!(told.contains("core 1.1.0 was uploaded before, and the index does not show it after 1 s"), "{told}");
    assert_eq!(repository.registry.uploads(), ["core 1.1.0"]);
    repository.registry.show();
    resumed(&repository, &BOTH);
}

#[test]
fn an_upload_that_was_refused_is_forgotten_and_any_other_is_not() {
    for (upload, remembered) in [(Upload::Refused(403), 0), (Upload::Refused(503), 1), (Upload::LostAnswer, 1)] {
        let repository = landed();
        repository.registry.lag(None);
        repository.registry.next(&[upload]);
        stopped(&repository, &["--index-wait", "1"], 80, "E-PUBLISH");
        assert_eq!(repository.attempts().len(), remembered, "{upload:?}: {:?}", repository.attempts());
    }
}

#[test]
fn an_upload_that_the_registry_has_already_is_waited_for() {
    let repository = landed();
    repository.registry.lag(None);
    repository.registry.next(&[Upload::LostAnswer]);
    stopped(&repository, &["--index-wait", "1"], 80, "E-PUBLISH");
    // It was not seen in time, is tried once more, and the registry says that it is there.
    let told = stopped(&repository, &["--resume", "--index-wait", "1"], 80, "E-PUBLISH");
    assert!(told.contains("already exists"), "{told}");
    assert_eq!(repository.attempts(), ["core-1.1.0"]);
    repository.registry.show();
    resumed(&repository, &["core 1.1.0", "core 1.1.0", "cons 1.1.0"]);
}

#[test]
fn a_note_that_cannot_be_written_or_read_stops_before_the_upload() {
    let repository = landed();
    let folder = repository.work().join(".git/release");
    std::fs::create_dir_all(&folder).expect("a folder");
    let nowhere = |note: &str| std::os::unix::fs::symlink("nowhere/note", folder.join(note)).expect("a link");
    nowhere("core-1.1.0");
    let call = repository.release(&["--execute"]);
    assert_eq!((call.exit, call.codes()), (Some(2), vec![]), "{}", call.stderr);
    assert!(call.stderr.contains("nothing was uploaded: "), "{}", call.stderr);
    assert_eq!(repository.registry.uploads(), Vec::<String>::new());
    std::fs::remove_file(folder.join("core-1.1.0")).expect("the link goes");

    // The same for the upper crate, when the lower one is out: what is out is told.
    nowhere("cons-1.1.0");
    let told = stopped(&repository, &[], 80, "E-PUBLISH");
    assert!(told.contains("cons-1.1.0 cannot be written") && told.contains("published: core; missing: cons"), "{told}");
    std::fs::remove_file(folder.join("cons-1.1.0")).expect("the link goes");

    // One that cannot be read may say anything.
    std::fs::create_dir(folder.join("cons-1.1.0")).expect("a folder in the place of the note");
    let told = stopped(&repository, &["--resume"], 80, "E-PUBLISH");
    assert!(told.contains("cons-1.1.0 cannot be read"), "{told}");
    assert_eq!(repository.registry.uploads(), ["core 1.1.0"]);
    std::fs::remove_dir(folder.join("cons-1.1.0")).expect("an empty folder");
    resumed(&repository, &BOTH);
}

#[test]
fn c102_a_cache_before_the_index_is_asked_past_and_waited_for_where_cargo_reads_it() {
    let repository = landed();
    // The plan fills the cache with what was there before the upload.
    repository.registry.edge(12);
    released(&repository, &BOTH);

    let repository = landed();
    repository.registry.lag(Some(3));
    released(&repository, &BOTH);
    assert!(repository.registry.unchanged() > 0, "what did not change is not sent again");

    let repository = landed();
    repository.registry.edge(u32::MAX);
    let told = stopped(&repository, &["--index-wait", "1"], 80, "E-PUBLISH");
    assert!(told.contains("core 1.1.0 is out, and cargo cannot see it yet: the index does not show it"), "{told}");
    assert!(told.contains("published: core; missing: cons; rerun with --resume"), "{told}");
    repository.registry.edge(0);
    resumed(&repository, &BOTH);
}

#[test]
fn r9_and_c96_a_version_below_a_published_one_is_refused() {
    let repository = Repository::new();
    repository.bump("0.9.0");
    repository.land("x [release]");
    let call = refused(&repository, &[], 50, &["E-VERSION-LOWER", "E-VERSION-LOWER"]);
    assert!(call.stderr.contains("bump VERSION, 1.0.1 is free"), "{}", call.stderr);
    let repository = landed();
    repository.registry.seed("cons", "1.2.0", true);
    let call = refused(&repository, &[], 50, &["E-VERSION-LOWER"]);
    assert!(call.stderr.contains("1.1.0 is lower than cons 1.2.0 (yanked)"), "{}", call.stderr);
}

#[test]
fn c96_a_version_that_a_revert_brings_back_is_refused_and_so_is_one_used_again() {
    let repository = Repository::new();
    let published: Vec<_> = ["1.1.0", "1.2.0"]
        .into_iter()
        .map(|version| {
            repository.bump(version);
            let sha = repository.land(&format!("{version} [release]"));
            repository.green();
            let call = repository.release(&["--execute"]);
            assert_eq!(call.exit, Some(0), "{}", call.stderr);
            sha
        })
        .collect();
    let codes = ["E-BURNED", "E-BURNED", "E-VERSION-LOWER", "E-VERSION-LOWER"];
    let told = |call: &Call, version: &str, from: &str| {
        for name in ["core", "cons"] {
            let burned = format!("{name} {version} was published from {}, not from HEAD; it cannot be", &from[..7]);
            assert!(call.stderr.contains(&burned), "{}", call.stderr);
        }
        assert_eq!(call.stderr.matches("bump VERSION, 1.2.1 is free").count(), codes.len(), "{}", call.stderr);
    };
    repository.git(&["revert", "--no-edit", "HEAD"]);
    repository.git(&["commit", "--quiet", "--amend", "--message", "back to 1.1.0 [release]"]);
    repository.push();
    told(&refused(&repository, &[], 50, &codes), "1.1.0", &published[0]);
    // New code under a number that was used: whatever is done, it goes out under neither.
    repository.touch("anew");
    repository.land("new code [release]");
    let acknowledged = format!("{}=the revert", repository.sha("HEAD~1"));
    told(&refused(&repository, &["--ack-marker", &acknowledged], 50, &codes), "1.1.0", &published[0]);
    repository.bump("1.2.0");
    repository.land("1.2.0 anew [release]");
    let call = refused(&repository, &[], 50, &codes[..2]);
    assert!(call.stderr.contains(&format!("core 1.2.0 was published from {}", &published[1][..7])), "{}", call.stderr);
}

#[test]
fn r11_a_registry_that_cannot_be_read_is_never_read_as_empty() {
    let repository = landed();
    let codes = ["E-REGISTRY-UNREADABLE", "E-REGISTRY-UNREADABLE"];
    for index in [
        Index::Status(500),
        Index::Status(503),
        Index::Status(401),
        Index::Status(403),
        Index::Status(204),
        Index::Garbage,
        Index::Empty,
        Index::Also("{\"name\": \"core\""),
        Index::Also(r#"{"name": "core", "vers": "1.1", "cksum": "00", "deps": [], "features": {}}"#),
        Index::Also(r#"{"name": "other", "vers": "1.1.0", "cksum": "00", "deps": [], "features": {}}"#),
        Index::Also(r#"{"name": "core", "vers": "1.1.0", "cksum": "00", "deps": [], "features": {}, "v": 3}"#),
        Index::BadConfig,
    ] {
        repository.registry.index(Some(index));
        let call = unchanged(&repository, &["--execute"], 60, &codes);
        assert!(call.stderr.contains("is not known: it"), "{index:?}: {}", call.stderr);
    }
}

#[test]
fn r11_a_registry_that_hangs_is_given_up() {
    let repository = landed();
    repository.registry.index(Some(Index::Hangs));
    let codes = ["E-REGISTRY-UNREADABLE", "E-REGISTRY-UNREADABLE"];
    let call = unchanged(&repository, &["--execute", "--index-timeout", "1"], 60, &codes);
    assert!(call.stderr.contains("timed out after 3 attempts"), "{}", call.stderr);
}

#[test]
fn r11_only_404_410_and_451_mean_that_a_crate_is_new() {
    for status in [404, 410, 451] {
        let repository = landed();
        repository.registry.index(Some(Index::Status(status)));
        let call = repository.release(&[]);
        assert_eq!((call.exit, call.codes()), (Some(0), vec![]), "{status}: {}", call.stderr);
    }
}

#[test]
fn a_registry_that_nobody_named_or_nobody_runs_is_refused() {
    let repository = landed();
    let codes = ["E-MEMBER-UNDECLARED", "E-MEMBER-UNDECLARED", "E-MEMBER-UNDECLARED", "E-REGISTRY-SPLIT"].to_vec();
    let work = repository.work();
    let receipts = repository.beside("receipts").display().to_string();
    let here = ["release", "--repo", &work.display().to_string(), "--receipts", &receipts].map(str::to_owned);
    let call = repository.xtask(&work, &here.each_ref().map(String::as_str), &[], false);
    assert_eq!((call.exit, call.codes()), (Some(30), codes), "{}", call.stderr);
    assert!(
        call.stderr.contains("crates-io. fix: give --registry, or list crates-io in its publish"),
        "{}",
        call.stderr
    );
    assert!(call.stderr.contains("where the index of crates-io is; give --index-url"), "{}", call.stderr);
}

#[test]
fn r13_a_third_crate_that_is_new_is_released_with_the_others() {
    let repository = Repository::new();
    repository.bump("1.1.0");
    let manifest = repository.read("crates/core/Cargo.toml");
    repository
        .write("crates/third/Cargo.toml", &manifest.replace("\"core\"", "\"third\"").replace("\"layer\"", "\"third\""));
    repository.write("crates/third/src/lib.rs", "");
    let lock = repository.read("Cargo.lock");
    repository.write("Cargo.lock", &format!("{lock}\n[[package]]\nname = \"third\"\nversion = \"1.1.0\"\n"));
    repository.land("x [release]");
    released(&repository, &["core 1.1.0", "cons 1.1.0", "third 1.1.0"]);
}

#[test]
fn r16_a_token_is_needed_to_publish_and_not_to_plan() {
    let repository = landed();
    let without = [("CARGO_REGISTRIES_LOCAL_TOKEN", "")];
    for (arguments, exit, codes) in [
        (&["--execute"][..], 60, vec!["E-NO-TOKEN"]),
        (&["--offline-token-check"][..], 60, vec!["E-NO-TOKEN"]),
        (&[][..], 0, vec![]),
    ] {
        let call = repository.release_in(&repository.work(), arguments, &without);
        assert_eq!((call.exit, call.codes()), (Some(exit), codes), "{}", call.stderr);
    }
    assert_eq!(repository.registry.uploads(), Vec::<String>::new());
}

#[test]
fn c104_a_yanked_version_stays_taken() {
    let repository = landed();
    released(&repository, &BOTH);
    repository.registry.yank("core", "1.1.0");
    let call = refused(&repository, &["--resume"], 50, &["E-YANKED", "E-ALREADY-RELEASED"]);
    assert!(call.stderr.contains("bump VERSION, 1.1.1 is free, or un-yank it by hand"), "{}", call.stderr);
    // Another commit, with one crate yanked and the other gone: nothing is published beside it.
    repository.registry.forget("cons", "1.1.0");
    refused(&repository, &["--resume"], 50, &["E-YANKED"]);
}

#[test]
fn c106_a_missing_tag_is_made_by_resume_alone() {
    let repository = landed();
    released(&repository, &BOTH);
    repository.git(&["push", "--quiet", "origin", "--delete", "v1.1.0"]);
    repository.git(&["tag", "--delete", "v1.1.0"]);
    let call = refused(&repository, &[], 50, &["E-ALREADY-RELEASED"]);
    assert!(call.stderr.contains("the tag is missing; --resume makes it"), "{}", call.stderr);
    resumed(&repository, &BOTH);
}
