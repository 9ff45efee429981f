//! What `httpx send` sends.

use httpx_faults::{Fault, Request, Script, Server};
use serde_json::json;

use crate::support::{always, send};

async fn sent(further: &[&str]) -> Request {
    let server = always(Fault::Ok).await;
    let ran = send(&server.url_at("/jobs"), further);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    server.journal().requests().remove(0)
}

#[tokio::test]
async fn a_body_makes_it_a_post_unless_a_method_is_named() {
    assert_eq!(sent(&[]).await.method, "GET");
    assert_eq!(sent(&["-d", ""]).await.method, "POST");

    let server = always(Fault::Ok).await;
    for (method, body) in [("PUT", "x"), ("delete", "x"), ("POST", "")] {
        crate::support::httpx(["send", method, &server.url_at("/"), "-d", body]);
    }
    let methods: Vec<_> = server.journal().requests().into_iter().map(|request| request.method).collect();
    assert_eq!(methods, ["PUT", "DELETE", "POST"]);
}

#[tokio::test]
async fn text_and_files_arrive_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("body.bin");
    let bytes: Vec<u8> = (0..200_000_u32).map(|number| (number % 251) as u8).collect();
    std::fs::write(&file, &bytes).unwrap();
    let file = file.to_str().unwrap();

    assert_eq!(&sent(&["--data", "-1 is text"]).await.body[..], b"-1 is text");
    for further in [["-d", &format!("@{file}")], ["--data-stream", file]] {
        let request = sent(&further).await;
        assert_eq!((request.body_length, request.complete), (200_000, true), "{further:?}");
        assert_eq!(request.body[..], bytes[..request.body.len()], "{further:?}");
    }
}

#[tokio::test]
async fn header_lines_arrive_as_written() {
    let request = sent(&["-H", "X-One: a: b", "-H", "x-two:  spaced ", "-H", "x-two: again", "-H", "x-empty:"]).await;
    assert_eq!(request.header("x-one"), Some("a: b"));
    assert_eq!(request.header_lines("x-two").collect::<Vec<_>>(), ["spaced", "again"]);
    assert_eq!(request.header("x-empty"), Some(""));
}

#[tokio::test]
async fn a_redirect_that_wants_a_stream_again_is_a_failure() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("body");
    std::fs::write(&file, "once").unwrap();
    let server = Server::start(Script::always(Fault::Redirect(307, "/there".to_owned()))).await.unwrap();
    let run =
        |further: &[&str]| send(&server.url_at("/"), &[&["--data-stream", file.to_str().unwrap()], further].concat());
    let ran = run(&[]);
    let told = "httpx: the redirect was not followed: the body was a stream that can be read only once";
    assert_eq!((ran.code, ran.stderr.lines().last().unwrap()), (7, told));
    let ran = run(&["--json"]);
    assert_eq!((ran.code, &ran.json()["stop_reason"]), (7, &json!("body-not-replayable")));
    assert_eq!(server.journal().complete(), 2);
}

#[tokio::test]
async fn a_streamed_body_is_sent_once_and_the_result_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("body");
    std::fs::write(&file, "once").unwrap();
    let server = Server::start(Script::first(Fault::status(503)).then(Fault::Ok)).await.unwrap();
    let ran = send(&server.url_at("/"), &["--data-stream", file.to_str().unwrap(), "--json"]);
    let json = ran.json();
    assert_eq!((ran.code, &json["status"], &json["stop_reason"]), (22, &json!(503), &json!("body-not-replayable")));
    assert_eq!(server.journal().complete(), 1);
}
