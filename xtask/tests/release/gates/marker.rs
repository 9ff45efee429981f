//! Whether HEAD asks for a release.

use crate::world::{BASE, Row3, below, check, given, index, silent};

const MARKER: &[Row3] = &[
    ("a world without refusals", |_, _| {}, "release core cons (0)"),
    ("E-NO-MARKER", |f, _| f.checkout.head.message = "core (#1)".to_owned(), "E-NO-MARKER (10)"),
    (
        "nothing else is asked then",
        |f, _| {
            f.checkout.head.message = "core (#1)".to_owned();
            f.remote = silent();
            f.index.clear();
        },
        "E-NO-MARKER (10)",
    ),
    (
        "skipped",
        |f, o| {
            f.checkout.head.message = "core (#1)".to_owned();
            o.if_marked = true;
        },
        "E-NO-MARKER (0)",
    ),
    ("M4", |f, _| f.checkout.head.message = "[Release] core".to_owned(), "E-MARKER-MALFORMED (11)"),
    (
        "M4 is no skip",
        |f, o| {
            f.checkout.head.message = "[Release] core".to_owned();
            o.if_marked = true;
        },
        "E-MARKER-MALFORMED (11)",
    ),
    ("S4", |f, _| below(f, "L2", "L1 [release]"), "E-MARKER-BELOW-TOP (11)"),
    (
        "S12: in one push",
        |f, o| {
            below(f, "L2", "L1 [release]");
            o.if_marked = true;
            o.since = Some(BASE.to_owned());
        },
        "E-MARKER-BELOW-TOP (11)",
    ),
    (
        "S13: in an earlier push",
        |f, o| {
            below(f, "L2", "L1 [release]");
            o.if_marked = true;
            o.since = Some("bbbbbbb222".to_owned());
        },
        "E-NO-MARKER (0)",
    ),
    (
        "M1: below a tag it is the release that was",
        |f, _| {
            below(f, "fix", "L1 [release]");
            f.local_tag = Some("bbbbbbb222".to_owned());
        },
        "E-NO-MARKER (10)",
    ),
    (
        "below a published crate too",
        |f, _| {
            below(f, "fix", "L1 [release]");
            f.index[0] = index("core", &[("1.1.0", "other", false)]);
        },
        "E-NO-MARKER (10)",
    ),
    (
        "a registry that does not say frees nobody",
        |f, _| {
            below(f, "L2", "L1 [release]");
            f.index.clear();
        },
        "E-MARKER-BELOW-TOP E-REGISTRY-UNREADABLE E-REGISTRY-UNREADABLE (11)",
    ),
    ("two marks", |f, _| below(f, "L2 [release]", "L1 [release]"), "E-MARKER-TWICE (11)"),
    (
        "two marks, one acknowledged",
        |f, o| {
            below(f, "L2 [release]", "L1 [release]");
            o.acknowledged.push(given("bbbbbbb"));
        },
        "release core cons (0)",
    ),
    (
        "an acknowledgement of another commit",
        |f, o| {
            below(f, "L2 [release]", "L1 [release]");
            o.acknowledged.push(given("bbc"));
        },
        "E-MARKER-TWICE (11)",
    ),
];

#[test]
fn the_marker_is_asked_first() {
    check(MARKER);
}
