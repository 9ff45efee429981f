//! Versions of Nextflow, and what is required of them.

use std::cmp::Ordering;

use httpx_plugin_repo::{NextflowVersion, PluginRef, Requirement};
use proptest::prelude::*;

use crate::support::{nextflow, table};

#[test]
fn c76_the_oracle_holds_row_by_row() {
    let rows: Vec<[String; 3]> = table("nextflow-version-oracle.tsv");
    assert_eq!(rows.len(), 8);
    for [version, requires, satisfied] in rows {
        let requirement: Requirement = requires.parse().unwrap();
        assert_eq!(requirement.matches(&nextflow(&version)).to_string(), satisfied, "{version} {requires}");
    }
}

#[test]
fn c76_calendar_versions_are_versions() {
    for text in ["24.04.4", "23.02.1-edge", "26.08.0-edge", "23.02.01-edge", "22.01.0-SNAPSHOT", "21", "25.04.x_1"] {
        assert_eq!(nextflow(text).as_str(), text);
    }
    for text in
        ["", " ", ".", "-", "x", "latest", "edge-24", ".24", ">=24.04.4", "24.04.4+", "24,04", "24.04 4", "24.04.é"]
    {
        let told = format!("{text:?} is no version of Nextflow; it is like 24.04.4 or 26.08.0-edge");
        assert_eq!(text.parse::<NextflowVersion>().unwrap_err().to_string(), told);
    }
    let told = r#""v24.04.4" is no version of Nextflow; it is like 24.04.4 or 26.08.0-edge, without the v"#;
    assert_eq!("v24.04.4".parse::<NextflowVersion>().unwrap_err().to_string(), told);
}

#[test]
fn c76_every_requirement_of_the_real_index_is_understood() {
    let rows: Vec<[String; 2]> = table("requires-distinct.tsv");
    assert_eq!(rows.len(), 69);
    let understood = rows.iter().filter(|[_, requires]| requires.parse::<Requirement>().is_ok());
    assert_eq!(understood.count(), 69);
    // Each is met by a version that is later than all, but the one that names a single version.
    let late = nextflow("99.01.0");
    let unmet: Vec<_> =
        rows.iter().filter(|[_, requires]| !requires.parse::<Requirement>().unwrap().matches(&late)).collect();
    assert_eq!(unmet, [&["7".to_owned(), "21.01.0-edge".to_owned()]]);
}

#[test]
fn versions_are_compared_part_by_part() {
    for (one, two, order) in [
        ("24.04.4", "24.4.4", Ordering::Equal),
        ("24.04", "24.04.0", Ordering::Equal),
        ("24.04.0", "24.04.0-0", Ordering::Equal),
        ("24.10.0", "24.9.9", Ordering::Greater),
        ("24.04.0", "24.04.0-edge", Ordering::Less),
        ("24.04.0-edge", "24.04.0-rc", Ordering::Less),
        ("24.04.1", "24.04.0-edge", Ordering::Greater),
        ("99999999999999999999", "100000000000000000000", Ordering::Less),
        // No order: each is before the next, and the last before the first.
        ("2", "10", Ordering::Less),
        ("10", "1a", Ordering::Less),
        ("1a", "2", Ordering::Less),
    ] {
        assert_eq!(nextflow(one).compare(&nextflow(two)), order, "{one} {two}");
        assert_eq!(nextflow(two).compare(&nextflow(one)), order.reverse(), "{two} {one}");
    }
}

#[test]
fn requirements_are_nextflows_own() {
    for (requires, version, met) in [
        ("", "24.04.4", true),
        ("*", "24.04.4", true),
        ("24.04.4", "24.04.4", true),
        ("24.04.4", "24.04.5", false),
        ("=24.04.4", "24.4.4", true),
        ("== 24.04.4", "24.04.3", false),
        ("!=24.04.4", "24.04.4", false),
        ("<>24.04.4", "24.04.5", true),
        ("<24.04.4", "24.04.3", true),
        ("<24.04.4", "24.04.4", false),
        ("<=24.04.4", "24.04.4", true),
        (">24.04.4", "24.04.4", false),
        (" >= 24.04.4 ", "24.04.4", true),
        ("nextflow@>=24.04.4", "24.04.3", false),
        (">=24.04.0,<25.0.0", "24.10.1", true),
        (">=24.04.0, <25.0.0", "25.04.0", false),
        ("24.+", "24.10.1", true),
        ("24.+", "25.04.0", false),
        ("24.04+", "24.10.0", true),
        ("24.04+", "24.03.0", false),
        ("24.10.3+", "24.10", false),
        // A snapshot counts as what it will become.
        (">=20.01.0", "20.01.0-SNAPSHOT", true),
        (">=20.01.0-edge", "20.01.0-SNAPSHOT", true),
        (">=20.02.0-edge", "20.01.0-SNAPSHOT", false),
        (">=22.01.0-SNAPSHOT", "22.01.0", false),
    ] {
        assert_eq!(requires.parse::<Requirement>().unwrap().matches(&nextflow(version)), met, "{requires} {version}");
    }
}

#[test]
fn what_is_no_requirement_is_an_error() {
    for text in ["=>24.04", ">=", ">=24.04+", "~24.04", "^24.04", ">=24.04 <25", "soon!", ">=24.04,what?"] {
        let told = format!("{text:?} is no requirement on Nextflow; it is like >=24.04.4");
        assert_eq!(text.parse::<Requirement>().unwrap_err().to_string(), told);
    }
}

#[test]
fn a_plugin_is_named_with_or_without_its_version() {
    for (text, id, version) in [
        ("nf-amazon", "nf-amazon", None),
        ("a@1", "a", Some("1")),
        ("x_y.z@1.0.0-rc.1+b", "x_y.z", Some("1.0.0-rc.1+b")),
    ] {
        let wanted: PluginRef = text.parse().unwrap();
        assert_eq!((wanted.id(), wanted.version(), wanted.to_string().as_str()), (id, version, text));
    }
    for text in ["", "@1", "a@", "a@1@2", "../a", "a/b", "a@../1", ".a", "a b", "a,b", "ä"] {
        let told = format!("{text:?} names no plugin; it is like nf-amazon or nf-amazon@2.1.4");
        assert_eq!(text.parse::<PluginRef>().unwrap_err().to_string(), told);
    }
}

proptest! {
    #[test]
    fn any_two_versions_compare_one_way(one in "[0-9][0-9a-c.-]{0,6}", two in "[0-9][0-9a-c.-]{0,6}") {
        let (one, two) = (nextflow(&one), nextflow(&two));
        prop_assert_eq!(one.compare(&two), two.compare(&one).reverse());
        prop_assert_eq!(one.compare(&one), Ordering::Equal);
        let at_least: Requirement = format!(">={two}").parse().unwrap();
        let below: Requirement = format!("<{two}").parse().unwrap();
        prop_assert_ne!(at_least.matches(&one), below.matches(&one));
    }

    #[test]
    fn no_text_is_too_odd_to_be_read(text in ".*", odd in "[<>=!+*,.@ 0-9a-f-]{0,12}") {
        for text in [text, odd] {
            if let Ok(requirement) = text.parse::<Requirement>() {
                let [plain, snapshot] = ["24.04.4", "24.04.4-SNAPSHOT"].map(|version| requirement.matches(&nextflow(version)));
                prop_assert!(plain == snapshot || text.contains('-'), "{}", text);
                prop_assert_eq!(requirement.to_string(), text.clone());
            }
            if let Ok(wanted) = text.parse::<PluginRef>() {
                prop_assert!(!text.contains(['/', '\\', '&', '#']), "{}", wanted);
            }
        }
    }
}
