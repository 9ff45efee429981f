//! What a `Retry-After` asks for: the cases of the field and their neighbours.

use std::time::{Duration, SystemTime};

use http::header::{AGE, DATE, RETRY_AFTER};
use http::{HeaderMap, HeaderName, HeaderValue};
use httpx_retry::{retry_after_hint, retry_after_is_malformed};

use crate::told::{EPOCH, secs};

/// Wed, 21 Oct 2015 07:28:30 GMT.
const OCTOBER: u64 = 1_445_412_510;
/// Wed, 18 Sep 2019 05:33:23 GMT.
const SEPTEMBER: u64 = 1_568_784_803;
/// Sun, 06 Nov 1994 08:49:37 GMT, the example of RFC 9110 §5.6.7.
const RFC_EXAMPLE: u64 = 784_111_777;

fn at(seconds: u64) -> SystemTime {
    EPOCH + secs(seconds)
}

fn headers(lines: &[(HeaderName, &'static str)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in lines {
        headers.append(name, HeaderValue::from_static(value));
    }
    headers
}

/// The hint of these `Retry-After` lines, in October.
fn hint(lines: &[&'static str]) -> Option<Duration> {
    let lines: Vec<_> = lines.iter().map(|line| (RETRY_AFTER, *line)).collect();
    retry_after_hint(&headers(&lines), at(OCTOBER))
}

fn no_hint(values: &[&'static str]) {
    for value in values {
        assert_eq!(hint(&[value]), None, "{value:?}");
        assert!(retry_after_is_malformed(&headers(&[(RETRY_AFTER, value)]), at(OCTOBER)), "{value:?}");
    }
}

#[test]
fn c18_fractional_retry_after_is_ignored_never_fatal() {
    no_hint(&["0.503", "0.129", "1.0", "1.", ".5", "1,5", "1e3", "0.0", "10.999999999999999999999"]);
}

#[test]
fn c20_negative_retry_after_is_no_hint() {
    no_hint(&["-1", "-0", "-99999999999999999999", "-0.5", "- 1"]);
}

#[test]
fn c20_a_date_that_has_passed_is_a_hint_of_zero() {
    let rows = [
        ("30 s ago", "Wed, 21 Oct 2015 07:28:00 GMT", 0),
        ("1 s ago", "Wed, 21 Oct 2015 07:28:29 GMT", 0),
        ("now", "Wed, 21 Oct 2015 07:28:30 GMT", 0),
        ("in 1 s", "Wed, 21 Oct 2015 07:28:31 GMT", 1),
        ("the epoch", "Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("the last second there is", "Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799 - OCTOBER),
    ];
    for (name, value, expected) in rows {
        assert_eq!(hint(&[value]), Some(secs(expected)), "{name}");
    }
}

const PAIR: [(HeaderName, &str); 2] =
    [(DATE, "Wed, 18 Sep 2019 05:33:23 GMT"), (RETRY_AFTER, "Wed, 18 Sep 2019 05:34:00 GMT")];

#[test]
fn c22_a_skewed_clock_does_no_harm_because_the_answers_own_date_counts() {
    for (name, clock) in [
        ("right", SEPTEMBER),
        ("an hour ahead", SEPTEMBER + 3_600),
        ("an hour behind", SEPTEMBER - 3_600),
        ("a flat battery", 0),
        ("a far future", 253_402_300_799),
    ] {
        assert_eq!(retry_after_hint(&headers(&PAIR), at(clock)), Some(secs(37)), "{name}");
    }
}

#[test]
fn c22_a_cached_or_undated_answer_counts_from_the_clock_here() {
    let [date, retry_after] = PAIR;
    let rows = [
        ("with Age", headers(&[date.clone(), retry_after.clone(), (AGE, "120")])),
        ("with Age 0", headers(&[date, retry_after.clone(), (AGE, "0")])),
        ("without Date", headers(std::slice::from_ref(&retry_after))),
        ("with a Date that is none", headers(&[(DATE, "yesterday"), retry_after])),
    ];
    for (name, headers) in rows {
        assert_eq!(retry_after_hint(&headers, at(SEPTEMBER)), Some(secs(37)), "{name}, clock right");
        assert_eq!(retry_after_hint(&headers, at(SEPTEMBER + 3_600)), Some(secs(0)), "{name}, clock ahead");
        assert_eq!(retry_after_hint(&headers, at(SEPTEMBER - 3_600)), Some(secs(3_637)), "{name}, clock behind");
    }
}

#[test]
fn c22_seconds_do_not_depend_on_any_clock() {
    let headers = headers(&[(DATE, "Wed, 18 Sep 2019 05:33:23 GMT"), (RETRY_AFTER, "37")]);
    assert_eq!(retry_after_hint(&headers, at(0)), Some(secs(37)));
}

#[test]
fn c26_of_several_lines_the_largest_valid_one_holds() {
    let rows: [(&[&'static str], Option<u64>); 9] = [
        (&["5", "120"], Some(120)),
        (&["120", "5"], Some(120)),
        (&["junk", "7"], Some(7)),
        (&["7", "junk"], Some(7)),
        (&["7", "0.5", "-9"], Some(7)),
        (&["5", "Wed, 21 Oct 2015 07:28:40 GMT"], Some(10)),
        (&["15", "Wed, 21 Oct 2015 07:28:40 GMT"], Some(15)),
        (&["junk", "nonsense"], None),
        (&[], None),
    ];
    for (lines, expected) in rows {
        assert_eq!(hint(lines), expected.map(secs), "{lines:?}");
    }
}

#[test]
fn c26_a_list_in_one_line_is_malformed() {
    no_hint(&["120, 60", "120,60", "120 60", "120;60", "5, Wed, 21 Oct 2015 07:28:40 GMT"]);
}

#[test]
fn c26_white_space_around_the_value_is_trimmed() {
    for value in ["  41 ", "\t41\t", " \t 41", "41 \t", "41"] {
        assert_eq!(hint(&[value]), Some(secs(41)), "{value:?}");
    }
    assert_eq!(hint(&["  Wed, 21 Oct 2015 07:28:40 GMT\t"]), Some(secs(10)));
}

#[test]
fn all_three_date_forms_are_read() {
    for form in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
        assert_eq!(retry_after_hint(&headers(&[(RETRY_AFTER, form)]), at(RFC_EXAMPLE - 90)), Some(secs(90)), "{form}");
        let dated = headers(&[(DATE, form), (RETRY_AFTER, "Sun, 06 Nov 1994 08:51:07 GMT")]);
        assert_eq!(retry_after_hint(&dated, at(0)), Some(secs(90)), "Date: {form}");
    }
}

#[test]
fn digits_are_seconds_whatever_their_length() {
    let rows = [
        ("0", 0),
        ("1", 1),
        ("007", 7),
        ("18446744073709551615", u64::MAX),
        ("18446744073709551616", u64::MAX),
        ("99999999999999999999999999999999", u64::MAX),
    ];
    for (value, expected) in rows {
        assert_eq!(hint(&[value]), Some(secs(expected)), "{value}");
    }
}

#[test]
fn what_is_neither_digits_nor_a_date_is_malformed() {
    no_hint(&["", " ", "+5", "5s", "0x10", "1_000", "soon", "2015-10-21T07:28:40Z", "Wed, 21 Oct 2015 07:28:40 +0000"]);
    no_hint(&["Thu, 21 Oct 2015 07:28:40 GMT", "Wed, 32 Oct 2015 07:28:40 GMT", "Wed, 21 Oct 2015 25:28:40 GMT"]);
}

#[test]
fn bytes_that_are_no_ascii_are_malformed() {
    for bytes in [b"5\xff".as_slice(), "−1".as_bytes(), "５".as_bytes(), "5\u{a0}".as_bytes()] {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, HeaderValue::from_bytes(bytes).expect("obs-text is allowed"));
        assert_eq!(retry_after_hint(&headers, EPOCH), None, "{bytes:?}");
        assert!(retry_after_is_malformed(&headers, EPOCH), "{bytes:?}");
    }
}

#[test]
fn only_a_header_that_is_there_and_wholly_unreadable_is_malformed() {
    assert!(!retry_after_is_malformed(&HeaderMap::new(), EPOCH));
    assert!(!retry_after_is_malformed(&headers(&[(RETRY_AFTER, "0")]), EPOCH));
    assert!(!retry_after_is_malformed(&headers(&[(RETRY_AFTER, "junk"), (RETRY_AFTER, "7")]), EPOCH));
    assert!(retry_after_is_malformed(&headers(&[(RETRY_AFTER, "junk"), (RETRY_AFTER, "nonsense")]), EPOCH));
}
