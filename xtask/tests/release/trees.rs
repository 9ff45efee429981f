//! T: the files of HEAD, and what CI left.

use crate::{
    repository::Repository,
    scenario::{refused, refused_as_it_is, released},
};

#[test]
fn t1_versions_that_differ_are_refused() {
    let manifest = Repository::landed(|r| {
        r.replace("Cargo.toml", "[workspace.package]\nversion = \"1.1.0\"", "[workspace.package]\nversion = \"1.0.0\"")
    });
    let call = refused(&manifest, &[], 30, &["E-VERSION-MISMATCH", "E-LOCK"]);
    assert!(call.stderr.contains("VERSION 1.1.0, Cargo.toml 1.0.0"), "{}", call.stderr);
    let requirement =
        Repository::landed(|r| r.replace("Cargo.toml", "version = \"1.1.0\", registry", "version = \"1.0\", registry"));
    let call = refused(&requirement, &[], 30, &["E-VERSION-MISMATCH"]);
    assert!(call.stderr.contains("cons requires core ^1.0"), "{}", call.stderr);
}

#[test]
fn t3_a_version_is_one_strict_line() {
    for text in ["v1.1.0\n", "1.1\n", "1.1.0+b1\n", "1.1.0\n1.1.1\n"] {
        refused(&Repository::landed(|r| r.write("VERSION", text)), &[], 30, &["E-VERSION-SYNTAX"]);
    }
    released(&Repository::landed(|r| r.write("VERSION", "1.1.0")), &["core 1.1.0", "cons 1.1.0"]);
}

#[test]
fn t5_and_c98_the_changelog_has_the_version_and_its_date() {
    let rows = [
        ("1.1.0 - 2 Dec 2026", &["E-CHANGELOG-DATE"]),
        ("1.1.0 - 31 Feb 2026", &["E-CHANGELOG-DATE"]),
        ("1.1.0", &["E-CHANGELOG-DATE"]),
        ("1.1.0 - 2026-11-30", &["E-CHANGELOG-DATE"]),
        ("1.1.0 - 31 Oct 2026", &["E-CHANGELOG-DATE"]),
        ("1.0.9 - 30 Nov 2026", &["E-CHANGELOG-SECTION"]),
    ];
    for (header, codes) in rows {
        let repository = Repository::landed(|r| r.replace("changelog.txt", "1.1.0 - 30 Nov 2026", header));
        let call = refused(&repository, &[], 30, codes);
        // C98: a mismatch names both.
        let both = "VERSION 1.1.0, changelog.txt begins with 1.0.9";
        assert_eq!(call.stderr.contains(both), header.starts_with("1.0.9"), "{}", call.stderr);
    }
    let equal = Repository::landed(|r| r.replace("changelog.txt", "1.1.0 - 30 Nov 2026", "1.1.0 - 1 Nov 2026"));
    released(&equal, &["core 1.1.0", "cons 1.1.0"]);
}

#[test]
fn t8_a_readme_that_asks_for_another_version_is_refused() {
    refused(&Repository::landed(|r| r.write("README.md", "core = \"1.0.0\"\n")), &[], 30, &["E-README-STALE"]);
    released(&Repository::landed(|r| r.write("README.md", "core = \"1.1\"\n")), &["core 1.1.0", "cons 1.1.0"]);
}

#[test]
fn c98_white_space_around_a_version_is_tolerated() {
    released(&Repository::landed(|r| r.write("VERSION", "\u{feff}1.1.0  \r\n")), &["core 1.1.0", "cons 1.1.0"]);
}

#[test]
fn c98_a_crate_that_pins_the_former_version_of_another_is_refused() {
    let repository = Repository::new();
    repository.bump("2.0.0");
    repository.replace("Cargo.toml", "version = \"2.0.0\", registry", "version = \"1.0\", registry");
    repository.land("x [release]");
    let call = refused(&repository, &[], 30, &["E-VERSION-MISMATCH", "E-LOCK"]);
    assert!(call.stderr.contains("VERSION 2.0.0, cons requires core ^1.0."), "{}", call.stderr);
}

#[test]
fn c100_no_crate_is_forgotten() {
    let manifest = "[package]\nname = \"third\"\nversion.workspace = true\nedition = \"2024\"\n";
    let undeclared = Repository::landed(|r| {
        r.write("crates/third/Cargo.toml", manifest);
        r.write("crates/third/src/lib.rs", "");
    });
    let call = refused(&undeclared, &[], 30, &["E-LOCK", "E-MEMBER-UNDECLARED"]);
    assert!(call.stderr.contains("crate third would be left out of the release"), "{}", call.stderr);
    let unlisted = Repository::landed(|r| {
        r.replace("Cargo.toml", "members = [\"crates/*\"]", "members = [\"crates/core\", \"crates/cons\"]");
        r.write("crates/third/Cargo.toml", manifest);
        r.write("crates/third/src/lib.rs", "");
    });
    refused(&unlisted, &[], 30, &["E-MEMBER-UNDECLARED"]);
    // A folder without a manifest breaks the glob of the members, so they are listed here.
    let no_crate = Repository::landed(|r| {
        r.replace("Cargo.toml", "members = [\"crates/*\"]", "members = [\"crates/core\", \"crates/cons\"]");
        r.write("crates/third/VERSION", "1.1.0\n");
    });
    refused(&no_crate, &[], 30, &["E-MEMBER-UNDECLARED"]);
}

#[test]
fn c100_a_crate_that_is_not_to_be_published_is_told() {
    let repository = Repository::landed(|r| {
        let manifest = "[package]\nname = \"tool\"\nversion.workspace = true\nedition = \"2024\"\npublish = false\n";
        r.write("crates/tool/Cargo.toml", manifest);
        r.write("crates/tool/src/lib.rs", "");
        let lock = r.read("Cargo.lock");
        r.write("Cargo.lock", &format!("{lock}\n[[package]]\nname = \"tool\"\nversion = \"1.1.0\"\n"));
    });
    let call = released(&repository, &["core 1.1.0", "cons 1.1.0"]);
    assert!(call.stderr.contains("publish = false, left out: tool"), "{}", call.stderr);
}

#[test]
fn a_lock_file_that_is_not_tracked_or_not_right_is_refused() {
    let untracked = Repository::landed(|r| {
        r.write(".gitignore", "/target\nCargo.lock\n");
        r.git(&["rm", "--quiet", "--cached", "Cargo.lock"]);
    });
    refused(&untracked, &[], 30, &["E-LOCK"]);
    refused(&Repository::landed(|r| r.replace("Cargo.lock", "1.1.0", "1.0.0")), &[], 30, &["E-LOCK"]);
}

#[test]
fn c1_both_layers_must_be_green_for_this_very_tree() {
    let repository = Repository::landed(|_| {});
    refused_as_it_is(&repository, &[], 70, &["E-GATE", "E-GATE"]);
    let tree = repository.sha("HEAD^{tree}");
    repository.receipt("core", &tree, true);
    let call = refused_as_it_is(&repository, &[], 70, &["E-GATE"]);
    assert!(call.stderr.contains(&format!("consumers: no green run for tree {}", &tree[..7])), "{}", call.stderr);
    repository.receipt("consumers", &tree, false);
    refused_as_it_is(&repository, &[], 70, &["E-GATE"]);
    repository.receipt("consumers", &repository.sha("HEAD~1^{tree}"), true);
    refused_as_it_is(&repository, &[], 70, &["E-GATE"]);
}

#[test]
fn a_consumer_that_does_not_build_against_the_packaged_core_is_refused() {
    let repository = Repository::landed(|r| r.write("crates/cons/src/lib.rs", "pub use layer::missing;\n"));
    let call = refused(&repository, &[], 70, &["E-PACKAGE"]);
    assert!(call.stderr.contains("cargo package fails: error"), "{}", call.stderr);
}
