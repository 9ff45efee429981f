//! Facts: the lists of kinds are complete, the words are distinct, and idempotent means RFC 9110 §9.2.2.

use std::collections::BTreeSet;

use http::Method;
use httpx_retry::{FailureClass, FailureKind, Idempotency, Phase, Sent};

use crate::told::status;

#[test]
fn every_failure_kind_stands_in_all_at_its_own_place() {
    for (place, kind) in FailureKind::ALL.iter().enumerate() {
        assert_eq!(*kind as usize, place, "{kind}");
    }
    assert_eq!(FailureKind::ALL.len(), 26);
}

#[test]
fn names_and_phrases_of_failures_are_distinct_and_names_are_words_for_the_command_line() {
    let names: BTreeSet<&str> = FailureKind::ALL.iter().map(|kind| kind.name()).collect();
    let phrases: BTreeSet<&str> = FailureKind::ALL.iter().map(|kind| kind.phrase()).collect();
    assert_eq!(names.len(), FailureKind::ALL.len());
    assert_eq!(phrases.len(), FailureKind::ALL.len());
    for name in names {
        assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{name}");
    }
}

/// Name, phrase and class of every kind, in the order of the type.
const KINDS: [(&str, &str, FailureClass); 26] = {
    use FailureClass::{ConnectTimeout, Deadline, Io, Permanent, Timeout};
    [
        ("connect-timeout", "connect timed out", ConnectTimeout),
        ("request-timeout", "request timed out", Timeout),
        ("read-timeout", "read timed out", Timeout),
        ("deadline", "deadline passed", Deadline),
        ("unknown-host", "unknown host", Io),
        ("refused", "connection refused", Io),
        ("unreachable", "cannot connect", Io),
        ("connect-abandoned", "the connection it waited for was given up", Io),
        ("proxy-tunnel", "proxy opened no tunnel", Io),
        ("tls-handshake", "TLS handshake broke off", Io),
        ("certificate", "certificate rejected or TLS misconfigured", Permanent),
        ("proxy-authentication", "proxy authentication required", Permanent),
        ("reset", "connection reset", Io),
        ("closed", "connection closed", Io),
        ("truncated", "body ended early", Io),
        ("garbage", "answer is not HTTP", Io),
        ("head-too-large", "head of the answer is too large", Permanent),
        ("stream-refused", "stream refused", Io),
        ("stream-reset", "stream reset", Io),
        ("go-away", "server going away", Io),
        ("io", "I/O failed", Io),
        ("builder", "request cannot be built", Permanent),
        ("unsupported-scheme", "unsupported URL scheme", Permanent),
        ("redirect", "redirect cannot be followed", Permanent),
        ("request-body", "request body failed", Permanent),
        ("decode", "body cannot be decoded", Permanent),
    ]
};

#[test]
fn every_failure_kind_has_its_name_phrase_and_class() {
    for (kind, (name, phrase, class)) in FailureKind::ALL.iter().zip(KINDS) {
        assert_eq!((kind.name(), kind.phrase(), kind.class()), (name, phrase, class));
        assert_eq!(kind.to_string(), name);
    }
}

#[test]
fn sent_and_phase_are_printed_as_their_words() {
    let sent: Vec<String> = Sent::ALL.iter().map(Sent::to_string).collect();
    assert_eq!(sent, ["no", "not-processed", "maybe"]);
    let phases = [Phase::Prepare, Phase::Resolve, Phase::Connect, Phase::Tls, Phase::Answer, Phase::Body];
    let words: Vec<String> = phases.iter().map(Phase::to_string).collect();
    assert_eq!(words, ["prepare", "resolve", "connect", "tls", "answer", "body"]);
    assert!(phases.is_sorted(), "an attempt goes through them in this order");
}

#[test]
fn a_request_is_idempotent_by_method_by_key_or_by_declaration() {
    let by_method = [
        (Method::GET, true),
        (Method::HEAD, true),
        (Method::OPTIONS, true),
        (Method::TRACE, true),
        (Method::PUT, true),
        (Method::DELETE, true),
        (Method::POST, false),
        (Method::PATCH, false),
        (Method::CONNECT, false),
        (Method::from_bytes(b"PROPFIND").expect("a method"), false),
        (Method::from_bytes(b"get").expect("methods are case-sensitive"), false),
    ];
    for (method, idempotent) in by_method {
        let told = status(200).method(method.clone());
        assert_eq!(told.attempt().request.is_idempotent(), idempotent, "{method} by its method");
        for other in [Idempotency::Key, Idempotency::Declared] {
            let told = told.clone().idempotent_by(other);
            assert!(told.attempt().request.is_idempotent(), "{method} by {other:?}");
        }
    }
}
