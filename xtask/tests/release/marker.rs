//! Which titles ask for a release.

use xtask::release::{Mark, mark, number, title};

#[test]
fn m1_to_m11_the_title_alone_asks_for_a_release() {
    let unmarked = || Mark::Unmarked { in_body: None };
    let near = |text: &str| Mark::Malformed(text.to_owned());
    let rows: &[(&str, Mark)] = &[
        ("core (#1)", unmarked()),
        ("", unmarked()),
        ("[release]", Mark::Marked),
        ("[release] t (#1)", Mark::Marked),
        ("t (#1) [release]", Mark::Marked),
        ("t [release] (#114)", Mark::Marked),
        ("  [release]\tt  ", Mark::Marked),
        ("[release] [ci fast] Nextflow version 26.08.0-edge", Mark::Marked),
        ("Merge pull request #1 from o/b\n\nt [release]", Mark::Marked),
        ("Merge pull request #1 from o/b\n\nt\n[release]", Mark::Unmarked { in_body: Some(4) }),
        ("Merge pull request #1 from o/b [release]\n\nt", Mark::Marked),
        ("Merge pull request #1 from o/b", unmarked()),
        ("Merge branch 'l2'\n\nt [release]", Mark::Unmarked { in_body: Some(3) }),
        ("[Release] t", near("[Release]")),
        ("[RELEASE] t", near("[RELEASE]")),
        ("[ release ] t", near("[ release ]")),
        ("[release]: t", near("[release]:")),
        ("t[release]", near("t[release]")),
        ("[ci][Release] t", near("[ci][Release]")),
        ("[Release][ci] t", near("[Release][ci]")),
        ("say [release] now", near("[release]")),
        ("\"x\"[release]", near("\"[release]")),
        ("(release) t", unmarked()),
        ("[releases] t", unmarked()),
        ("release t", unmarked()),
        ("squash\n\n* [release] lib-cloudinfo@1.1.0", Mark::Unmarked { in_body: Some(3) }),
        ("also require marker on master\n\nalso require [release] marker", Mark::Unmarked { in_body: Some(3) }),
        ("Revert \"t [release]\" (#5)", unmarked()),
        ("Revert \"t [release]\" [release] (#5)", Mark::Marked),
        ("Reapply \"t [release]\"", unmarked()),
        ("Revert \"Revert \"t [release]\"\"", unmarked()),
        ("Revert \"[release] t\" [Release]", near("[Release]")),
        ("document the `[release]` marker", unmarked()),
        ("`[release]", near("`[release]")),
        ("\"a\" [release] \"b\"", near("[release]")),
        ("the 5\" disk [release]", Mark::Marked),
        ("an open \" quote [release]", Mark::Marked),
        ("\"a\"s own [release]", Mark::Marked),
        ("say \"a\" and (\"b\") [release]", Mark::Marked),
        ("Revert \"x [release]", near("\"x [release]")),
        ("Revert \"x [release] (#5)", near("\"x [release]")),
        ("Revert \"Revert \"x [release]\"", unmarked()),
        ("Revert \"Revert \"x [release]", near("\"Revert \"x [release]")),
        ("say (\"x [release]", near("\"x [release]")),
        ("say `x [release]", near("`x [release]")),
        ("[release] say \"x", Mark::Marked),
        ("[release] Revert \"x [release]", Mark::Marked),
        ("[release] say `x y", Mark::Marked),
        ("\"x y", unmarked()),
        ("fixup! x", unmarked()),
        ("fixup! x [release]", near("fixup! x [release]")),
        ("fixup! [release] x (#5)", near("fixup! [release] x")),
        ("squash! x [release]", near("squash! x [release]")),
        ("amend! x [release]", near("amend! x [release]")),
        ("fixup! fixup! x [release]", near("fixup! fixup! x [release]")),
        ("fixup! Revert \"x [release]\"", unmarked()),
        ("fixup! x [Release]", near("[Release]")),
        ("[release] fixup! x", Mark::Marked),
        ("fixup the x [release]", Mark::Marked),
    ];
    for (message, expected) in rows {
        assert_eq!(mark(message), *expected, "{message:?}");
    }
}

#[test]
fn a_title_is_the_subject_or_what_the_merged_pull_request_was_called() {
    let rows = [
        ("core (#1)\n\nbody", "core (#1)", Some("#1")),
        ("Merge pull request #12 from o/b\n\nL2 (#12)\n", "L2 (#12)", Some("#12")),
        ("Merge pull request #12 from o/b\r\n\r\nL2\r\n", "L2", None),
        ("fix (#x)", "fix (#x)", None),
    ];
    for (message, expected, pull) in rows {
        assert_eq!(title(message), expected);
        assert_eq!(number(title(message)), pull, "{message:?}");
    }
}
