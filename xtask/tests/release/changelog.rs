//! What a changelog says, and which forms are near misses.

use jiff::civil::date as day;
use xtask::release::{date, misspells_behaviour, says_something, section, sections, stale};

#[test]
fn the_headers_of_real_changelogs_are_read_as_they_stand() {
    let text = "2.6.0 - 12 Aug 2026\n- a\n0.1.0 - 06 Apr 2026\n1.2.0 - Aug 2025\n1.1.0\n1.22.0 - 20 Aug 2026\n";
    let read: Vec<_> =
        sections(text).into_iter().map(|section| (section.line, section.version, section.date)).collect();
    let expected = [
        (1, "2.6.0", Some("12 Aug 2026")),
        (3, "0.1.0", Some("06 Apr 2026")),
        (4, "1.2.0", Some("Aug 2025")),
        (5, "1.1.0", None),
        (6, "1.22.0", Some("20 Aug 2026")),
    ];
    assert_eq!(read, expected);
}

#[test]
fn prose_and_wrapped_bullets_begin_no_section() {
    let text = "# Changes\n\n1.1.0 - 1 Nov 2026\n- one\n  1.0.5 goes on\n- two\n\nUnreleased\n- three\n";
    let read: Vec<_> = sections(text).into_iter().map(|section| (section.version, section.bullets)).collect();
    assert_eq!(read, [("1.1.0", vec![(4, "one"), (6, "two")]), ("Unreleased", vec![(9, "three")])]);
    assert_eq!(sections(text)[0].body, "- one\n  1.0.5 goes on\n- two");
}

#[test]
fn t5_a_date_is_written_in_one_way() {
    let rows = [
        ("30 Nov 2026", Some(day(2026, 11, 30))),
        ("6 Apr 2026", Some(day(2026, 4, 6))),
        ("06 Apr 2026", Some(day(2026, 4, 6))),
        ("29 Feb 2028", Some(day(2028, 2, 29))),
        ("31 Feb 2026", None),
        ("29 Feb 2026", None),
        ("2026-11-30", None),
        ("Aug 2025", None),
        ("30 November 2026", None),
        ("30 nov 2026", None),
        ("30 Nov 26", None),
        ("30  Nov 2026", None),
        ("+3 Nov 2026", None),
        ("", None),
    ];
    for (text, expected) in rows {
        assert_eq!(date(text), expected, "{text:?}");
    }
}

#[test]
fn a_behaviour_change_is_written_in_one_way() {
    let wrong = [
        "Behaviour change: x",
        "BEHAVIOR CHANGE: x",
        "BEHAVIOUR CHANGES: x",
        "**BEHAVIOUR CHANGE:** x",
        "**BEHAVIOUR CHANGE**: x",
        "BEHAVIOUR CHANGE x",
        "BEHAVIOUR-CHANGE: x",
        "BEHAVOIUR CHANGE: x",
        "behavior change : x",
    ];
    let right = ["BEHAVIOUR CHANGE: x", "The behaviour change: x", "Behaviour of x changes", "x"];
    for bullet in wrong {
        assert!(misspells_behaviour(bullet), "{bullet:?} is to be refused");
    }
    for bullet in right {
        assert!(!misspells_behaviour(bullet), "{bullet:?} is right");
    }
}

#[test]
fn a_bullet_of_no_words_says_nothing() {
    for bullet in ["", "...", "-", "TBD", "tbd.", "(TODO)", "Unreleased", "BEHAVIOUR CHANGE:", "BEHAVIOUR CHANGE: TBD"]
    {
        assert!(!says_something(bullet), "{bullet:?} says nothing");
    }
    for bullet in ["x", "TBD is read as a date no more", "BEHAVIOUR CHANGE: x", "修正"] {
        assert!(says_something(bullet), "{bullet:?} says something");
    }
}

#[test]
fn a_section_is_found_however_its_header_spells_the_version() {
    let version = "1.1.0".parse().expect("a version");
    let text = "1.1.1 - 2 Nov 2026\n- a\nv1.1.0 - 1 Nov 2026\n- b\n1.0.0\n- c\n";
    assert_eq!(section(text, &version).map(|section| section.body), Some("- b".to_owned()));
    assert_eq!(section("1.1.0-rc.1\n- a\n", &version), None);
}

#[test]
fn a_changelog_with_other_line_ends_says_the_same() {
    let text = "\u{feff}1.1.0 - 1 Nov 2026\n- one\n\n- two\n\n1.0.0\n-\n-  \n";
    let with = text.replace('\n', "\r\n");
    assert_eq!(sections(text), sections(&with));
    assert_eq!(sections(text)[0].body, "- one\n\n- two");
    assert_eq!(sections(text)[1].bullets, []);
}

#[test]
fn t8_a_document_asks_for_the_version_by_the_parts_it_states() {
    let version = "1.1.0".parse().expect("a version");
    let rows: &[(&str, bool)] = &[
        ("core = \"1.0.0\"", true),
        ("core = \"1.1\"", false),
        ("core = \"1\"", false),
        ("core = \"2\"", true),
        ("core = \"1.1.0\"", false),
        ("core = \"1.1.1\"", true),
        ("core = \"=1.0.0\"", true),
        ("core = { version = \"1.0\", features = [\"x\"] }", true),
        ("core = { features = [\"x\"], version = \"1.1\" }", false),
        ("    core = \"1.0\"", true),
        ("- `core = \"1.0\"`", true),
        ("[dependencies.core]\nversion = \"1.0\"", true),
        ("[dependencies.core]\nversion = \"1.1\"", false),
        ("[dependencies]\nversion = \"1.0\"", false),
        ("serde = \"1.0\"", false),
        ("core-extra = \"1.0\"", false),
        ("core 1.0 was slow", false),
    ];
    for (text, is_stale) in rows {
        assert_eq!(!stale(text, &["core"], &version).is_empty(), *is_stale, "{text:?}");
    }
}
