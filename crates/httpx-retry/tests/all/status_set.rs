//! Which statuses are transient: the list, and sets made from it.

use http::StatusCode;
use httpx_retry::{Policy, StatusSet, TRANSIENT};

fn code(code: u16) -> StatusCode {
    StatusCode::from_u16(code).expect("a status")
}

fn members(set: &StatusSet) -> Vec<u16> {
    set.iter().map(|status| status.as_u16()).collect()
}

#[test]
fn the_default_set_is_429_500_502_503_504() {
    let expected = [429, 500, 502, 503, 504];
    assert_eq!(members(&StatusSet::default()), expected);
    assert_eq!(members(Policy::default().statuses()), expected);
    assert_eq!(TRANSIENT.iter().map(StatusCode::as_u16).collect::<Vec<_>>(), expected);
}

#[test]
fn of_all_codes_only_members_are_contained() {
    let set = StatusSet::default();
    let contained: Vec<u16> = (100..=999).filter(|number| set.contains(code(*number))).collect();
    assert_eq!(contained, [429, 500, 502, 503, 504]);
}

#[test]
fn sets_are_built_member_by_member_sorted_and_without_doubles() {
    let rows = [
        ("408 is added in front", StatusSet::default().with(code(408)), vec![408, 429, 500, 502, 503, 504]),
        ("425 is added in front", StatusSet::default().with(code(425)), vec![425, 429, 500, 502, 503, 504]),
        ("599 is added at the end", StatusSet::default().with(code(599)), vec![429, 500, 502, 503, 504, 599]),
        ("adding a member changes nothing", StatusSet::default().with(code(503)), vec![429, 500, 502, 503, 504]),
        ("500 is taken out", StatusSet::default().without(code(500)), vec![429, 502, 503, 504]),
        (
            "taking out a stranger changes nothing",
            StatusSet::default().without(code(501)),
            vec![429, 500, 502, 503, 504],
        ),
        ("the ends of the range are statuses", StatusSet::empty().with(code(999)).with(code(100)), vec![100, 999]),
        ("an empty set is empty", StatusSet::empty(), vec![]),
        ("any order in, one order out", [code(504), code(429), code(504)].into_iter().collect(), vec![429, 504]),
    ];
    for (name, set, expected) in rows {
        assert_eq!(members(&set), expected, "{name}");
    }
}
