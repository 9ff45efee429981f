//! The rule as a table, printed by asking it.

use std::fmt::Write as _;
use std::time::SystemTime;

use http::{Method, StatusCode};

use crate::{End, FailureKind, Policy, Replay, Scenario, Sent};

/// What `policy` does after every kind of outcome, as a Markdown table.
///
/// Each row asks [`Policy::next_step`] with a POST and prints verdict and reason; where kinds of one row were judged
/// apart the row would say so.
#[must_use]
pub fn truth_table(policy: &Policy) -> String {
    let mut table = String::from("| outcome | verdict | why |\n|---|---|---|\n");
    for (label, scenarios) in rows(policy) {
        let mut answers: Vec<(&str, String)> = scenarios
            .iter()
            .map(|scenario| scenario.explain(policy, SystemTime::UNIX_EPOCH))
            .map(|explanation| (explanation.verdict(), explanation.reason().to_string()))
            .collect();
        answers.dedup();
        let verdicts: Vec<&str> = answers.iter().map(|(verdict, _)| *verdict).collect();
        let reasons: Vec<&str> = answers.iter().map(|(_, reason)| reason.as_str()).collect();
        writeln!(table, "| {label} | {} | {} |", verdicts.join(" / "), reasons.join(" / "))
            .expect("writing to a String cannot fail");
    }
    table
}

fn rows(policy: &Policy) -> Vec<(String, Vec<Scenario>)> {
    let transient: Vec<StatusCode> = policy.statuses().iter().collect();
    let names: Vec<&str> = transient.iter().map(StatusCode::as_str).collect();
    let failures = |kinds: &[FailureKind], sent| kinds.iter().map(|kind| post(End::Failure(*kind, sent))).collect();
    let limits = &[FailureKind::RequestTimeout, FailureKind::ReadTimeout];
    vec![
        (format!("status {}", names.join(", ")), transient.iter().map(|s| post(End::Answer(*s, None))).collect()),
        ("any other status".into(), vec![post(End::Answer(StatusCode::NOT_FOUND, None))]),
        ("connect timeout".into(), failures(&[FailureKind::ConnectTimeout], Sent::No)),
        ("request or read timeout, nothing sent".into(), failures(limits, Sent::No)),
        ("**request or read timeout, perhaps sent**".into(), failures(limits, Sent::Maybe)),
        ("unknown host, refused or unreachable".into(), {
            failures(&[FailureKind::UnknownHost, FailureKind::Refused, FailureKind::Unreachable], Sent::No)
        }),
        ("TLS handshake broke off".into(), failures(&[FailureKind::TlsHandshake], Sent::No)),
        ("connection reset or closed, body cut, answer not HTTP, HTTP/2 stream reset".into(), {
            use FailureKind::{Closed, Garbage, Io, Reset, StreamReset, Truncated};
            failures(&[Reset, Closed, Truncated, Garbage, StreamReset, Io], Sent::Maybe)
        }),
        ("HTTP/2 stream refused, or excluded by GOAWAY".into(), {
            failures(&[FailureKind::StreamRefused, FailureKind::GoAway], Sent::NotProcessed)
        }),
        ("certificate rejected, TLS misconfigured, unsupported scheme".into(), {
            failures(&[FailureKind::Certificate, FailureKind::UnsupportedScheme], Sent::No)
        }),
        ("request cannot be built, redirect loop, caller's body failed, body not decodable".into(), {
            use FailureKind::{Builder, Decode, Redirect, RequestBody};
            failures(&[Builder, Redirect, RequestBody, Decode], Sent::Maybe)
        }),
        ("any of the retried ones, with a one-shot body".into(), {
            vec![Scenario { replay: Replay::OneShot, ..post(End::Failure(FailureKind::Reset, Sent::Maybe)) }]
        }),
        ("the deadline of the call passed".into(), failures(&[FailureKind::Deadline], Sent::Maybe)),
    ]
}

fn post(end: End) -> Scenario {
    Scenario::new(Method::POST, end)
}
