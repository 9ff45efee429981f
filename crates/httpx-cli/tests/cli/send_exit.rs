//! Exit codes of `httpx send`, and what is on the two streams.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use httpx_faults::{Answer, Fault, Script, Server};

use crate::support::{always, send};

struct Row {
    fault: Fault,
    code: i32,
    stdout: &'static str,
}

#[tokio::test]
async fn the_exit_code_tells_a_good_status_from_a_bad_one_and_from_no_answer() {
    let rows = [
        Row { fault: Fault::Ok, code: 0, stdout: "ok" },
        Row { fault: Answer::status(304).into(), code: 0, stdout: "" },
        Row { fault: Answer::status(399).body("strange").into(), code: 0, stdout: "strange" },
        Row { fault: Answer::status(400).body("no").into(), code: 22, stdout: "no" },
        Row { fault: Answer::status(404).body("gone").into(), code: 22, stdout: "gone" },
        Row { fault: Answer::status(503).body("busy").into(), code: 22, stdout: "busy" },
        Row { fault: Fault::Refused, code: 7, stdout: "" },
        Row { fault: Fault::CloseAfterRequest, code: 7, stdout: "" },
        Row { fault: Fault::HalfBodyFin, code: 7, stdout: "" },
    ];
    for Row { fault, code, stdout } in rows {
        let name = format!("{fault:?}");
        let server = always(fault).await;
        let ran = send(&server.url_at("/"), &[]);
        assert_eq!((ran.code, ran.stdout.as_str()), (code, stdout), "{name}: {}", ran.stderr);
    }
}

#[tokio::test]
async fn a_good_answer_leaves_standard_error_empty() {
    let server = always(Fault::Ok).await;
    assert_eq!(send(&server.url_at("/"), &[]).stderr, "");
}

#[tokio::test]
async fn a_bad_status_is_told_beside_its_body() {
    let server = always(Answer::status(404).body("gone")).await;
    let ran = send(&server.url_at("/"), &[]);
    assert!(ran.stderr.starts_with("404 Not Found after 1 attempt in "), "{}", ran.stderr);
    assert!(ran.stderr.ends_with(" ms, 4 bytes\n"), "{}", ran.stderr);
}

#[tokio::test]
async fn a_failed_call_tells_its_story_in_one_line_and_no_secret() {
    let server = always(Fault::Refused).await;
    let url = server.url_at("/jobs?token=s3cret#part").replace("http://", "http://user:passw0rd@");
    let ran = send(&url, &["--max-attempts", "3"]);
    let start = format!("httpx: GET {}/jobs?...: connection refused after 3 attempts in ", server.url());
    assert!(ran.stderr.starts_with(&start), "{}", ran.stderr);
    assert_eq!((ran.code, ran.stderr.lines().count()), (7, 1));
}

/// A body that never comes is read by a thread that nothing can call off, as that of a name that is looked up.
#[cfg(unix)]
#[tokio::test]
async fn the_command_ends_with_its_deadline_whatever_goes_on_in_the_background() {
    let server = always(Fault::Ok).await;
    let mut command = Command::new(env!("CARGO_BIN_EXE_httpx"));
    command.args(["send", &server.url_at("/"), "--data-stream", "/dev/stdin", "--deadline", "200ms"]);
    let mut running = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let _never_written = running.stdin.take();
    let patience = Instant::now() + Duration::from_secs(20);
    let ended = loop {
        match running.try_wait().unwrap() {
            None if Instant::now() < patience => std::thread::sleep(Duration::from_millis(20)),
            ended => break ended,
        }
    };
    running.kill().ok();
    assert_eq!(ended.and_then(|status| status.code()), Some(7), "it still waits");
}

#[tokio::test]
async fn a_redirect_is_followed_unless_it_is_asked_for() {
    let script = || Script::first(Fault::Redirect(302, "/there".to_owned())).then(Answer::ok().body("arrived"));
    let server = Server::start(script()).await.unwrap();
    let ran = send(&server.url_at("/"), &[]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "arrived"));

    let server = Server::start(script()).await.unwrap();
    let ran = send(&server.url_at("/"), &["--max-redirects", "0", "--json"]);
    assert_eq!((ran.code, ran.json()["status"].as_u64()), (0, Some(302)));
    assert_eq!(server.journal().recorded(), 1);
}

#[tokio::test]
async fn a_certificate_is_trusted_when_it_is_named_and_refused_for_good_when_not() {
    let server = Server::tls(Script::always(Fault::Ok)).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let pem = folder.path().join("root.pem");
    std::fs::write(&pem, server.root_pem().unwrap()).unwrap();
    let ran = send(&server.url_at("/"), &["--cacert", pem.to_str().unwrap()]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "ok"), "{}", ran.stderr);

    let other = Server::tls(Script::always(Fault::Ok)).await.unwrap();
    let ran = send(&other.url_at("/"), &["--cacert", pem.to_str().unwrap(), "--json"]);
    let json = ran.json();
    assert_eq!(
        (ran.code, json["error"]["kind"].as_str(), json["attempts"].as_array().unwrap().len()),
        (7, Some("certificate"), 1)
    );
}

#[tokio::test]
async fn http2_is_spoken_without_asking_when_told_to() {
    let server = Server::h2(Script::first(Fault::RefusedStream).then(Fault::Ok)).await.unwrap();
    let json = send(&server.url_at("/"), &["--http2", "--json"]).json();
    assert_eq!(json["status"], 200);
    assert_eq!(json["attempts"][0]["outcome"], "stream-refused");
    assert_eq!(json["attempts"][0]["sent"], "not-processed");
}
