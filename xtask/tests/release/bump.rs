//! `release bump`: through cargo-release, or not at all.

use crate::{
    repository::{Call, Repository},
    scenario::released,
    tool::found,
};
use std::{env, fs, os::unix::fs::PermissionsExt};

/// Bumps with these programs before those of the machine, whose own cargo-release is left out.
fn bump(repository: &Repository, arguments: &[&str], programs: &[(&str, &str)]) -> Call {
    let folder = repository.beside("programs");
    fs::create_dir_all(&folder).expect("a folder");
    for (name, script) in programs {
        let program = folder.join(name);
        fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("a program");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it runs");
    }
    let path = env::var_os("PATH").expect("there is a PATH");
    let places = env::split_paths(&path).filter(|place| !place.join("cargo-release").is_file());
    let path = env::join_paths([folder].into_iter().chain(places)).expect("a PATH");
    let work = repository.work().display().to_string();
    let all = [&["release", "bump", "--repo", &work], arguments].concat();
    repository.xtask(&repository.work(), &all, &[("PATH", &path.to_string_lossy()), ("CARGO", "")], false)
}

#[test]
fn without_cargo_release_nothing_is_bumped() {
    let repository = Repository::new();
    let cannot_install = [("cargo", "echo no network >&2; exit 101")];
    for (arguments, programs, told) in [
        (&["1.1.0"][..], &[][..], "cargo-release is missing, nothing was changed; --install builds version 1.1.6"),
        (&["1.1.0", "--install"], &cannot_install, "cargo-release 1.1.6 cannot be installed; nothing was changed"),
        (&["1.1"], &[], "invalid value '1.1'"),
        (&["1.1.0+b"], &[], "has build metadata, which registries ignore"),
    ] {
        let call = bump(&repository, arguments, programs);
        assert_eq!(call.exit, Some(2), "{}", call.stderr);
        assert!(call.stderr.contains(told), "{}", call.stderr);
        assert_eq!(repository.status(), "");
    }
}

#[test]
fn cargo_release_sets_the_version_and_renews_what_states_it() {
    let repository = Repository::new();
    let log = repository.beside("log");
    let script = format!("echo \"$@\" >> {}", log.display());
    let call = bump(&repository, &["1.1.0"], &[("cargo-release", &script)]);
    assert_eq!(call.exit, Some(0), "{}", call.stderr);
    let expected = "release version 1.1.0 --workspace --execute --no-confirm\nrelease replace --workspace --execute --no-confirm\n";
    assert_eq!(fs::read_to_string(log).expect("it was called"), expected);
    assert_eq!(repository.read("VERSION"), "1.1.0\n");
}

#[test]
fn a_version_that_cargo_release_refuses_is_written_nowhere() {
    let repository = Repository::new();
    let call = bump(&repository, &["1.1.0"], &[("cargo-release", "exit 1")]);
    assert_eq!(call.exit, Some(2), "{}", call.stderr);
    assert_eq!(repository.status(), "");
}

/// With the real one, where it is: what it leaves needs only its changelog to be released.
#[test]
fn what_the_real_cargo_release_leaves_can_be_released() {
    let Some(tool) = found("cargo-release", "1.1.6") else { return };
    let repository = Repository::new();
    let settings = fs::read_to_string(xtask::root().join("release.toml")).expect("the settings are there");
    repository.write("release.toml", &settings.replace("httpx-[a-z-]+", "[a-z]+"));
    repository.commit("settings");
    let script = format!("exec {} \"$@\"", tool.display());
    let call = bump(&repository, &["1.1.0"], &[("cargo-release", &script)]);
    assert_eq!(call.exit, Some(0), "{}", call.stderr);
    assert!(repository.read("README.md").contains("core = \"1.1.0\""));
    let old = repository.read("changelog.txt");
    repository.write("changelog.txt", &format!("1.1.0 - 30 Nov 2026\n- New.\n\n{old}"));
    repository.land("x [release]");
    released(&repository, &["core 1.1.0", "cons 1.1.0"]);
}
