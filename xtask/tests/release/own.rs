//! The project itself: its own state is planned, released and refused a second time, by `cargo xtask` as people call it.

use crate::{
    repository::{Call, Repository},
    tool::skipped,
};
use std::{env, fs};
use xtask::{Member, Tree};

#[test]
fn the_projects_own_state_is_released_once() {
    if env::var_os("HTTPX_CI").is_none() {
        skipped("it builds every package of the project; set HTTPX_CI=1 to run it");
        return;
    }
    let repository = clone();
    let version = repository.read("VERSION").trim().to_owned();

    let planned = release(&repository, &["--json"]);
    assert_eq!((planned.exit, planned.codes()), (Some(0), vec![]), "{}", planned.stderr);
    let report: serde_json::Value = serde_json::from_str(&planned.stdout).expect("the report is JSON");
    let lines = report["crates"].as_array().expect("the report has crates");
    let crates: Vec<_> = lines.iter().filter_map(|line| line["name"].as_str()).collect();
    assert_each_after_those_it_needs(&crates);
    assert_eq!((&report["version"], repository.registry.uploads()), (&version.clone().into(), vec![]));

    let released = release(&repository, &["--execute"]);
    assert_eq!((released.exit, released.codes()), (Some(0), vec![]), "{}", released.stderr);
    let uploads: Vec<_> = crates.iter().map(|name| format!("{name} {version}")).collect();
    assert_eq!(repository.registry.uploads(), uploads);
    assert_eq!(repository.remote_tags(), [(format!("v{version}"), repository.sha("HEAD"))]);

    let again = release(&repository, &["--execute"]);
    assert_eq!((again.exit, again.codes()), (Some(50), vec!["E-ALREADY-RELEASED"]), "{}", again.stderr);
    assert_eq!(repository.registry.uploads(), uploads);
    assert_eq!(repository.status(), "");
}

/// These are all crates of the workspace that say they are published.
fn assert_each_after_those_it_needs(crates: &[&str]) {
    let tree = Tree::read(&xtask::root()).expect("the workspace can be read");
    let manifest = |member: &Member| &tree.files[&format!("{}/Cargo.toml", member.folder)];
    let published: Vec<_> = tree.members.iter().filter(|member| manifest(member).contains("publish = true")).collect();
    let place = |name: &str| crates.iter().position(|other| *other == name);
    assert_eq!(published.len(), crates.len(), "{crates:?}");
    for member in published {
        assert!(place(&member.name).is_some(), "{} is left out of {crates:?}", member.name);
        for need in member.dependencies.iter().filter(|need| tree.members.iter().any(|other| other.name == need.name)) {
            assert!(place(&need.name) < place(&member.name), "{} comes before {}: {crates:?}", member.name, need.name);
        }
    }
}

/// HEAD of this project as main of a remote of its own, with one marked commit on top. That commit says of the crates of
/// the workspace that they come from the loopback registry, as they otherwise come from the usual one.
fn clone() -> Repository {
    let repository = Repository::empty();
    let root = xtask::root().display().to_string();
    repository.git(&["fetch", "--quiet", "--no-tags", &root, "HEAD"]);
    repository.git(&["merge", "--quiet", "FETCH_HEAD"]);
    let manifest = repository.read("Cargo.toml");
    let line = |line: &str| match line.strip_suffix(" }") {
        Some(start) if line.contains("path = \"crates/") => format!("{start}, registry = \"local\" }}\n"),
        _ => format!("{line}\n"),
    };
    let manifest: String = manifest.lines().map(line).collect();
    fs::write(repository.work().join("Cargo.toml"), manifest).expect("a manifest");
    repository.land("all crates [release]");
    repository.green();
    repository
}

fn release(repository: &Repository, arguments: &[&str]) -> Call {
    let mut command = repository.command("cargo", &repository.work());
    command.args(["xtask", "release", "--registry", "local", "--index-url", &repository.registry.index_url()]);
    command.arg("--receipts").arg(repository.receipts()).args(arguments);
    // What others have fetched is used again. What they have built is not: the programs would be put in place of theirs.
    match env::var_os("CARGO_HOME") {
        Some(home) => command.env("CARGO_HOME", home),
        None => command.env_remove("CARGO_HOME"),
    };
    command.env("CARGO_PROFILE_DEV_DEBUG", "0").env("CARGO_REGISTRIES_LOCAL_TOKEN", "secret");
    Call::of(command)
}
