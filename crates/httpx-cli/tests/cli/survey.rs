//! What `httpx survey` measures.

use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::support::httpx;

/// Long enough for a busy machine: nothing that ends by itself takes a fifth of it.
const TIMEOUT_MS: u64 = 1000;

/// The cells of the acceptance, measured once for all tests.
static CELLS: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let faults = [
        "unknown-host",
        "black-hole",
        "black-hole-no-connect-timeout",
        "never-answer",
        "applied-then-hang",
        "reset-after-request",
        "tls-reset",
        "bad-certificate",
        "in-use-fin",
        "idle-fin",
        "h2-refused-stream",
        "h2-internal-error",
        "status-503",
        "status-404",
    ];
    let chosen = faults.iter().flat_map(|fault| ["--fault", fault]);
    let ran = httpx(["survey", "--json", "--timeout", "1000ms"].into_iter().chain(chosen));
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    ran.json().as_array().unwrap().clone()
});

fn cell(policy: &str, fault: &str, method: &str) -> &'static Value {
    let found =
        CELLS.iter().find(|cell| cell["policy"] == policy && cell["fault"] == fault && cell["method"] == method);
    found.unwrap_or_else(|| panic!("{policy} {fault} {method}"))
}

/// Contacts of GET and POST, and how often the POST was done again.
const ROWS: &[(&str, &str, u64, u64, u64)] = &[
    ("default", "never-answer", 1, 1, 0),
    ("idempotent_only", "never-answer", 1, 1, 0),
    ("any_io_error", "never-answer", 5, 5, 4),
    ("never", "never-answer", 1, 1, 0),
    ("default", "applied-then-hang", 1, 1, 0),
    ("any_io_error", "applied-then-hang", 5, 5, 4),
    ("default", "black-hole", 5, 5, 0),
    ("default", "black-hole-no-connect-timeout", 5, 5, 0),
    ("idempotent_only", "black-hole-no-connect-timeout", 5, 5, 0),
    ("never", "black-hole", 1, 1, 0),
    ("default", "reset-after-request", 5, 5, 4),
    ("idempotent_only", "reset-after-request", 5, 1, 0),
    ("default", "unknown-host", 5, 5, 0),
    ("default", "tls-reset", 5, 5, 0),
    ("idempotent_only", "tls-reset", 5, 5, 0),
    ("any_io_error", "bad-certificate", 1, 1, 0),
    ("default", "in-use-fin", 2, 2, 1),
    ("idempotent_only", "in-use-fin", 2, 1, 0),
    ("never", "idle-fin", 1, 1, 0),
    ("idempotent_only", "h2-refused-stream", 5, 5, 0),
    ("idempotent_only", "h2-internal-error", 5, 1, 0),
    ("default", "status-503", 5, 5, 0),
    ("idempotent_only", "status-503", 5, 1, 0),
    ("default", "status-404", 1, 1, 0),
];

#[test]
fn contacts_and_repetitions_are_those_that_the_policy_promises() {
    for (policy, fault, get, post, again) in ROWS {
        let (get_cell, post_cell) = (cell(policy, fault, "GET"), cell(policy, fault, "POST"));
        assert_eq!(
            (&get_cell["contacts"], &post_cell["contacts"], &post_cell["duplicates"]),
            (&json!(get), &json!(post), &json!(again)),
            "{policy} {fault}: {post_cell}"
        );
    }
}

#[test]
fn what_the_server_saw_is_what_the_client_tells() {
    for cell in CELLS.iter() {
        assert_eq!(cell["contacts"], cell["attempts"], "{cell}");
    }
}

#[test]
fn a_request_that_is_never_answered_keeps_the_timeout_unless_it_is_repeated() {
    for (policy, least, below) in [("default", 1.0, 1.5), ("idempotent_only", 1.0, 1.5), ("any_io_error", 5.0, 7.0)] {
        for method in ["GET", "POST"] {
            let cell = cell(policy, "never-answer", method);
            let times = cell["wall_ms"].as_u64().unwrap() as f64 / TIMEOUT_MS as f64;
            assert!((least..below).contains(&times), "{cell}");
            assert_eq!((&cell["timeout_ms"], &cell["bound_ms"]), (&json!(TIMEOUT_MS), &json!(5 * TIMEOUT_MS)));
        }
    }
}

#[test]
fn a_black_hole_ends_an_attempt_by_the_limit_that_there_is() {
    for (fault, error) in [("black-hole", "connect-timeout"), ("black-hole-no-connect-timeout", "request-timeout")] {
        let cell = cell("default", fault, "POST");
        assert_eq!((&cell["error"], &cell["sent"]), (&json!(error), &json!("no")), "{cell}");
    }
}

#[test]
fn an_operation_whose_answer_never_comes_is_applied_once_by_default() {
    assert_eq!(cell("default", "applied-then-hang", "POST")["applied"], 1);
}

#[test]
fn a_cell_has_every_key() {
    let mut cell = cell("default", "never-answer", "POST").clone();
    cell["wall_ms"] = json!(0);
    assert_eq!(
        cell,
        json!({"policy": "default", "fault": "never-answer", "method": "POST", "contacts": 1, "attempts": 1,
               "status": null, "error": "request-timeout", "sent": "maybe", "wall_ms": 0, "timeout_ms": 1000,
               "bound_ms": 5000, "applied": 1, "duplicates": 0, "stop_reason": "may-be-working"})
    );
}

#[test]
fn the_same_cells_come_as_csv() {
    let ran = httpx(["survey", "--csv", "--policy", "never", "--fault", "status-404"]);
    let lines: Vec<_> = ran.stdout.lines().collect();
    assert_eq!(
        lines[0],
        "policy,fault,method,contacts,attempts,status,error,sent,wall_ms,timeout_ms,bound_ms,applied,duplicates,stop_reason"
    );
    let without_time = |line: &str| {
        line.split(',')
            .enumerate()
            .filter(|(at, _)| *at != 8)
            .map(|(_, cell)| cell.to_owned())
            .collect::<Vec<_>>()
            .join(",")
    };
    assert_eq!(without_time(lines[1]), "never,status-404,GET,1,1,404,,,300,300,0,0,final-answer");
    assert_eq!(lines.len(), 3);
}

#[test]
fn people_get_a_table_with_a_legend_and_no_colours_in_a_pipe() {
    let ran = httpx([
        "survey",
        "--policy",
        "default",
        "--policy",
        "any_io_error",
        "--fault",
        "never-answer",
        "--fault",
        "ok",
    ]);
    let time = regex::Regex::new(r"\d\.\d\d s").unwrap();
    let told = time.replace_all(&ran.stdout, "T.TT s");
    let golden = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/survey.txt");
    if std::env::var_os("HTTPX_UPDATE_GOLDEN").is_some() {
        std::fs::write(&golden, told.as_bytes()).unwrap();
    }
    assert_eq!(told, std::fs::read_to_string(&golden).unwrap_or_default(), "rewritten by HTTPX_UPDATE_GOLDEN=1");
}
