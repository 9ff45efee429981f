//! The verdicts of a scenario. A refusal always means: no upload, no tag, and an untouched tree.

use crate::repository::{Call, Repository};
use std::path::Path;

/// Releases HEAD, with both layers green, and compares all uploads there ever were.
#[track_caller]
pub(crate) fn released(repository: &Repository, uploads: &[&str]) -> Call {
    repository.green();
    let call = repository.release(&["--execute"]);
    assert_eq!((call.exit, call.codes()), (Some(0), vec![]), "{}", call.stderr);
    assert_eq!(repository.registry.uploads(), uploads);
    let tag = format!("v{}", repository.read("VERSION").trim_matches(['\u{feff}', ' ', '\r', '\n']));
    assert!(repository.remote_tags().contains(&(tag, repository.sha("HEAD"))), "{:?}", repository.remote_tags());
    assert_eq!(repository.status(), "");
    call
}

/// Is refused, by these gates, when it is to be published.
#[track_caller]
pub(crate) fn refused(repository: &Repository, arguments: &[&str], exit: i32, codes: &[&str]) -> Call {
    repository.green();
    refused_as_it_is(repository, arguments, exit, codes)
}

/// The same, with the receipts as they are.
#[track_caller]
pub(crate) fn refused_as_it_is(repository: &Repository, arguments: &[&str], exit: i32, codes: &[&str]) -> Call {
    let mut all = vec!["--execute"];
    all.extend(arguments);
    unchanged(repository, &all, exit, codes)
}

/// Is passed over.
#[track_caller]
pub(crate) fn skipped(repository: &Repository, arguments: &[&str]) -> Call {
    let call = refused(repository, arguments, 0, &["E-NO-MARKER"]);
    assert!(call.stderr.ends_with("skipped\n"), "{}", call.stderr);
    call
}

/// Exits so, with these codes, on stderr and in the object of `--json` alike, and changes nothing anywhere.
#[track_caller]
pub(crate) fn unchanged(repository: &Repository, arguments: &[&str], exit: i32, codes: &[&str]) -> Call {
    unchanged_in(repository, &repository.work(), arguments, exit, codes)
}

/// The same, called in another clone.
#[track_caller]
pub(crate) fn unchanged_in(
    repository: &Repository,
    folder: &Path,
    arguments: &[&str],
    exit: i32,
    codes: &[&str],
) -> Call {
    let before = State::of(repository, folder);
    let json: &[&str] = if arguments.contains(&"--json") { &[] } else { &["--json"] };
    let call = repository.release_in(folder, &[arguments, json].concat(), &[]);
    assert_eq!((call.exit, call.codes()), (Some(exit), codes.to_vec()), "{}", call.stderr);
    let report: serde_json::Value = serde_json::from_str(&call.stdout).expect("the report is JSON");
    let refusals = report["refusals"].as_array().expect("the report has refusals");
    let told: Vec<_> = refusals.iter().filter_map(|refusal| refusal["code"].as_str()).collect();
    assert_eq!((report["exit"].as_i64(), told), (Some(exit.into()), codes.to_vec()), "{}", call.stdout);
    assert_eq!(State::of(repository, folder), before);
    call
}

/// All that a release could change.
#[derive(Debug, PartialEq, Eq)]
struct State {
    uploads: Vec<String>,
    remote_tags: Vec<(String, String)>,
    local_tags: Vec<(String, String)>,
    heads: Vec<String>,
    status: String,
}

impl State {
    fn of(repository: &Repository, folder: &Path) -> Self {
        Self {
            uploads: repository.registry.uploads(),
            remote_tags: repository.remote_tags(),
            local_tags: repository.tags_in(folder),
            heads: repository.heads_in(folder),
            status: repository.status_in(folder),
        }
    }
}
