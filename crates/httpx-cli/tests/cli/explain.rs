//! What `httpx explain` says.

use httpx_retry::{PRESETS, truth_table};
use serde_json::json;

use crate::support::httpx;

fn explained(arguments: &str) -> String {
    let ran = httpx(["explain"].into_iter().chain(arguments.split_whitespace()));
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{arguments}");
    ran.stdout
}

#[test]
fn a_scenario_is_told_in_two_lines() {
    let rows = [
        (
            "--status 503",
            "GET answered 503 Service Unavailable (policy default)\n\
             retry after 375 ms to 625 ms: transient by convention\n",
        ),
        (
            "--method POST --status 503 --retry-after 7",
            "POST answered 503 Service Unavailable, Retry-After: 7 (policy default)\n\
             retry after 7.0 s to 8.8 s: transient by convention\n",
        ),
        (
            "--status 503 --retry-after 1.5",
            "GET answered 503 Service Unavailable, Retry-After: 1.5 (policy default)\n\
             retry after 375 ms to 625 ms: transient by convention\n\
             this Retry-After is ignored: it is neither whole seconds nor an HTTP date\n",
        ),
        (
            "--policy okhttp_5 --method POST --failure reset --sent maybe --connection reused",
            "POST failed, connection reset, sent: maybe (policy okhttp_5)\n\
             retry after 0.0 ms: I/O failures are retried\n",
        ),
        (
            "--policy okhttp_5 --method POST --failure reset --sent maybe",
            "POST failed, connection reset, sent: maybe (policy okhttp_5)\n\
             stop: this policy does not retry it\n",
        ),
        ("--status 404", "GET answered 404 Not Found (policy default)\nstop: the answer is final\n"),
        (
            "--policy idempotent_only --method POST --failure reset --sent maybe",
            "POST failed, connection reset, sent: maybe (policy idempotent_only)\n\
             stop: it may have been acted on and is not idempotent\n",
        ),
        (
            "--policy idempotent_only --method POST --failure reset --sent maybe --idempotent",
            "POST declared idempotent failed, connection reset, sent: maybe (policy idempotent_only)\n\
             retry after 375 ms to 625 ms: the request is idempotent, so repeating it does no harm\n",
        ),
    ];
    for (arguments, told) in rows {
        assert_eq!(explained(arguments), told, "{arguments}");
    }
}

#[test]
fn a_scenario_is_one_object_for_programs() {
    let json = |arguments| serde_json::from_str::<serde_json::Value>(&explained(arguments)).unwrap();
    assert_eq!(
        json("--failure connect-timeout --sent no --json"),
        json!({"policy": "default", "verdict": "retry", "reason": "not-sent",
               "message": "nothing was sent, so a retry cannot duplicate anything",
               "wait_ms": {"shortest": 375, "longest": 625}})
    );
    assert_eq!(
        json("--method POST --failure request-timeout --sent maybe --json"),
        json!({"policy": "default", "verdict": "stop", "reason": "may-be-working",
               "message": "it may have been sent, and the server may be working on it", "wait_ms": null})
    );
}

#[test]
fn a_policy_is_told_with_its_parts() {
    let told = explained("");
    let parts: Vec<_> = told.lines().skip(2).take(7).collect();
    assert_eq!(
        parts,
        [
            "  rule         default",
            "  attempts     at most 5",
            "  statuses     429, 500, 502, 503, 504",
            "  waits        500 ms before the first retry, times 2 each, at most 30.0 s, varied by a ratio of ±0.25",
            "  Retry-After  a lower bound on the wait; never more than the longest wait",
            "  deadline     none",
            "  budget       500 tokens per server, shared by all calls: a retry takes 5, after a timeout 10; \
             a first success gives 1",
        ]
    );
    let others: Vec<_> = PRESETS.iter().skip(1).map(|preset| preset.name).collect();
    assert!(told.ends_with(&format!("Other policies: {}\n", others.join(", "))), "{told}");
}

#[test]
fn every_row_of_the_truth_table_is_there_whatever_the_policy() {
    for preset in PRESETS {
        let told = explained(&format!("--policy {} --json", preset.name));
        let told: serde_json::Value = serde_json::from_str(&told).unwrap();
        let rows = told["truth_table"].as_array().unwrap();
        let table = truth_table(&preset.policy());
        let expected: Vec<_> = table.lines().skip(2).map(|line| line.replace("**", "")).collect();
        let words = |row: &serde_json::Value, key: &str| row[key].as_str().unwrap().to_owned();
        let printed: Vec<_> = rows
            .iter()
            .map(|row| format!("| {} | {} | {} |", words(row, "outcome"), words(row, "verdict"), words(row, "why")))
            .collect();
        assert_eq!(printed, expected, "{}", preset.name);
    }
}
