//! The tree is tidy, and tidy sees what it should: each row breaks one rule in a tree that is otherwise clean.

use xtask::{Dependency, Member, Tree, root, tidy};

#[test]
fn the_workspace_is_tidy() {
    let tree = Tree::read(&root()).expect("the workspace can be read");
    let violations = tidy::violations(&tree);
    assert!(violations.is_empty(), "\n{}\n", violations.join("\n"));
}

/// One row: the name of the claim, the files that are written over the clean tree, and what is found then.
type Row = (&'static str, &'static [(&'static str, &'static str)], &'static [&'static str]);

#[test]
fn a_clean_tree_has_no_violation() {
    assert_eq!(tidy::violations(&clean()), Vec::<String>::new());
}

#[test]
fn a_module_uses_lower_groups_only() {
    const LIB: &str = "crates/httpx-client/src/lib.rs";
    const GROUPS: &str = "//! x\n\n// Low.\nmod low;\nmod twin;\n\n/// High.\npub mod high;\n\npub use low::{Deep as Sunk, inner::Flat};\npub use high::Top;\n";
    const TWIN: &str = "crates/httpx-client/src/twin.rs";
    const HIGH: &str = "crates/httpx-client/src/high.rs";
    check(&[
        ("down", &[(LIB, GROUPS), (HIGH, "use crate::low::Deep;\nuse crate::{twin, low::{A, B}};")], &[]),
        ("down by re-export", &[(LIB, GROUPS), (HIGH, "use crate::{Sunk, Flat};")], &[]),
        ("itself", &[(LIB, GROUPS), ("crates/httpx-client/src/high/part.rs", "use crate::high::Top;")], &[]),
        (
            "only told",
            &[(LIB, GROUPS), (TWIN, "// crate::high\n/// [`crate::high`]\nconst A: &str = \"crate::high\";")],
            &[],
        ),
        ("of the file, from an inner module", &[(LIB, GROUPS), (TWIN, "mod inner { use super::Own; }")], &[]),
        (
            "up",
            &[(LIB, GROUPS), (TWIN, "fn f() {\n    crate::high::go();\n}")],
            &[
                "crates/httpx-client/src/twin.rs:2: twin (group 1 of crates/httpx-client/src/lib.rs) uses high (group 2); a module uses lower groups only",
            ],
        ),
        (
            "up by re-export, in braces",
            &[(LIB, GROUPS), (TWIN, "use crate::{\n    Top,\n};")],
            &[
                "crates/httpx-client/src/twin.rs:2: twin (group 1 of crates/httpx-client/src/lib.rs) uses high (group 2); a module uses lower groups only",
            ],
        ),
        (
            "sideways, from a folder",
            &[(LIB, GROUPS), ("crates/httpx-client/src/twin/part.rs", "use crate::low::Deep;")],
            &[
                "crates/httpx-client/src/twin/part.rs:1: twin (group 1 of crates/httpx-client/src/lib.rs) uses low (group 1); a module uses lower groups only",
            ],
        ),
        (
            "up by super",
            &[(LIB, GROUPS), (TWIN, "use super::high::Top;")],
            &[
                "crates/httpx-client/src/twin.rs:1: twin (group 1 of crates/httpx-client/src/lib.rs) uses high (group 2); a module uses lower groups only",
            ],
        ),
        (
            "up by super, from a folder",
            &[
                (LIB, GROUPS),
                ("crates/httpx-client/src/twin/part.rs", "use super::super::{Loose, high};\nuse super::high;"),
            ],
            &[
                "crates/httpx-client/src/twin/part.rs:1: twin (group 1 of crates/httpx-client/src/lib.rs) uses high (group 2); a module uses lower groups only",
            ],
        ),
        (
            "a thing of the root",
            &[(LIB, GROUPS), (HIGH, "use crate::Loose;")],
            &[
                "crates/httpx-client/src/high.rs:1: high uses crate::Loose, which crates/httpx-client/src/lib.rs neither lists as a module nor re-exports from one",
            ],
        ),
        (
            "not Rust",
            &[(LIB, GROUPS), (HIGH, "fn f() {")],
            &["crates/httpx-client/src/high.rs: cannot be read as Rust: cannot parse string into token stream"],
        ),
    ]);
}

#[test]
fn arrows_between_crates_go_down_only() {
    let rows: &[(&str, &str, &str, bool, &[&str])] = &[
        ("down", "httpx-client", "httpx-retry", false, &[]),
        ("tests of a consumer", "httpx-registry", "httpx-faults", true, &[]),
        ("a crate from outside", "httpx-retry", "http", false, &[]),
        (
            "up",
            "httpx-retry",
            "httpx-client",
            false,
            &[
                "crates/httpx-retry/Cargo.toml: httpx-retry (floor 0) depends on httpx-client (floor 1); arrows go down only",
            ],
        ),
        (
            "sideways, in tests",
            "httpx-retry",
            "httpx-faults",
            true,
            &[
                "crates/httpx-retry/Cargo.toml: httpx-retry (floor 0) depends on httpx-faults (floor 0); arrows go down only",
            ],
        ),
        (
            "a consumer past the client",
            "httpx-registry",
            "httpx-retry",
            false,
            &[
                "crates/httpx-registry/Cargo.toml: the consumer httpx-registry depends on httpx-retry; it may name httpx-client only, and httpx-faults in dev-dependencies",
            ],
        ),
        (
            "the engine",
            "httpx-cli",
            "reqwest",
            false,
            &["crates/httpx-cli/Cargo.toml: httpx-cli depends on reqwest; only httpx-bench and httpx-client may"],
        ),
        (
            "a crate without a floor",
            "httpx-new",
            "http",
            false,
            &["crates/httpx-new/Cargo.toml: httpx-new has no floor; give it a row in xtask/src/floors.rs"],
        ),
    ];
    for (claim, from, to, dev, expected) in rows {
        let mut tree = clean();
        tree.members.push(member(from, &[(to, *dev)]));
        assert_eq!(tidy::violations(&tree), *expected, "{claim}");
    }
}

#[test]
fn there_is_one_version() {
    check(&[
        (
            "VERSION moved alone",
            &[("VERSION", "0.2.0\n")],
            &[
                "crates/httpx-client/Cargo.toml: httpx-client has version 0.1.0, VERSION says 0.2.0",
                "Cargo.toml: workspace.package.version is 0.1.0, VERSION says 0.2.0",
                "Cargo.toml: the version of httpx-retry is 0.1.0, VERSION says 0.2.0",
                "changelog.txt:1: the first line is \"0.1.0 - 30 Nov 2026\", it must be \"0.2.0 - D Mon YYYY\"",
                "README.md:1: httpx-client is asked for as \"0.1\", VERSION 0.2.0 makes it \"0.2\"",
            ],
        ),
        (
            "no version",
            &[("VERSION", "one\n")],
            &["VERSION: \"one\" is not a version: unexpected character 'o' while parsing major version number"],
        ),
    ]);
}

#[test]
fn the_documents_show_the_tables_of_the_code() {
    check(&[
        (
            "an old table",
            &[("docs/RULE.md", "<!-- rule table: begin -->\n\n| old |\n\n<!-- rule table: end -->\n")],
            &[
                "docs/RULE.md: the rule table is not the one that the default policy prints; `cargo xtask tidy --write` renews it",
            ],
        ),
        (
            "no place for it",
            &[("docs/RULE.md", "Hello\n")],
            &[
                "docs/RULE.md: the lines \"<!-- rule table: begin -->\" and \"<!-- rule table: end -->\" around the rule table are missing",
            ],
        ),
        (
            "old settings",
            &[("docs/SETTINGS.md", "<!-- option table: begin -->\n<!-- option table: end -->\n")],
            &[
                "docs/SETTINGS.md: the option table is not the one that `Config` has; `cargo xtask tidy --write` renews it",
            ],
        ),
    ]);
}

#[test]
fn a_consumer_says_no_word_of_retrying() {
    let mut tree = clean();
    tree.members.push(member("httpx-registry", &[]));
    insert(&mut tree, "crates/httpx-registry/src/lib.rs", "//! Reads.\n// Backoff is not ours.\n");
    let expected =
        ["crates/httpx-registry/src/lib.rs:2: says \"backoff\"; httpx-registry inherits the client's default"];
    assert_eq!(tidy::violations(&tree), expected);
}

#[test]
fn code_is_finished_and_not_silenced() {
    const AT: &str = "crates/httpx-client/src/a.rs";
    const TEST: &str = "crates/httpx-client/tests/a.rs";
    check(&[
        ("told only", &[(AT, "/// `x.unwrap()`, `todo!()`\nconst A: &str = \"dbg!(1)\"; // #[ignore]")], &[]),
        (
            "in tests",
            &[(AT, "#[cfg(test)]\nmod tests { fn f() { x.unwrap() } }"), (TEST, "fn f() { x.unwrap() }")],
            &[],
        ),
        ("expect", &[(AT, "#[expect(dead_code, reason = \"soon\")]\nfn f() { x.expect(\"it holds\") }")], &[]),
        (
            "unwrap",
            &[(AT, "fn f() {\n    x\n        .unwrap();\n}")],
            &[
                "crates/httpx-client/src/a.rs:3: unwrap() stands here; return the error, or write expect(\"why it holds\")",
            ],
        ),
        (
            "todo",
            &[(TEST, "fn f() { todo!() }")],
            &["crates/httpx-client/tests/a.rs:1: todo! stands here; write what is missing"],
        ),
        (
            "ignored",
            &[(TEST, "#[test]\n#[ignore = \"slow\"]\nfn f() {}")],
            &["crates/httpx-client/tests/a.rs:2: #[ignore] stands here; a test runs or does not exist"],
        ),
        (
            "silenced",
            &[(AT, "#![allow(dead_code)]")],
            &["crates/httpx-client/src/a.rs:1: #![allow(…)] stands here; write #![expect(…, reason = \"…\")]"],
        ),
    ]);
}

#[test]
fn manifests_are_complete_and_sorted() {
    const AT: &str = "crates/httpx-client/Cargo.toml";
    check(&[
        (
            "nothing declared",
            &[(AT, "[package]\nname = \"httpx-client\"\n")],
            &[
                "crates/httpx-client/Cargo.toml: package.publish is missing; say true or false",
                "crates/httpx-client/Cargo.toml: [lints] workspace = true is missing",
            ],
        ),
        (
            "beside the table",
            &[(
                AT,
                "[package]\npublish = true\n[dependencies]\nbytes = \"1\"\n[target.'cfg(unix)'.dev-dependencies]\nlibc = { version = \"1\" }\n[lints]\nworkspace = true\n",
            )],
            &[
                "crates/httpx-client/Cargo.toml: libc must come from the workspace: libc.workspace = true",
                "crates/httpx-client/Cargo.toml: bytes must come from the workspace: bytes.workspace = true",
            ],
        ),
        (
            "unsorted",
            &[(
                AT,
                "[package]\npublish = true\n[dependencies]\nurl.workspace = true\n# why\nbytes.workspace = true\n[lints]\nworkspace = true\n",
            )],
            &["crates/httpx-client/Cargo.toml:6: bytes stands after url; dependencies are sorted"],
        ),
    ]);
}

#[test]
fn files_are_short_and_name_no_machine() {
    let mut tree = clean();
    insert(&mut tree, "crates/httpx-client/tests/long.rs", &"// line\n".repeat(401));
    insert(&mut tree, "crates/httpx-client/tests/most.rs", &"// line\n".repeat(400));
    for at in 0..3 {
        insert(&mut tree, &format!("crates/httpx-client/tests/short{at}.rs"), "// line\n");
    }
    let expected = ["crates/httpx-client/tests/long.rs: 401 lines; at most 400, one idea a file"];
    assert_eq!(tidy::violations(&tree), expected);

    let mut tree = clean();
    insert(&mut tree, "crates/httpx-client/tests/middling.rs", &"// line\n".repeat(250));
    assert_eq!(tidy::violations(&tree), ["the median Rust file has 250 lines; it must have fewer than 250"]);

    check(&[
        ("an address", &[("notes.md", "https://example.com/work/tmp/x and `target/tmp/`")], &[]),
        (
            "a path",
            &[("notes.md", "Run\ncd /tmp/build")],
            &["notes.md:2: /tmp/build is a path of one machine; make a temporary folder or take it as an argument"],
        ),
        (
            "a registry",
            &[("notes.md", "see https://crates.io/crates/x")],
            &["notes.md:1: crates.io is a package registry; tests and documents name none"],
        ),
    ]);
}

#[test]
fn links_lead_to_files_that_have_what_they_name() {
    const LIB: &str = "crates/httpx-client/src/lib.rs";
    check(&[
        (
            "elsewhere, here, to a folder",
            &[("docs/a.md", "[x](https://example.test/y) [y](#z) [z](../crates) [`x`](../README.md#a)")],
            &[],
        ),
        (
            "an item",
            &[("docs/a.md", "[`x::Held`](../crates/httpx-client/src/lib.rs)"), (LIB, "//! x\nstruct Held;")],
            &[],
        ),
        ("nowhere", &[("docs/a.md", "\n[x](b.md)")], &["docs/a.md:2: the link to b.md leads nowhere"]),
        (
            "an item that has gone",
            &[("docs/a.md", "[`gone`](../crates/httpx-client/src/lib.rs)"), (LIB, "//! x")],
            &["docs/a.md:1: crates/httpx-client/src/lib.rs has no gone"],
        ),
    ]);
}

#[track_caller]
fn check(rows: &[Row]) {
    for (claim, files, expected) in rows {
        let mut tree = clean();
        for (path, text) in *files {
            insert(&mut tree, path, text);
        }
        assert_eq!(tidy::violations(&tree), *expected, "{claim}");
    }
}

/// One crate, and the files around it, without any violation.
fn clean() -> Tree {
    let mut tree = Tree { members: vec![member("httpx-client", &[])], ..Tree::default() };
    tree.rule_table = "| a | b |\n".to_owned();
    tree.option_table = "| c | d |\n".to_owned();
    insert(&mut tree, "docs/SETTINGS.md", "<!-- option table: begin -->\n\n| c | d |\n\n<!-- option table: end -->\n");
    insert(&mut tree, "VERSION", "0.1.0\n");
    insert(&mut tree, "changelog.txt", "0.1.0 - 30 Nov 2026\n- First.\n");
    insert(&mut tree, "docs/RULE.md", "<!-- rule table: begin -->\n\n| a | b |\n\n<!-- rule table: end -->\n");
    insert(&mut tree, "README.md", "httpx-client = \"0.1\"\n");
    insert(
        &mut tree,
        "Cargo.toml",
        "[workspace.package]\nversion = \"0.1.0\"\n[workspace.dependencies]\nhttpx-retry = { path = \"x\", version = \"0.1.0\" }\nurl = \"2\"\n",
    );
    insert(
        &mut tree,
        "crates/httpx-client/Cargo.toml",
        "[package]\npublish = true\n[dependencies]\nbytes.workspace = true\n[lints]\nworkspace = true\n",
    );
    tree
}

fn member(name: &str, dependencies: &[(&str, bool)]) -> Member {
    Member {
        name: name.to_owned(),
        folder: format!("crates/{name}"),
        version: "0.1.0".to_owned(),
        dependencies: dependencies
            .iter()
            .map(|(name, dev)| Dependency { name: (*name).to_owned(), dev: *dev })
            .collect(),
    }
}

fn insert(tree: &mut Tree, path: &str, text: &str) {
    tree.files.insert(path.to_owned(), text.to_owned());
}
