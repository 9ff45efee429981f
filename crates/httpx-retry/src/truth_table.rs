//! The rule as a table, printed by asking it.

use std::fmt::Write as _;
use std::time::SystemTime;

use http::{Method, StatusCode};

use crate::{Connection, End, Explanation, FailureKind, Policy, Reason, Replay, Scenario, Sent, StatusSet};

/// What `policy` does after every kind of outcome of a first attempt, as a Markdown table.
///
/// Each cell is asked of [`Policy::next_step`], for a GET and for a POST: where they are judged apart, both are told, and
/// so is what holds on a reused connection where that differs. Outcomes that share a row and are judged apart get a row
/// each.
#[must_use]
pub fn truth_table(policy: &Policy) -> String {
    let mut table = String::from("| outcome | verdict | why |\n|---|---|---|\n");
    for row in rows(policy) {
        let cells: Vec<String> = row.ends.iter().map(|end| cells(policy, end, row.replay)).collect();
        if cells.windows(2).all(|pair| pair[0] == pair[1]) {
            line(&mut table, &row.label, &cells[0]);
        } else {
            row.ends.iter().zip(&cells).for_each(|(end, cells)| line(&mut table, &own_label(end), cells));
        }
    }
    table
}

fn line(table: &mut String, label: &str, cells: &str) {
    writeln!(table, "| {label} | {cells} |").expect("writing to a String cannot fail");
}

/// Verdict and reason of one outcome.
fn cells(policy: &Policy, end: &End, replay: Replay) -> String {
    let (verdict, why) = cells_on(policy, end, replay, Connection::Unknown);
    let (reused, why_reused) = cells_on(policy, end, replay, Connection::Reused);
    if verdict == reused {
        format!("{verdict} | {why}")
    } else {
        format!("{verdict}; on a reused connection: {reused} | {why}; on a reused connection: {why_reused}")
    }
}

/// Verdict and reason on this kind of connection.
fn cells_on(policy: &Policy, end: &End, replay: Replay, connection: Connection) -> (String, String) {
    let scenario = |method| Scenario { replay, connection, ..Scenario::new(method, end.clone()) };
    let ask = |method| scenario(method).explain(policy, SystemTime::UNIX_EPOCH);
    let (get, post) = (ask(Method::GET), ask(Method::POST));
    let verdict = if word(&get) == word(&post) {
        word(&get).to_owned()
    } else {
        format!("GET {}, POST {}", word(&get), word(&post))
    };
    let why = if get.reason() == post.reason() {
        get.reason().to_string()
    } else {
        format!("GET: {}; POST: {}", get.reason(), post.reason())
    };
    (verdict, why)
}

/// A final answer is where a call should end; every other end is a refusal, and the one that surprises is in bold.
fn word(explanation: &Explanation) -> &'static str {
    if *explanation.reason() == Reason::FinalAnswer {
        "done"
    } else if *explanation.reason() == Reason::MayBeWorking {
        "**stop**"
    } else {
        explanation.verdict()
    }
}

/// One outcome, where it needs a row of its own.
fn own_label(end: &End) -> String {
    match end {
        End::Answer(status, _) => format!("status {}", status.as_str()),
        End::Failure(kind, sent) => format!("{}, sent: {sent}", kind.phrase()),
    }
}

/// Outcomes that the default rule judges alike.
struct Row {
    label: String,
    ends: Vec<End>,
    replay: Replay,
}

fn rows(policy: &Policy) -> Vec<Row> {
    let mut rows = status_rows(policy.statuses());
    let singled_out = policy.table().unwrap_or_default().iter().filter_map(crate::Row::status);
    for status in singled_out.filter(|status| !policy.statuses().contains(*status)) {
        let ends = vec![End::Answer(status, None)];
        rows.insert(0, Row { label: format!("status {}", status.as_str()), ends, replay: Replay::Possible });
    }
    rows.extend(FAILURES.iter().map(|(label, sent, kinds)| Row {
        label: (*label).to_owned(),
        ends: kinds.iter().map(|kind| End::Failure(*kind, *sent)).collect(),
        replay: Replay::Possible,
    }));
    rows.push(Row {
        label: "any of the retried ones, with a body that can be read only once".to_owned(),
        ends: vec![End::Failure(FailureKind::UnknownHost, Sent::No)],
        replay: Replay::OneShot,
    });
    rows
}

fn status_rows(transient: &StatusSet) -> Vec<Row> {
    let row = |label, ends| Row { label, ends, replay: Replay::Possible };
    let mut rows = Vec::new();
    if !transient.is_empty() {
        let ends = transient.iter().map(|status| End::Answer(status, None)).collect();
        rows.push(row(format!("status {transient}"), ends));
    }
    let other = [StatusCode::OK, StatusCode::NOT_FOUND, StatusCode::NOT_IMPLEMENTED];
    let ends = other.into_iter().filter(|status| !transient.contains(*status)).map(|status| End::Answer(status, None));
    rows.push(row("any other status".to_owned(), ends.collect()));
    rows
}

/// What can fail: a label, what is known of the request, and the kinds that share the label.
const FAILURES: &[(&str, Sent, &[FailureKind])] = {
    use FailureKind::{
        Builder, Certificate, Closed, ConnectAbandoned, ConnectTimeout, Deadline, Decode, Garbage, GoAway,
        HeadTooLarge, Io, ProxyAuthentication, ProxyTunnel, ReadTimeout, Redirect, Refused, RequestBody,
        RequestTimeout, Reset, StreamRefused, StreamReset, TlsHandshake, Truncated, UnknownHost, Unreachable,
        UnsupportedScheme,
    };
    &[
        ("connect timeout", Sent::No, &[ConnectTimeout]),
        ("request or read timeout, nothing sent", Sent::No, &[RequestTimeout, ReadTimeout]),
        ("request or read timeout, perhaps sent", Sent::Maybe, &[RequestTimeout, ReadTimeout]),
        ("unknown host, connection refused, cannot connect", Sent::No, &[UnknownHost, Refused, Unreachable]),
        ("the connection it waited for was given up by the call that opened it", Sent::No, &[ConnectAbandoned]),
        ("TLS handshake broke off, proxy opened no tunnel", Sent::No, &[TlsHandshake, ProxyTunnel]),
        (
            "connection reset or closed, body ended early, answer not HTTP, HTTP/2 stream reset, other I/O failure",
            Sent::Maybe,
            &[Reset, Closed, Truncated, Garbage, StreamReset, Io],
        ),
        ("HTTP/2 stream refused, or excluded by GOAWAY", Sent::NotProcessed, &[StreamRefused, GoAway]),
        (
            "request cannot be built, unsupported URL scheme, certificate rejected, TLS misconfigured, proxy wants \
             credentials",
            Sent::No,
            &[Builder, UnsupportedScheme, Certificate, ProxyAuthentication],
        ),
        (
            "redirect loop, caller's body failed, answer's head too large, body cannot be decoded",
            Sent::Maybe,
            &[Redirect, RequestBody, HeadTooLarge, Decode],
        ),
        ("deadline of the call passed", Sent::Maybe, &[Deadline]),
    ]
};
