//! The story that `httpx send -v` tells, with times replaced by `T`.

use httpx_faults::{Answer, Fault, Script, Server};
use regex::Regex;

use crate::support::{always, send};

/// One row: a server, arguments, and every line after the first and before the last, which are told apart.
fn told(server: &Server, further: &[&str]) -> Vec<String> {
    let ran = send(&server.url_at("/jobs?q=1"), &[further, &["-v"]].concat());
    let time = Regex::new(r"\d+(\.\d+)? ?(ms|s)\b").unwrap();
    let told = ran.stderr.replace(&server.url(), "http://host");
    told.lines().map(|line| time.replace_all(line, "T").into_owned()).collect()
}

#[tokio::test]
async fn a_retried_status_and_then_an_answer() {
    let server = Server::start(Script::first(Fault::status(503)).then(Answer::ok().body("hello"))).await.unwrap();
    assert_eq!(
        told(&server, &[]),
        [
            "GET http://host/jobs?... (policy default, at most 5 attempts)",
            "attempt 1: 503 Service Unavailable in T → retry in T (transient by convention)",
            "attempt 2: 200 OK in T → done",
            "200 OK after 2 attempts in T, 5 bytes",
        ]
    );
}

#[tokio::test]
async fn a_timeout_of_a_request_that_may_have_been_sent() {
    let server = always(Fault::NeverAnswer).await;
    assert_eq!(
        told(&server, &["-d", "x", "--timeout", "200ms"]),
        [
            "POST http://host/jobs?... (policy default, at most 5 attempts)",
            "attempt 1: request timed out after T, it may have been sent → stop: the server may be working on it",
            "httpx: POST http://host/jobs?...: request timed out after 1 attempt in T",
        ]
    );
}

#[tokio::test]
async fn a_connect_timeout_while_nothing_was_sent() {
    let server = always(Fault::BlackHole).await;
    let lines = told(&server, &["--connect-timeout", "100ms", "--max-attempts", "2"]);
    assert_eq!(lines[1], "attempt 1: connect timed out after T, nothing was sent → retry in T");
    assert_eq!(lines[2], "attempt 2: connect timed out after T, nothing was sent → stop: all attempts are used up");
}

#[tokio::test]
async fn every_other_way_in_which_an_attempt_ends() {
    let rows: &[(Fault, &[&str], &str)] = &[
        (Fault::Refused, &[], "attempt 1: connection refused after T, nothing was sent → retry in T"),
        (
            Fault::ResetAfterRequest,
            &[],
            "attempt 1: connection reset after T, it may have been sent → retry in T (I/O failures are retried)",
        ),
        (
            Fault::HalfBodyFin,
            &[],
            "attempt 1: body ended early after T, in the middle of the answer → retry in T (I/O failures are retried)",
        ),
        (
            Fault::HeadersThenStall(5),
            &["--read-timeout", "200ms"],
            "attempt 1: read timed out after T, in the middle of the answer → stop: the server may be working on it",
        ),
        (
            Fault::NeverAnswer,
            &["--deadline", "200ms"],
            "attempt 1: deadline passed after T, it may have been sent → stop: the call's time is over",
        ),
        (
            Fault::ResetAfterRequest,
            &["--policy", "idempotent_only", "-d", "x"],
            "attempt 1: connection reset after T, it may have been sent → \
             stop: it may have been acted on and is not idempotent",
        ),
        (
            Fault::ResetAfterRequest,
            &["--policy", "never"],
            "attempt 1: connection reset after T, it may have been sent → stop: this policy never retries",
        ),
        (Answer::status(404).into(), &[], "attempt 1: 404 Not Found in T → stop: the answer is final"),
    ];
    for (fault, further, line) in rows {
        let server = always(fault.clone()).await;
        assert_eq!(told(&server, further)[1], *line, "{fault:?} {further:?}");
    }
}

#[tokio::test]
async fn no_secret_of_the_url_is_told() {
    let server = always(Fault::status(503)).await;
    let url = server.url_at("/?token=s3cret#s3cret").replace("http://", "http://s3cret:s3cret@");
    let ran = send(&url, &["-v", "--json", "-H", "Authorization: Bearer s3cret"]);
    assert_eq!(ran.code, 22);
    assert!(!ran.stderr.contains("s3cret") && !ran.stdout.contains("s3cret"), "{}{}", ran.stderr, ran.stdout);
}
