//! What crates need of each other, however a manifest says so: it decides in which order they go out.
//!
//! By name alone `cons` would go before `core`, which it needs.

use crate::{
    repository::Repository,
    scenario::{refused, released},
};
use serde_json::Value;

const BOTH: [&str; 2] = ["core 1.1.0", "cons 1.1.0"];

/// The kinds of needs that a package keeps.
const TABLES: [&str; 4] =
    ["[dependencies]", "[build-dependencies]", "[target.'cfg(windows)'.dependencies]", "[dev-dependencies]"];

/// 1.1.0, whose upper crate needs the lower one under another name, in this table and with this said of it.
fn landed(table: &str, need: &str) -> Repository {
    Repository::landed(|r| {
        let own = format!("{table}\nlower = {{ package = \"core\", registry = \"local\", {need} }}\n");
        r.replace("crates/cons/Cargo.toml", "[dependencies]\ncore.workspace = true\n", &own);
        r.write("crates/cons/src/lib.rs", "");
        if !need.contains("path") {
            // By name and registry alone; a patch of the workspace leads to the folder.
            let manifest = r.read("Cargo.toml");
            r.write("Cargo.toml", &format!("{manifest}[patch.local]\ncore = {{ path = \"crates/core\" }}\n"));
        }
    })
}

#[test]
fn a_need_of_any_kind_and_under_any_name_goes_out_before() {
    for table in TABLES {
        released(&landed(table, "path = \"../core\", version = \"1.1.0\""), &BOTH);
    }
}

#[test]
fn a_need_without_a_path_is_one_by_its_name_and_registry() {
    for table in TABLES {
        let repository = landed(table, "version = \"1.1.0\"");
        // Cargo packages such a crate only once the lower one is out.
        let call = refused(&repository, &["--json"], 70, &["E-PACKAGE"]);
        assert!(
            call.stderr.contains("failed to select a version for the requirement `core = \"^1.1.0\"`"),
            "{table}: {}",
            call.stderr
        );
        let report: Value = serde_json::from_str(&call.stdout).expect("the report is JSON");
        let order = [&report["crates"][0]["name"], &report["crates"][1]["name"]];
        assert_eq!(order, ["core", "cons"], "{table}");
    }
}

#[test]
fn a_need_without_a_path_states_the_version_that_is_released() {
    // Cargo would package it against the published 1.0.0, and let it out before the 1.1.0 that it was built with here.
    for table in TABLES {
        let call = refused(&landed(table, "version = \"1.0.0\""), &[], 30, &["E-VERSION-MISMATCH"]);
        assert!(call.stderr.contains("VERSION 1.1.0, cons requires core ^1.0.0"), "{table}: {}", call.stderr);
    }
}

#[test]
fn a_need_that_a_package_would_look_for_elsewhere_is_refused() {
    let need = "core = { path = \"../core\", version = \"1.1.0\" }";
    let repository = Repository::landed(|r| r.replace("crates/cons/Cargo.toml", "core.workspace = true", need));
    let call = refused(&repository, &[], 30, &["E-MEMBER-UNDECLARED"]);
    let told = "crate cons needs core, and its package would look for it in crates-io";
    assert!(call.stderr.contains(told), "{}", call.stderr);
}
