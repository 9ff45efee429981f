//! The verdicts of a scenario. A refusal always means: no upload, no tag, and an untouched tree.

use crate::repository::{Call, Repository};

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

/// Exits so, with these codes, and changes nothing anywhere.
#[track_caller]
pub(crate) fn unchanged(repository: &Repository, arguments: &[&str], exit: i32, codes: &[&str]) -> Call {
    let before = (repository.registry.uploads(), repository.remote_tags(), repository.status(), repository.sha("HEAD"));
    let call = repository.release(arguments);
    assert_eq!((call.exit, call.codes()), (Some(exit), codes.to_vec()), "{}", call.stderr);
    let after = (repository.registry.uploads(), repository.remote_tags(), repository.status(), repository.sha("HEAD"));
    assert_eq!(after, before);
    call
}
