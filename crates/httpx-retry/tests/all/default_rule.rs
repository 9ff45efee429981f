//! The default rule against the table of the design, written down a second time, by kind and by what is known.

use http::Method;
use httpx_retry::{Connection, FailureKind, Idempotency, Policy, Rule, Sent, default_rule};

use crate::told::{Told, failed, said, status};

/// What is expected when nothing was sent, when the server said that it did not act, and when nobody knows.
type Row = [&'static str; 3];

const ANY_IO_FAILURE: Row = ["retry not-sent", "retry not-processed", "retry io-failure"];
const TIMEOUT: Row = ["retry not-sent", "retry not-processed", "stop may-be-working"];
const PERMANENT: Row = ["stop permanent"; 3];

const TABLE: [(FailureKind, Row); 26] = [
    (FailureKind::ConnectTimeout, ANY_IO_FAILURE),
    (FailureKind::RequestTimeout, TIMEOUT),
    (FailureKind::ReadTimeout, TIMEOUT),
    (FailureKind::Deadline, ["stop deadline"; 3]),
    (FailureKind::UnknownHost, ANY_IO_FAILURE),
    (FailureKind::Refused, ANY_IO_FAILURE),
    (FailureKind::Unreachable, ANY_IO_FAILURE),
    (FailureKind::ConnectAbandoned, ["retry in 0ns not-sent", "retry not-processed", "retry io-failure"]),
    (FailureKind::ProxyTunnel, ANY_IO_FAILURE),
    (FailureKind::TlsHandshake, ANY_IO_FAILURE),
    (FailureKind::Certificate, PERMANENT),
    (FailureKind::ProxyAuthentication, PERMANENT),
    (FailureKind::Reset, ANY_IO_FAILURE),
    (FailureKind::Closed, ANY_IO_FAILURE),
    (FailureKind::Truncated, ANY_IO_FAILURE),
    (FailureKind::Garbage, ANY_IO_FAILURE),
    (FailureKind::HeadTooLarge, PERMANENT),
    (FailureKind::StreamRefused, ANY_IO_FAILURE),
    (FailureKind::StreamReset, ANY_IO_FAILURE),
    (FailureKind::GoAway, ANY_IO_FAILURE),
    (FailureKind::Io, ANY_IO_FAILURE),
    (FailureKind::Builder, PERMANENT),
    (FailureKind::UnsupportedScheme, PERMANENT),
    (FailureKind::Redirect, PERMANENT),
    (FailureKind::RequestBody, PERMANENT),
    (FailureKind::Decode, PERMANENT),
];

fn methods() -> Vec<Method> {
    let words = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "POST", "PATCH", "CONNECT", "PROPFIND"];
    words.into_iter().map(|word| Method::from_bytes(word.as_bytes()).expect("a method")).collect()
}

/// The same end in every way that must not matter to the default rule.
fn variants(told: &Told) -> Vec<Told> {
    let mut all = Vec::new();
    for method in methods() {
        for idempotency in [Idempotency::Method, Idempotency::Key, Idempotency::Declared] {
            for connection in [Connection::Fresh, Connection::Reused, Connection::Unknown] {
                let told = told.clone().method(method.clone()).idempotent_by(idempotency).over(connection);
                all.extend([told.clone(), told.clone().number(99), told.one_shot()]);
            }
        }
    }
    all
}

#[test]
fn every_failure_is_judged_by_its_kind_and_by_what_was_sent_and_by_nothing_else() {
    assert_eq!(TABLE.map(|(kind, _)| kind), FailureKind::ALL, "a row for each kind");
    for (kind, row) in TABLE {
        for (sent, expected) in [Sent::No, Sent::NotProcessed, Sent::Maybe].into_iter().zip(row) {
            for told in variants(&failed(kind, sent)) {
                assert_eq!(said(&default_rule(&told.attempt())), expected, "{kind}, sent {sent}: {told:?}");
            }
        }
    }
}

#[test]
fn every_status_outside_the_set_is_final_and_every_one_inside_is_retried() {
    for code in 100..=999 {
        let expected =
            if [429, 500, 502, 503, 504].contains(&code) { "retry transient-status" } else { "stop final-answer" };
        assert_eq!(said(&default_rule(&status(code).attempt())), expected, "{code}");
    }
}

#[test]
fn a_status_is_judged_alike_for_every_method() {
    for (code, expected) in [(503, "retry transient-status"), (408, "stop final-answer"), (200, "stop final-answer")] {
        for told in variants(&status(code)) {
            assert_eq!(said(&default_rule(&told.attempt())), expected, "{told:?}");
        }
    }
}

#[test]
fn no_rule_set_and_the_rule_as_a_value_are_the_default_rule() {
    let (unset, value) = (Policy::default(), Rule::default_rule());
    let set = Policy::default().with_rule(value.clone());
    assert_eq!((unset.rule_name(), set.rule_name(), value.name()), ("default", "default", "default"));
    for kind in FailureKind::ALL {
        for sent in Sent::ALL {
            let told = failed(*kind, *sent).post();
            let expected = default_rule(&told.attempt());
            assert_eq!(unset.verdict(&told.attempt()), expected);
            assert_eq!(set.verdict(&told.attempt()), expected);
            assert_eq!(value.verdict(&told.attempt()), expected);
        }
    }
}
