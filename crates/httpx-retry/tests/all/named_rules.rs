//! The rules that ship beside the default, each by what it says differently.

use http::Method;
use httpx_retry::{FailureKind, Idempotency, Rule, Sent};

use crate::told::{Told, failed, said, status};

/// An end, and what the rule says about it for a GET and for a POST.
type Row = (&'static str, Told, &'static str, &'static str);

fn check(rule: &Rule, rows: Vec<Row>) {
    for (name, told, get, post) in rows {
        assert_eq!(said(&rule.verdict(&told.attempt())), get, "{}: GET, {name}", rule.name());
        assert_eq!(said(&rule.verdict(&told.post().attempt())), post, "{}: POST, {name}", rule.name());
    }
}

fn request_timeout(sent: Sent) -> Told {
    failed(FailureKind::RequestTimeout, sent)
}

/// What both method-aware rules say alike.
fn rows_of_idempotent_only() -> Vec<Row> {
    use FailureKind::{Certificate, ConnectTimeout, Deadline, GoAway, Refused, Reset, StreamRefused, StreamReset};
    vec![
        ("transient status", status(503), "retry idempotent", "stop not-idempotent"),
        ("too many requests", status(429), "retry idempotent", "stop not-idempotent"),
        ("success", status(200), "stop final-answer", "stop final-answer"),
        ("not found", status(404), "stop final-answer", "stop final-answer"),
        ("refused", failed(Refused, Sent::No), "retry not-sent", "retry not-sent"),
        ("connect timeout", failed(ConnectTimeout, Sent::No), "retry not-sent", "retry not-sent"),
        (
            "connect timeout after a redirect",
            failed(ConnectTimeout, Sent::Maybe),
            "retry idempotent",
            "stop not-idempotent",
        ),
        ("timeout, nothing sent", request_timeout(Sent::No), "retry not-sent", "retry not-sent"),
        ("timeout, not processed", request_timeout(Sent::NotProcessed), "retry not-processed", "retry not-processed"),
        ("reset, perhaps sent", failed(Reset, Sent::Maybe), "retry idempotent", "stop not-idempotent"),
        ("reset, not sent", failed(Reset, Sent::No), "retry not-sent", "retry not-sent"),
        ("stream refused", failed(StreamRefused, Sent::NotProcessed), "retry not-processed", "retry not-processed"),
        ("GOAWAY", failed(GoAway, Sent::NotProcessed), "retry not-processed", "retry not-processed"),
        ("stream reset", failed(StreamReset, Sent::Maybe), "retry idempotent", "stop not-idempotent"),
        ("certificate", failed(Certificate, Sent::No), "stop permanent", "stop permanent"),
        ("deadline", failed(Deadline, Sent::Maybe), "stop deadline", "stop deadline"),
    ]
}

#[test]
fn idempotent_only_retries_what_was_not_processed_or_may_be_repeated() {
    let mut rows = rows_of_idempotent_only();
    rows.extend([
        ("timeout, perhaps sent", request_timeout(Sent::Maybe), "stop may-be-working", "stop may-be-working"),
        ("read timeout", failed(FailureKind::ReadTimeout, Sent::Maybe), "stop may-be-working", "stop may-be-working"),
    ]);
    check(&Rule::idempotent_only(), rows);
}

#[test]
fn idempotent_only_with_timeouts_adds_nothing_but_timeouts_of_idempotent_requests() {
    let mut rows = rows_of_idempotent_only();
    rows.extend([
        ("timeout, perhaps sent", request_timeout(Sent::Maybe), "retry idempotent", "stop may-be-working"),
        ("read timeout", failed(FailureKind::ReadTimeout, Sent::Maybe), "retry idempotent", "stop may-be-working"),
    ]);
    check(&Rule::idempotent_only_with_timeouts(), rows);
}

#[test]
fn a_key_or_a_declaration_makes_a_post_idempotent() {
    for idempotency in [Idempotency::Key, Idempotency::Declared] {
        let reset = failed(FailureKind::Reset, Sent::Maybe).post().idempotent_by(idempotency);
        let timeout = request_timeout(Sent::Maybe).post().idempotent_by(idempotency);
        let strict = Rule::idempotent_only();
        let loose = Rule::idempotent_only_with_timeouts();
        assert_eq!(said(&strict.verdict(&reset.attempt())), "retry idempotent");
        assert_eq!(said(&strict.verdict(&timeout.attempt())), "stop may-be-working");
        assert_eq!(said(&loose.verdict(&timeout.attempt())), "retry idempotent");
    }
}

#[test]
fn delete_and_put_are_idempotent_and_patch_is_not() {
    for (method, expected) in [
        (Method::DELETE, "retry idempotent"),
        (Method::PUT, "retry idempotent"),
        (Method::PATCH, "stop not-idempotent"),
    ] {
        let told = failed(FailureKind::Closed, Sent::Maybe).method(method.clone());
        assert_eq!(said(&Rule::idempotent_only().verdict(&told.attempt())), expected, "{method}");
    }
}

#[test]
fn any_io_error_is_the_default_rule_and_timeouts_that_may_have_been_sent() {
    let rule = Rule::any_io_error();
    assert_eq!(said(&rule.verdict(&request_timeout(Sent::Maybe).attempt())), "retry io-failure");
    assert_eq!(said(&rule.verdict(&failed(FailureKind::Certificate, Sent::No).attempt())), "stop permanent");
    for kind in FailureKind::ALL {
        for sent in Sent::ALL {
            let told = failed(*kind, *sent);
            let usual = said(&Rule::default_rule().verdict(&told.attempt()));
            let expected = if usual == "stop may-be-working" { "retry io-failure" } else { &usual };
            assert_eq!(said(&rule.verdict(&told.attempt())), expected, "GET, {kind}, sent {sent}");
            assert_eq!(said(&rule.verdict(&told.post().attempt())), expected, "POST, {kind}, sent {sent}");
        }
    }
}

#[test]
fn never_retries_nothing_and_says_so_only_where_the_default_would() {
    use FailureKind::{Certificate, Deadline, Refused};
    check(
        &Rule::never(),
        vec![
            ("transient status", status(503), "stop never", "stop never"),
            ("success", status(200), "stop final-answer", "stop final-answer"),
            ("refused", failed(Refused, Sent::No), "stop never", "stop never"),
            ("timeout, nothing sent", request_timeout(Sent::No), "stop never", "stop never"),
            ("timeout, perhaps sent", request_timeout(Sent::Maybe), "stop may-be-working", "stop may-be-working"),
            ("certificate", failed(Certificate, Sent::No), "stop permanent", "stop permanent"),
            ("deadline", failed(Deadline, Sent::Maybe), "stop deadline", "stop deadline"),
        ],
    );
}

#[test]
fn each_rule_prints_under_its_own_name() {
    let rules = [
        Rule::default_rule(),
        Rule::idempotent_only(),
        Rule::idempotent_only_with_timeouts(),
        Rule::any_io_error(),
        Rule::never(),
    ];
    let names: Vec<String> = rules.iter().map(|rule| format!("{rule:?}")).collect();
    assert_eq!(
        names,
        [
            "Rule(\"default\")",
            "Rule(\"idempotent_only\")",
            "Rule(\"idempotent_only_with_timeouts\")",
            "Rule(\"any_io_error\")",
            "Rule(\"never\")",
        ]
    );
}
