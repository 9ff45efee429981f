//! cargo-semver-checks: hidden from the other tests, and the real one where it is installed.

use crate::{repository::Repository, scenario::released, tool::found};
use std::{env, ffi::OsString, fs, os::unix::fs::PermissionsExt, path::Path};

/// PATH without cargo-semver-checks, with which 1.0.0 would have to be a real package. The folder that holds it may hold
/// cargo too, so that another program is put before it.
pub(crate) fn hidden(scratch: &Path) -> OsString {
    let folder = scratch.join("hidden");
    let program = folder.join("cargo-semver-checks");
    if !program.exists() {
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(&program, "#!/bin/sh\necho 'error: no such command' >&2\nexit 101\n").expect("a program");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it runs");
    }
    let path = env::var_os("PATH").expect("there is a PATH");
    env::join_paths([folder].into_iter().chain(env::split_paths(&path))).expect("a PATH")
}

#[test]
fn the_real_semver_check_refuses_a_break_and_lets_the_rest_through() {
    let Some(tool) = found("cargo-semver-checks", "0.51.0") else { return };
    let folder = tool.parent().expect("it is in a folder");
    let repository = Repository::landed(|_| {});
    released(&repository, &["core 1.1.0", "cons 1.1.0"]);
    let path = env::var_os("PATH").expect("there is a PATH");
    let path = env::join_paths([folder.to_owned()].into_iter().chain(env::split_paths(&path))).expect("a PATH");
    let judged = || {
        repository.green();
        repository.release_in(&repository.work(), &["--json"], &[("PATH", &path.to_string_lossy())])
    };

    repository.bump("1.1.1");
    repository.touch("more");
    repository.land("a fix [release]");
    let call = judged();
    assert_eq!((call.exit, call.codes()), (Some(0), vec![]), "{}", call.stderr);
    assert!(!call.stdout.contains("NO SEMVER CHECK"), "{}", call.stdout);

    repository.bump("1.1.2");
    repository.write("crates/core/src/lib.rs", "pub fn two() {}\n");
    repository.write("crates/cons/src/lib.rs", "pub use layer::two;\n");
    repository.land("a break [release]");
    let call = judged();
    // What `cons` passes on from `core` the tool does not follow.
    assert_eq!((call.exit, call.codes()), (Some(70), vec!["E-SEMVER"]), "{}", call.stderr);
    assert!(call.stderr.contains("core: the bump from 1.1.0 is too small for function_missing"), "{}", call.stderr);

    repository.bump("2.0.0");
    repository.land("said so [release]");
    let call = judged();
    assert_eq!((call.exit, call.codes()), (Some(0), vec![]), "{}", call.stderr);
}
