//! Whether HEAD is the tip of main.

use crate::world::{Row3, below, branch, check, later, remote, silent, with_branches};
use xtask::release::{Facts, Resume};

const GIT: &[Row3] = &[
    ("G3", |f, _| f.checkout.branch = None, "E-DETACHED (20)"),
    (
        "detached where --at says",
        |f, o| {
            f.checkout.branch = None;
            o.resume = Resume::At("aaaaaaa".to_owned());
        },
        "release core cons (0)",
    ),
    ("on another commit than --at says", |_, o| o.resume = Resume::At("bbbbbbb".to_owned()), "E-DETACHED (20)"),
    ("G1 and G2", |f, _| f.checkout.branch = Some("release/1.0".to_owned()), "E-NOT-MAIN (20)"),
    ("E-DIRTY", |f, _| f.checkout.dirty.push("notes".to_owned()), "E-DIRTY (20)"),
    ("G5", |f, _| f.checkout.shallow = true, "E-SHALLOW (20)"),
    ("a partial clone", |f, _| f.checkout.partial = true, "E-SHALLOW (20)"),
    ("a clone that hides what was pushed, where HEAD asks for nothing", |f, _| hidden(f), "E-SHALLOW (20)"),
    (
        "the same, and it was pushed since a commit that is hidden",
        |f, o| {
            hidden(f);
            o.if_marked = true;
            o.since = Some("bbbbbbb222".to_owned());
        },
        "E-SHALLOW (20)",
    ),
    (
        "the same, and what was pushed is seen",
        |f, o| {
            hidden(f);
            below(f, "core (#1)", "base");
            o.if_marked = true;
            o.since = Some("bbbbbbb222".to_owned());
        },
        "E-NO-MARKER (0)",
    ),
    (
        "the same, and only HEAD counts",
        |f, o| {
            hidden(f);
            o.if_marked = true;
        },
        "E-NO-MARKER (0)",
    ),
    ("G7", |f, _| f.remote = silent(), "E-REFS-STALE (20)"),
    ("a remote without branches", |f, _| remote(f).heads.clear(), "E-REFS-STALE (20)"),
    ("not fetched", |f, _| remote(f).heads[0].fetched = None, "E-REFS-STALE (20)"),
    (
        "a branch that nobody looked into",
        |f, _| {
            with_branches(f, vec![branch("l2")]);
            remote(f).branches.clear();
        },
        "E-REFS-STALE (20)",
    ),
    (
        "E-UNPUSHED",
        |f, _| remote(f).main.as_mut().expect("the world has a main branch").has_head = false,
        "E-UNPUSHED (20)",
    ),
    ("main is not known here", |f, _| remote(f).main = None, "E-UNPUSHED (20)"),
    ("S24", |f, _| later(f, "1.1.0"), "E-NOT-TIP (20)"),
    ("main moved on, with the version spelled otherwise", |f, _| later(f, "v1.1.0+x"), "E-NOT-TIP (20)"),
    ("main moved on to another version", |f, _| later(f, "1.2.0"), "release core cons (0)"),
    (
        "main moved on, and nothing is out that a resumed release could finish",
        |f, o| {
            later(f, "1.1.0");
            o.resume = Resume::AtTip;
        },
        "E-NOT-TIP (20)",
    ),
    ("E-IN-PROGRESS", |f, _| f.checkout.in_progress = Some("merge".to_owned()), "E-IN-PROGRESS (20)"),
];

#[test]
fn head_is_the_tip_of_main_and_the_remote_is_seen() {
    check(GIT);
}

/// An unmarked HEAD in a clone that ends within the run.
fn hidden(facts: &mut Facts) {
    facts.checkout.shallow = true;
    facts.run_is_whole = false;
    facts.checkout.head.message = "core (#1)".to_owned();
}
