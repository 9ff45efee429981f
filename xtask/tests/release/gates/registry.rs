//! Whether the registry can take the version.

use crate::world::{HEAD, Row3, check, index, remote, silent};
use xtask::release::{Facts, Mode, Resume};

const REGISTRY: &[Row3] = &[
    ("S22", |f, _| f.index[0] = index("core", &[("1.1.0", "other", false)]), "E-BURNED (50)"),
    ("C71: build metadata", |f, _| f.index[0] = index("core", &[("1.1.0+b", "c0de", false)]), "E-BURNED (50)"),
    (
        "nothing to compare with",
        |f, _| {
            f.index[0] = index("core", &[("1.1.0", "c0de", false)]);
            f.packages = silent();
        },
        "E-BURNED (50)",
    ),
    ("G9: elsewhere", |f, _| f.local_tag = Some("12ab".to_owned()), "E-TAG (50)"),
    ("G9: elsewhere on the remote", |f, _| remote(f).tag = Some("12ab".to_owned()), "E-TAG (50)"),
    ("G9: at HEAD", |f, _| f.local_tag = Some(HEAD.to_owned()), "release core cons (0)"),
    (
        "C106 c: the tag is not moved to finish",
        |f, o| {
            out(f);
            remote(f).tag = Some("12ab".to_owned());
            o.resume = Resume::AtTip;
        },
        "E-TAG E-ALREADY-RELEASED (50)",
    ),
    ("C104", |f, _| f.index[0] = index("core", &[("1.1.0", "other", true)]), "E-BURNED E-YANKED (50)"),
    (
        "C104: yanked, the same bytes, finishing",
        |f, o| {
            f.index[0] = index("core", &[("1.1.0", "c0de", true)]);
            o.resume = Resume::AtTip;
        },
        "E-YANKED (50)",
    ),
    ("R9", |f, _| f.index[0] = index("core", &[("1.0.0", "a", false), ("1.2.0", "b", true)]), "E-VERSION-LOWER (50)"),
    (
        "a release after its candidate",
        |f, _| f.index[0] = index("core", &[("1.1.0-rc.1", "b", false)]),
        "release core cons (0)",
    ),
    ("R1", |f, _| out(f), "E-ALREADY-RELEASED (50)"),
    (
        "C106 a: only the tag",
        |f, o| {
            out(f);
            o.resume = Resume::AtTip;
        },
        "release (0)",
    ),
    (
        "nothing left to finish",
        |f, o| {
            out(f);
            remote(f).tag = Some(HEAD.to_owned());
            o.resume = Resume::AtTip;
        },
        "E-ALREADY-RELEASED (50)",
    ),
    ("R3", |f, _| f.index[0] = index("core", &[("1.1.0", "c0de", false)]), "E-PARTIAL (50)"),
    (
        "R3: finished",
        |f, o| {
            f.index[0] = index("core", &[("1.1.0", "c0de", false)]);
            o.resume = Resume::AtTip;
        },
        "release cons (0)",
    ),
    ("R11", |f, _| f.index[0].rows = silent(), "E-REGISTRY-UNREADABLE (60)"),
    ("a crate nobody asked for", |f, _| f.index.truncate(1), "E-REGISTRY-UNREADABLE (60)"),
    ("R13: a new crate", |f, _| f.index[1] = index("cons", &[]), "release core cons (0)"),
    ("R16", |f, _| f.has_token = false, "E-NO-TOKEN (60)"),
    (
        "R16: only planned",
        |f, o| {
            f.has_token = false;
            o.mode = Mode::Plan;
        },
        "release core cons (0)",
    ),
];

fn out(facts: &mut Facts) {
    facts.index = vec![index("core", &[("1.1.0", "c0de", false)]), index("cons", &[("1.1.0", "c0ff", false)])];
}

#[test]
fn the_registry_can_take_the_version() {
    check(REGISTRY);
}
