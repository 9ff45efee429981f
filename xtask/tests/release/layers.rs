//! Which branches belong to a version.

use crate::world::{BASE, HEAD, branch, commit};
use xtask::release::{Absorption, Branch, Fork, Standing, layers};

fn fork(sha: &str, version: &str, on_main: bool) -> Option<Fork> {
    let changelog = branch("x").changelog;
    Some(Fork { commit: commit(sha, "fork", version), on_main, changelog })
}

#[test]
fn a_branch_is_absorbed_open_or_a_rider_for_a_reason() {
    let late = || Branch { fork: fork("late", "1.1.0", true), ..branch("b") };
    let edits = Some("1.1.0 - 30 Nov 2026\n- New.\n- More.\n".to_owned());
    let other_section = Some("1.1.0 - 30 Nov 2026\n- New.\n\n1.0.0 - 1 Nov 2026\n- Better.\n".to_owned());
    let rows: Vec<(&str, Branch, Standing)> = vec![
        ("carries the bump", branch("b"), Standing::Open("branch carries the bump".to_owned())),
        ("other version", Branch { version: Some("1.2.0".to_owned()), ..branch("b") }, Standing::OtherVersion),
        ("no VERSION", Branch { version: None, ..branch("b") }, Standing::OtherVersion),
        (
            "cut from a merged layer",
            Branch { fork: fork("layer", "1.1.0", false), ..branch("b") },
            Standing::Open("cut from a merged layer".to_owned()),
        ),
        (
            "cut from HEAD",
            Branch { fork: fork(HEAD, "1.1.0", true), ..branch("b") },
            Standing::Open("cut from HEAD".to_owned()),
        ),
        (
            "no common history",
            Branch { fork: None, ..branch("b") },
            Standing::Open("shares no history with HEAD".to_owned()),
        ),
        (
            "edits the section",
            Branch { changelog: edits, ..late() },
            Standing::Open("edits the changelog section".to_owned()),
        ),
        ("edits another section", Branch { changelog: other_section, ..late() }, Standing::Rider),
        (
            "a trailer",
            Branch { stack_trailers: vec!["1.1.0".to_owned()], ..late() },
            Standing::Open("has a Release-Stack trailer".to_owned()),
        ),
        (
            "a trailer of another version",
            Branch { stack_trailers: vec!["1.2.0".to_owned()], ..late() },
            Standing::Rider,
        ),
        ("cut between bump and release", late(), Standing::Rider),
        (
            "merged",
            Branch { absorbed: Some(Absorption::Ancestor), ..branch("b") },
            Standing::Absorbed("in the history of HEAD".to_owned()),
        ),
        (
            "squashed",
            Branch { absorbed: Some(Absorption::Squashed { by: BASE.to_owned(), undone: None }), ..branch("b") },
            Standing::Absorbed("the same change as ppppppp".to_owned()),
        ),
    ];
    let version = "1.1.0".parse().expect("a version");
    for (claim, branch, expected) in rows {
        assert_eq!(layers(&[branch], &version, HEAD)[0].standing, expected, "{claim}");
    }
}

#[test]
fn a_version_counts_however_a_branch_spells_it() {
    let rows = [
        ("1.1.0", true),
        ("\u{feff}1.1.0 \r\n", true),
        ("v1.1.0\n", true),
        ("V1.1.0", true),
        ("=1.1.0", true),
        ("1.1.0+x", true),
        ("v1.1.0+x.2\n", true),
        ("1.1", true),
        ("1.1.0\n1.2.0\n", true),
        ("<<<<<<< HEAD\n1.0.0\n=======\n1.1.0\n>>>>>>> l2\n", true),
        ("1.1.0-rc.1", false),
        ("1.1.0-1+x", false),
        ("1.1.1", false),
        ("1.10", false),
        ("11.1.0", false),
        ("1", false),
        ("", false),
    ];
    let version = "1.1.0".parse().expect("a version");
    for (text, counts) in rows {
        let stated = Branch { version: Some(text.to_owned()), ..branch("b") };
        let expected =
            if counts { Standing::Open("branch carries the bump".to_owned()) } else { Standing::OtherVersion };
        assert_eq!(layers(&[stated], &version, HEAD)[0].standing, expected, "{text:?}");
        // Cut from a commit that states the version already, a branch does not carry the bump.
        let late = Branch { fork: fork("late", text, true), ..branch("b") };
        let expected = if counts { Standing::Rider } else { Standing::Open("branch carries the bump".to_owned()) };
        assert_eq!(layers(&[late], &version, HEAD)[0].standing, expected, "{text:?}");
    }
}

#[test]
fn what_is_below_an_absorbed_branch_is_absorbed_and_what_is_above_is_not() {
    let lower = Branch { below: vec!["l2".to_owned()], ..branch("l1") };
    let absorbed = Branch {
        absorbed: Some(Absorption::EachCommit { undone: None }),
        below: vec!["l3".to_owned()],
        ..branch("l2")
    };
    let version = "1.1.0".parse().expect("a version");
    let judged: Vec<_> =
        layers(&[lower, absorbed, branch("l3")], &version, HEAD).into_iter().map(|layer| layer.standing).collect();
    let expected = [
        Standing::Absorbed("part of l2".to_owned()),
        Standing::Absorbed("each commit has a twin on main".to_owned()),
        Standing::Open("branch carries the bump".to_owned()),
    ];
    assert_eq!(judged, expected);
}
