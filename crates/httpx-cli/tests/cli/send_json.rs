//! The one object that `httpx send --json` prints.

use httpx_faults::{Answer, Fault, Script, Server};
use serde_json::{Value, json};

use crate::support::{always, send};

/// The value without what differs from run to run: times become 0.
fn timeless(mut value: Value) -> Value {
    fn still(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                for (name, field) in fields {
                    if name.ends_with("_ms") && field.is_u64() { *field = json!(0) } else { still(field) }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(still),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    still(&mut value);
    value
}

#[tokio::test]
async fn an_answer_after_a_retry_has_every_key() {
    let server = Server::start(Script::first(Fault::status(503)).then(Answer::ok().body("hello"))).await.unwrap();
    let ran = send(&server.url_at("/"), &["--json"]);
    assert_eq!((ran.code, ran.stdout.lines().count()), (0, 1));
    let attempt = |number: u64, status: u64, wait: Value, verdict: &str, reason: &str| {
        json!({"number": number, "outcome": "answer", "sent": "maybe", "phase": null, "status": status,
               "elapsed_ms": 0, "wait_ms": wait, "verdict": verdict, "reason": reason})
    };
    assert_eq!(
        timeless(ran.json()),
        json!({
            "status": 200,
            "error": null,
            "attempts": [
                attempt(1, 503, json!(0), "retry", "transient-status"),
                attempt(2, 200, Value::Null, "stop", "final-answer"),
            ],
            "stop_reason": "final-answer",
            "elapsed_ms": 0,
            "body_bytes": 5,
        })
    );
}

#[tokio::test]
async fn a_failure_has_every_key() {
    let server = always(Fault::NeverAnswer).await;
    let ran = send(&server.url_at("/"), &["-d", "x", "--timeout", "300ms", "--json"]);
    let mut json = timeless(ran.json());
    let message = json["error"]["message"].take();
    let start = format!("POST {}/: request timed out after 1 attempt in 0.", server.url());
    assert!(message.as_str().unwrap().starts_with(&start), "{message}");
    assert_eq!(
        json,
        json!({
            "status": null,
            "error": {"kind": "request-timeout", "sent": "maybe", "phase": "answer", "message": null},
            "attempts": [{"number": 1, "outcome": "request-timeout", "sent": "maybe", "phase": "answer", "status": null,
                          "elapsed_ms": 0, "wait_ms": null, "verdict": "stop", "reason": "may-be-working"}],
            "stop_reason": "may-be-working",
            "elapsed_ms": 0,
            "body_bytes": 0,
        })
    );
    assert_eq!((ran.code, ran.stderr.as_str(), server.journal().complete()), (7, "", 1));
}

#[tokio::test]
async fn a_full_backlog_is_tried_as_often_as_allowed_and_sent_nothing() {
    let server = always(Fault::BlackHole).await;
    for limit in ["--timeout", "--connect-timeout"] {
        let ran = send(&server.url_at("/"), &["-d", "x", limit, "100ms", "--json"]);
        let json = ran.json();
        let attempts = json["attempts"].as_array().unwrap();
        assert_eq!((ran.code, attempts.len(), json["stop_reason"].as_str()), (7, 5, Some("attempts-exhausted")));
        assert!(attempts.iter().all(|attempt| attempt["sent"] == "no"), "{json}");
    }
}

#[tokio::test]
async fn a_body_that_breaks_off_tells_how_much_of_it_came() {
    let server = always(Fault::HalfBodyFin).await;
    for further in [&["--json"][..], &["--json", "--stream"]] {
        let ran = send(&server.url_at("/"), further);
        let json = ran.json();
        assert_eq!((ran.code, json["status"].is_null(), json["body_bytes"].as_u64()), (7, true, Some(500)));
        assert_eq!((&json["error"]["kind"], &json["error"]["phase"]), (&json!("truncated"), &json!("body")));
    }
}

#[tokio::test]
async fn a_streamed_body_is_fetched_once_and_a_buffered_one_again() {
    for (further, attempts, code) in [(&["--json"][..], 2, 0), (&["--json", "--stream"], 1, 7)] {
        let server = Server::start(Script::first(Fault::HalfBodyFin).then(Fault::Ok)).await.unwrap();
        let ran = send(&server.url_at("/"), further);
        assert_eq!((ran.json()["attempts"].as_array().unwrap().len(), ran.code), (attempts, code));
    }
}

#[tokio::test]
async fn a_streamed_body_that_breaks_off_is_no_answer_in_any_part_of_the_story() {
    let server = Server::start(Script::always(Fault::HalfBodyFin)).await.unwrap();
    let ran = send(&server.url_at("/"), &["--json", "--stream", "-v"]);
    let json = ran.json();
    assert_eq!((&json["error"]["kind"], &json["stop_reason"]), (&json!("truncated"), &json!("body-handed-out")));
    let last = &json["attempts"][0];
    assert_eq!(
        (&last["outcome"], &last["phase"], &last["status"]),
        (&json!("truncated"), &json!("body"), &Value::Null)
    );
    assert!(!ran.stderr.contains("done") && ran.stderr.contains("in the middle of the answer"), "{}", ran.stderr);
}

#[tokio::test]
async fn the_policy_and_the_limits_on_the_command_line_are_kept() {
    let rows: &[(&[&str], usize, &str)] = &[
        (&[], 5, "attempts-exhausted"),
        (&["--max-attempts", "2"], 2, "attempts-exhausted"),
        (&["--policy", "never"], 1, "never"),
        (&["--policy", "idempotent_only", "-d", "x"], 1, "not-idempotent"),
        (&["--policy", "idempotent_only", "-d", "x", "--idempotent"], 5, "attempts-exhausted"),
        (&["--policy", "idempotent_only", "-d", "x", "-H", "Idempotency-Key: 7"], 5, "attempts-exhausted"),
        (&["--deadline", "500ms", "--max-delay", "2s", "--delay", "2s"], 1, "deadline"),
    ];
    for (further, attempts, reason) in rows {
        let server = always(Fault::ResetAfterRequest).await;
        let url = server.url_at("/");
        let ran = match further.contains(&"--max-delay") {
            true => crate::support::httpx(["send", &url, "--json"].into_iter().chain(further.iter().copied())),
            false => send(&url, &[further, &["--json"][..]].concat()),
        };
        let json = ran.json();
        assert_eq!(
            (json["attempts"].as_array().unwrap().len(), &json["stop_reason"]),
            (*attempts, &json!(reason)),
            "{further:?}"
        );
        assert_eq!(server.journal().complete(), *attempts as u64, "{further:?}");
    }
}

#[tokio::test]
async fn flags_override_the_file_of_settings() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("httpx.toml");
    std::fs::write(&file, "max_attempts = 4\npolicy = \"never\"\n").unwrap();
    let server = always(Fault::status(503)).await;
    let count = |further: &[&str]| {
        let further = [&["--json", "--config", file.to_str().unwrap()], further].concat();
        send(&server.url_at("/"), &further).json()["attempts"].as_array().unwrap().len()
    };
    assert_eq!(count(&[]), 1);
    assert_eq!(count(&["--policy", "default"]), 4);
    assert_eq!(count(&["--policy", "default", "--max-attempts", "2"]), 2);
}
