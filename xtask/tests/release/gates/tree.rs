//! Whether the files agree.

use crate::world::{Row3, check, member, members, need, silent};
use xtask::release::Facts;

const TREE: &[Row3] = &[
    ("no VERSION", |f, _| f.tree.version = None, "E-VERSION-SYNTAX (30)"),
    ("T3: v", |f, _| f.tree.version = Some("v1.1.0\n".to_owned()), "E-VERSION-SYNTAX (30)"),
    ("T3: two parts", |f, _| f.tree.version = Some("1.1\n".to_owned()), "E-VERSION-SYNTAX (30)"),
    ("T3: build metadata", |f, _| f.tree.version = Some("1.1.0+b1\n".to_owned()), "E-VERSION-SYNTAX (30)"),
    ("T3: two lines", |f, _| f.tree.version = Some("1.1.0\n1.1.0\n".to_owned()), "E-VERSION-SYNTAX (30)"),
    ("T3: no final newline", |f, _| f.tree.version = Some("1.1.0".to_owned()), "release core cons (0)"),
    ("C98: white space", |f, _| f.tree.version = Some("\u{feff}1.1.0 \r\n".to_owned()), "release core cons (0)"),
    ("T1", |f, _| f.tree.manifest = f.tree.manifest.replace("1.1.0", "1.0.0"), "E-VERSION-MISMATCH (30)"),
    ("a crate", |f, _| members(f)[1].version = "1.0.0".to_owned(), "E-VERSION-MISMATCH (30)"),
    ("T1: a requirement", |f, _| needs(f, "^1.0"), "E-VERSION-MISMATCH (30)"),
    ("a requirement of two parts", |f, _| needs(f, "^1.1"), "release core cons (0)"),
    ("exactly", |f, _| needs(f, "=1.1.0"), "release core cons (0)"),
    ("at most", |f, _| needs(f, "<=1.1.0"), "E-VERSION-MISMATCH (30)"),
    ("no requirement", |f, _| needs(f, "*"), "E-MEMBER-UNDECLARED (30)"),
    ("E-LOCK", |f, _| f.tree.lock_tracked = false, "E-LOCK (30)"),
    ("E-LOCK: would change", |f, _| f.tree.locked = silent(), "E-LOCK (30)"),
    ("C100: no publish", |f, _| members(f)[1].declared = false, "E-MEMBER-UNDECLARED (30)"),
    ("C100: a needed crate stays", |f, _| members(f)[1].publishable = false, "E-MEMBER-UNDECLARED (30)"),
    ("C100: beside the crates", |f, _| f.tree.strays.push("crates/x/VERSION".to_owned()), "E-MEMBER-UNDECLARED (30)"),
    (
        "a crate that may go to this registry",
        |f, _| members(f)[1].registries = Some(vec!["other".to_owned(), "crates-io".to_owned()]),
        "release core cons (0)",
    ),
    (
        "a crate that may go elsewhere only",
        |f, _| members(f)[1].registries = Some(vec!["other".to_owned()]),
        "E-MEMBER-UNDECLARED (30)",
    ),
    ("cargo says nothing", |f, _| f.tree.members = silent(), "E-MEMBER-UNDECLARED (30)"),
    ("no crate at all", |f, _| f.tree.members = Ok(Vec::new()), "E-MEMBER-UNDECLARED (30)"),
    (
        "an unpublished crate that is declared",
        |f, _| {
            let mut tool = member("tool", Vec::new());
            tool.publishable = false;
            members(f).push(tool);
        },
        "release core cons (0)",
    ),
    ("no changelog", |f, _| f.tree.changelog = None, "E-CHANGELOG-SECTION (30)"),
    ("C98: an older section", |f, _| changelog(f, "1.0.0 - 1 Nov 2026\n- x\n"), "E-CHANGELOG-SECTION (30)"),
    ("no bullet", |f, _| changelog(f, "1.1.0 - 1 Nov 2026\n\nprose\n"), "E-CHANGELOG-SECTION (30)"),
    ("an empty bullet", |f, _| changelog(f, "1.1.0 - 1 Nov 2026\n- \n-\n* TBD\n"), "E-CHANGELOG-SECTION (30)"),
    ("an empty bullet beside another", |f, _| changelog(f, "1.1.0 - 1 Nov 2026\n- \n- x\n"), "release core cons (0)"),
    ("twice", |f, _| changelog(f, "1.1.0 - 1 Nov 2026\n- x\n1.1.0 - 1 Nov 2026\n- x\n"), "E-CHANGELOG-SECTION (30)"),
    (
        "unreleased",
        |f, _| changelog(f, "Unreleased\n- y\n1.1.0 - 1 Nov 2026\n- x\n"),
        "E-CHANGELOG-SECTION E-CHANGELOG-SECTION (30)",
    ),
    ("to be dated", |f, _| changelog(f, "1.1.0 - TBD\n- x\n"), "E-CHANGELOG-SECTION E-CHANGELOG-DATE (30)"),
    ("T5: none", |f, _| changelog(f, "1.1.0\n- x\n"), "E-CHANGELOG-DATE (30)"),
    ("T5: 31 Feb", |f, _| changelog(f, "1.1.0 - 31 Feb 2026\n- x\n"), "E-CHANGELOG-DATE (30)"),
    ("T5: ISO", |f, _| changelog(f, "1.1.0 - 2026-11-30\n- x\n"), "E-CHANGELOG-DATE (30)"),
    ("T5: future", |f, _| changelog(f, "1.1.0 - 2 Dec 2026\n- x\n"), "E-CHANGELOG-DATE (30)"),
    ("T5: tomorrow", |f, _| changelog(f, "1.1.0 - 1 Dec 2026\n- x\n"), "release core cons (0)"),
    ("T5: older", |f, _| changelog(f, "1.1.0 - 1 Nov 2026\n- x\n1.0.0 - 2 Nov 2026\n- x\n"), "E-CHANGELOG-DATE (30)"),
    ("T5: equal", |f, _| changelog(f, "1.1.0 - 1 Nov 2026\n- x\n1.0.0 - 1 Nov 2026\n- x\n"), "release core cons (0)"),
    (
        "below a bullet",
        |f, _| changelog(f, "1.1.0 - 1 Nov 2026\n- x\n- BEHAVIOUR CHANGE: y\n"),
        "E-CHANGELOG-ORDER (30)",
    ),
    ("misspelled", |f, _| changelog(f, "1.1.0 - 1 Nov 2026\n- Behaviour change: y\n"), "E-CHANGELOG-ORDER (30)"),
    ("leading", |f, _| changelog(f, "1.1.0 - 1 Nov 2026\n- BEHAVIOUR CHANGE: y\n- x\n"), "release core cons (0)"),
    (
        "T8",
        |f, _| drop(f.tree.readmes.insert("README.md".to_owned(), "core = \"1.0.0\"".to_owned())),
        "E-README-STALE (30)",
    ),
];

fn needs(facts: &mut Facts, requirement: &str) {
    members(facts)[0].needs = vec![need(requirement)];
}

fn changelog(facts: &mut Facts, text: &str) {
    facts.tree.changelog = Some(text.to_owned());
}

#[test]
fn the_files_agree_on_one_version() {
    check(TREE);
}
