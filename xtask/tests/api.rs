//! The listings of what the crates show: each row is what is shown, what is recorded, and what is told of it.

use xtask::api::{Listings, differences};

#[test]
fn a_listing_that_is_not_what_its_crate_shows_is_told_line_by_line() {
    type Row = (
        &'static str,
        &'static [(&'static str, &'static str)],
        &'static [(&'static str, &'static str)],
        &'static [&'static str],
    );
    const ROWS: &[Row] = &[
        ("the same", &[("a", "pub fn a::f()\npub fn a::g()\n")], &[("a", "pub fn a::f()\npub fn a::g()\n")], &[]),
        (
            "more is shown",
            &[("a", "pub mod a\npub fn a::f()\n")],
            &[("a", "pub mod a\n")],
            &["docs/api/a.txt: + pub fn a::f()"],
        ),
        (
            "less is shown",
            &[("a", "pub mod a\n")],
            &[("a", "pub mod a\npub fn a::f()\n")],
            &["docs/api/a.txt: - pub fn a::f()"],
        ),
        (
            "changed",
            &[("a", "pub fn a::f(u8)\n")],
            &[("a", "pub fn a::f()\n")],
            &["docs/api/a.txt: + pub fn a::f(u8)", "docs/api/a.txt: - pub fn a::f()"],
        ),
        ("once more", &[("a", "x\nx\n")], &[("a", "x\n")], &["docs/api/a.txt: + x"]),
        (
            "crate without listing",
            &[("a", "pub mod a\n")],
            &[],
            &["docs/api/a.txt: missing; a is published and needs a listing"],
        ),
        (
            "listing without crate",
            &[],
            &[("a", "pub mod a\n")],
            &["docs/api/a.txt: no library called a is published; remove it"],
        ),
    ];
    for (claim, shown, recorded, expected) in ROWS {
        assert_eq!(differences(&listings(shown), &listings(recorded)), *expected, "{claim}");
    }
}

fn listings(of: &[(&str, &str)]) -> Listings {
    of.iter().map(|(name, items)| ((*name).to_owned(), (*items).to_owned())).collect()
}
