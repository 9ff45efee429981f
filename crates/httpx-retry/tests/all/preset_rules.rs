//! Which request each preset sends again, by what happened and by method: the client's rule as its source states it.
//!
//! Cells that `SURVEY.md` §1 prints are measured by `httpx survey --compare`; here stand the methods, statuses and phases
//! that it does not print, too.

use std::num::NonZeroU32;

use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use httpx_retry::{
    Attempt, Connection, Failure, FailureKind, Idempotency, Outcome, Phase, Policy, Replay, Request, Sent, Uncounted,
    preset,
};

/// What happened to a first attempt.
#[derive(Clone, Copy)]
enum Event {
    Status(u16, Option<&'static str>),
    Failure(FailureKind, Phase, Sent, Connection),
}

use Connection::{Fresh, Reused, Unknown};
use Event::{Failure as Fails, Status};
use FailureKind::{
    Builder, Certificate, Closed, ConnectTimeout, Garbage, Io, ReadTimeout, Refused, RequestTimeout, Reset,
    StreamRefused, StreamReset, TlsHandshake, Truncated, UnknownHost, Unreachable,
};
use Phase::{Answer, Body, Connect, Resolve, Tls};
use Sent::{Maybe, No, NotProcessed};

/// The columns of the tables below, in their order.
const JVM: [&str; 8] = [
    "apache_4_5",
    "apache_4_5_sent_enabled",
    "apache_5",
    "okhttp_5",
    "jdk_http_17",
    "lib_httpx_2_4",
    "lib_httpx_2_5",
    "aws_java2_legacy",
];
const OTHERS: [&str; 8] = [
    "aws_standard_2026",
    "reqwest_0_13",
    "reqwest_retry_0_9",
    "urllib3_2",
    "go_net_http",
    "go_retryablehttp",
    "got_14",
    "never",
];

/// `all` methods, none (`-`), `idem` potent ones, `noent` without PUT either, or by their first letters.
const METHODS: &[(Method, char)] = &[
    (Method::GET, 'G'),
    (Method::HEAD, 'H'),
    (Method::OPTIONS, 'O'),
    (Method::PUT, 'U'),
    (Method::DELETE, 'D'),
    (Method::POST, 'P'),
    (Method::PATCH, 'A'),
];

fn in_short(cell: &str) -> &str {
    match cell {
        "all" => "GHOUDPA",
        "-" => "",
        "idem" => "GHOUD",
        "noent" => "GHOD",
        "read" => "GHO",
        letters => letters,
    }
}

const FAILURES: &[(&str, Event, [&str; 8], [&str; 8])] = &[
    (
        "unknown host",
        Fails(UnknownHost, Resolve, No, Fresh),
        ["-", "-", "-", "-", "all", "all", "all", "all"],
        ["all", "-", "all", "all", "-", "all", "idem", "-"],
    ),
    (
        "refused",
        Fails(Refused, Connect, No, Fresh),
        ["-", "-", "-", "-", "all", "all", "all", "all"],
        ["all", "-", "all", "all", "-", "all", "idem", "-"],
    ),
    (
        "unreachable",
        Fails(Unreachable, Connect, No, Fresh),
        ["all", "all", "-", "-", "-", "all", "all", "all"],
        ["all", "-", "all", "all", "-", "all", "idem", "-"],
    ),
    (
        "connect timeout",
        Fails(ConnectTimeout, Connect, No, Fresh),
        ["-", "-", "-", "-", "-", "all", "all", "all"],
        ["all", "-", "all", "all", "-", "all", "idem", "-"],
    ),
    (
        "TLS broke off",
        Fails(TlsHandshake, Tls, No, Fresh),
        ["-", "-", "-", "-", "-", "all", "all", "all"],
        ["all", "-", "all", "all", "-", "all", "idem", "-"],
    ),
    (
        "certificate",
        Fails(Certificate, Tls, No, Fresh),
        ["-", "-", "-", "-", "-", "all", "all", "all"],
        ["-", "-", "all", "all", "-", "-", "-", "-"],
    ),
    (
        "reset, fresh",
        Fails(Reset, Answer, Maybe, Fresh),
        ["noent", "all", "idem", "-", "GH", "all", "all", "all"],
        ["all", "-", "all", "idem", "-", "all", "idem", "-"],
    ),
    (
        "closed, reused",
        Fails(Closed, Answer, Maybe, Reused),
        ["noent", "all", "idem", "all", "GH", "all", "all", "all"],
        ["all", "-", "all", "idem", "read", "all", "idem", "-"],
    ),
    (
        "closed, unknown connection",
        Fails(Closed, Answer, Maybe, Unknown),
        ["noent", "all", "idem", "-", "GH", "all", "all", "all"],
        ["all", "-", "all", "idem", "-", "all", "idem", "-"],
    ),
    (
        "closed before it was written, reused",
        Fails(Closed, Answer, No, Reused),
        ["all", "all", "idem", "all", "GH", "all", "all", "all"],
        ["all", "all", "all", "idem", "all", "all", "idem", "-"],
    ),
    (
        "request timeout",
        Fails(RequestTimeout, Answer, Maybe, Fresh),
        ["-", "-", "-", "-", "-", "all", "-", "all"],
        ["all", "-", "all", "idem", "-", "all", "idem", "-"],
    ),
    (
        "read timeout",
        Fails(ReadTimeout, Answer, Maybe, Reused),
        ["-", "-", "-", "-", "-", "all", "-", "all"],
        ["all", "-", "all", "idem", "-", "all", "idem", "-"],
    ),
    (
        "not HTTP",
        Fails(Garbage, Answer, Maybe, Fresh),
        ["-", "-", "-", "-", "-", "all", "all", "all"],
        ["all", "-", "-", "idem", "-", "all", "-", "-"],
    ),
    (
        "body cut",
        Fails(Truncated, Body, Maybe, Fresh),
        ["-", "-", "-", "-", "-", "all", "all", "G"],
        ["HOUDPA", "-", "-", "idem", "-", "-", "idem", "-"],
    ),
    (
        "body silent",
        Fails(ReadTimeout, Body, Maybe, Fresh),
        ["-", "-", "-", "-", "-", "-", "-", "G"],
        ["HOUDPA", "-", "-", "idem", "-", "-", "idem", "-"],
    ),
    (
        "attempt timed out in the body",
        Fails(RequestTimeout, Body, Maybe, Fresh),
        ["-", "-", "-", "-", "-", "-", "-", "all"],
        ["HOUDPA", "-", "-", "idem", "-", "-", "idem", "-"],
    ),
    (
        "stream refused",
        Fails(StreamRefused, Answer, NotProcessed, Fresh),
        ["-", "-", "-", "-", "all", "all", "all", "all"],
        ["all", "all", "-", "idem", "all", "all", "-", "-"],
    ),
    (
        "stream refused, reused",
        Fails(StreamRefused, Answer, NotProcessed, Reused),
        ["-", "-", "-", "all", "all", "all", "all", "all"],
        ["all", "all", "-", "idem", "all", "all", "-", "-"],
    ),
    (
        "stream reset",
        Fails(StreamReset, Answer, Maybe, Fresh),
        ["-", "-", "-", "-", "-", "all", "all", "all"],
        ["all", "-", "-", "idem", "-", "all", "-", "-"],
    ),
    (
        "stream reset, reused",
        Fails(StreamReset, Answer, Maybe, Reused),
        ["-", "-", "-", "all", "-", "all", "all", "all"],
        ["all", "-", "-", "idem", "-", "all", "-", "-"],
    ),
    (
        "another I/O error",
        Fails(Io, Answer, Maybe, Fresh),
        ["noent", "all", "idem", "-", "-", "all", "all", "all"],
        ["all", "-", "-", "idem", "-", "all", "idem", "-"],
    ),
    ("no request", Fails(Builder, Phase::Prepare, No, Unknown), ["-"; 8], ["-"; 8]),
];

const STATUSES: &[(&str, Event, [&str; 8], [&str; 8])] = &[
    ("200", Status(200, None), ["-"; 8], ["-"; 8]),
    ("404", Status(404, None), ["-"; 8], ["-"; 8]),
    (
        "408",
        Status(408, None),
        ["-", "-", "-", "all", "-", "-", "-", "-"],
        ["-", "-", "all", "-", "-", "-", "idem", "-"],
    ),
    (
        "408, Retry-After: 0",
        Status(408, Some("0")),
        ["-", "-", "-", "all", "-", "-", "-", "-"],
        ["-", "-", "all", "-", "-", "-", "idem", "-"],
    ),
    ("408, Retry-After: 1", Status(408, Some("1")), ["-"; 8], ["-", "-", "all", "-", "-", "-", "idem", "-"]),
    ("413", Status(413, None), ["-"; 8], ["-"; 8]),
    ("413, Retry-After: 0", Status(413, Some("0")), ["-"; 8], ["-", "-", "-", "idem", "-", "-", "-", "-"]),
    ("413, Retry-After: 1", Status(413, Some("1")), ["-"; 8], ["-", "-", "-", "idem", "-", "-", "idem", "-"]),
    ("425", Status(425, None), ["-"; 8], ["-"; 8]),
    (
        "429",
        Status(429, None),
        ["-", "-", "all", "-", "-", "all", "all", "all"],
        ["all", "-", "all", "-", "-", "all", "idem", "-"],
    ),
    (
        "500",
        Status(500, None),
        ["-", "-", "-", "-", "-", "all", "all", "all"],
        ["all", "-", "all", "-", "-", "all", "idem", "-"],
    ),
    ("501", Status(501, None), ["-"; 8], ["-", "-", "all", "-", "-", "-", "-", "-"]),
    (
        "502",
        Status(502, None),
        ["-", "-", "-", "-", "-", "all", "all", "all"],
        ["all", "-", "all", "-", "-", "all", "idem", "-"],
    ),
    (
        "503",
        Status(503, None),
        ["-", "-", "all", "-", "-", "all", "all", "all"],
        ["all", "-", "all", "-", "-", "all", "idem", "-"],
    ),
    (
        "503, Retry-After: 0",
        Status(503, Some("0")),
        ["-", "-", "all", "all", "-", "all", "all", "all"],
        ["all", "-", "all", "idem", "-", "all", "idem", "-"],
    ),
    (
        "503, Retry-After: 1",
        Status(503, Some("1")),
        ["-", "-", "all", "-", "-", "all", "all", "all"],
        ["all", "-", "all", "idem", "-", "all", "idem", "-"],
    ),
    (
        "504",
        Status(504, None),
        ["-", "-", "-", "-", "-", "all", "all", "all"],
        ["all", "-", "all", "-", "-", "all", "idem", "-"],
    ),
    ("505", Status(505, None), ["-"; 8], ["-", "-", "all", "-", "-", "all", "-", "-"]),
    ("522", Status(522, None), ["-"; 8], ["-", "-", "all", "-", "-", "all", "idem", "-"]),
    ("599", Status(599, None), ["-"; 8], ["-", "-", "all", "-", "-", "all", "-", "-"]),
    ("600", Status(600, None), ["-"; 8], ["-", "-", "-", "-", "-", "all", "-", "-"]),
];

/// The methods whose first attempt is followed by another.
fn sent_again(policy: &Policy, event: Event, idempotency: Idempotency) -> String {
    let mut headers = HeaderMap::new();
    let (outcome, sent, connection) = match event {
        Status(code, retry_after) => {
            headers.extend(retry_after.map(|value| (header::RETRY_AFTER, HeaderValue::from_static(value))));
            let status = StatusCode::from_u16(code).expect("a status");
            let transient = policy.statuses().contains(status);
            (Outcome::Answer { status, transient, headers: &headers }, Maybe, Fresh)
        }
        Fails(kind, phase, sent, connection) => (Outcome::Failure(Failure { kind, phase }), sent, connection),
    };
    let again = |method: &Method| {
        let request = Request { method, url: "http://a/", idempotency, replay: Replay::Possible, timeout: None };
        let attempt =
            Attempt { request, outcome, sent, number: NonZeroU32::MIN, uncounted: Uncounted::default(), connection };
        policy.verdict(&attempt).is_retry()
    };
    METHODS.iter().filter(|(method, _)| again(method)).map(|(_, letter)| letter).collect()
}

fn policy(name: &str) -> Policy {
    preset(name).expect("a preset").policy()
}

#[test]
fn each_preset_sends_again_what_its_client_would() {
    for (name, event, jvm, others) in FAILURES.iter().chain(STATUSES) {
        for (preset, cell) in JVM.iter().zip(jvm).chain(OTHERS.iter().zip(others)) {
            let again = sent_again(&policy(preset), *event, Idempotency::Method);
            assert_eq!(again, in_short(cell), "{preset}: {name}");
        }
    }
}

#[test]
fn the_three_aws_standards_share_their_rule_where_they_were_measured_alike() {
    for (name, event, jvm, _) in FAILURES.iter().chain(STATUSES) {
        assert_eq!(sent_again(&policy("aws_standard_2020"), *event, Idempotency::Method), in_short(jvm[7]), "{name}");
    }
}

#[test]
fn an_idempotency_key_counts_where_the_client_reads_it_and_a_declaration_everywhere() {
    let (post, lost) = ("P", Fails(Reset, Answer, Maybe, Reused));
    let rows = [
        ("go_net_http", Idempotency::Key, true),
        ("apache_4_5", Idempotency::Key, false),
        ("apache_5", Idempotency::Key, false),
        ("jdk_http_17", Idempotency::Key, false),
        ("urllib3_2", Idempotency::Key, false),
        ("got_14", Idempotency::Key, false),
        ("go_net_http", Idempotency::Declared, true),
        ("apache_5", Idempotency::Declared, true),
        ("jdk_http_17", Idempotency::Declared, true),
        ("never", Idempotency::Declared, false),
    ];
    for (name, idempotency, expected) in rows {
        let again = sent_again(&policy(name), lost, idempotency);
        assert_eq!(again.contains(post), expected, "{name} {idempotency:?}");
    }
}

#[test]
fn a_policy_asks_for_connections_only_where_a_row_does() {
    for preset in httpx_retry::PRESETS {
        let asks = ["okhttp_5", "reqwest_0_13", "go_net_http", "grpc"].contains(&preset.name);
        assert_eq!(preset.policy().asks_connection(), asks, "{}", preset.name);
    }
}
