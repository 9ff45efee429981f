//! What a call tells: attempts, errors, callback. And what it never tells.

use std::error::Error as _;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::{once_then_ok, quick};
use httpx_client::httpx_retry::{FailureKind, Phase, Reason, Sent};
use httpx_client::{Client, Ended, Error, ErrorKind, Response};
use httpx_faults::{Answer, Fault, Script, Server};

#[tokio::test]
async fn every_attempt_is_told_with_outcome_wait_and_reason() {
    let server = Server::start(once_then_ok(Fault::ResetAfterRequest)).await.unwrap();
    let client = quick().jitter(0.0).build().unwrap();
    let answer = client.post(server.url()).body("x").fetch_bytes().await.unwrap();
    let told: Vec<_> = answer
        .attempts()
        .iter()
        .map(|attempt| (attempt.number, attempt.ended, attempt.sent, attempt.wait, attempt.reason.clone()))
        .collect();
    let reset = httpx_client::httpx_retry::Failure { kind: FailureKind::Reset, phase: Phase::Answer };
    let expected = [
        (1, Ended::Failure(reset), Sent::Maybe, Some(Duration::from_millis(1)), Reason::IoFailure),
        (2, Ended::Answer(http::StatusCode::OK), Sent::Maybe, None, Reason::FinalAnswer),
    ];
    assert_eq!(told, expected);
}

#[tokio::test]
async fn an_error_reads_as_a_sentence_and_keeps_the_urls_secrets() {
    let server = Server::start(Script::always(Fault::CloseAfterRequest)).await.unwrap();
    let place = server.address();
    let client = quick().max_attempts(3.try_into().unwrap()).build().unwrap();
    let url = format!("http://user:hunter2@{place}/jobs?token=hunter2#hunter2");
    let error = client.post(url).header("authorization", "hunter2").body("hunter2").send().await.unwrap_err();
    let told = error.to_string();
    let expected = format!("POST http://{place}/jobs?...: connection closed after 3 attempts in 0.");
    assert!(told.starts_with(&expected), "{told}");
    assert_eq!(error.url(), format!("http://{place}/jobs?..."));
    let mut everything = format!("{told} {error:?}");
    let mut source = error.source();
    while let Some(error) = source {
        everything += &format!(" {error} {error:?}");
        source = error.source();
    }
    assert!(!everything.contains("hunter2"), "{everything}");
}

#[tokio::test]
async fn a_request_that_cannot_be_built_is_told_when_it_is_sent() {
    let client = Client::new();
    let begins = format!("GET http://example.test/{}...: request cannot be built", "x".repeat(180));
    let too_long = format!("{begins}: the URL has 70020 bytes, and at most 65534 can be sent");
    let rows: Vec<(&str, Error, FailureKind)> = vec![
        (
            "GET ftp://example.test/x: unsupported URL scheme: a URL to ask starts with http:// or https://",
            client.get("ftp://example.test/x").send().await.unwrap_err(),
            FailureKind::UnsupportedScheme,
        ),
        (
            "GET example.test/x: request cannot be built: relative URL without a base; a URL is like http://host/path",
            client.get("example.test/x?q=s3cret").send().await.unwrap_err(),
            FailureKind::Builder,
        ),
        (
            "GET ...: unsupported URL scheme: a URL to ask starts with http:// or https://",
            client.get("user:s3cret@example.test").send().await.unwrap_err(),
            FailureKind::UnsupportedScheme,
        ),
        (
            "GET ...: request cannot be built: invalid port number; a URL is like http://host/path",
            client.get("http://u:s3#cret@example.test").send().await.unwrap_err(),
            FailureKind::Builder,
        ),
        (
            "GET http://...: request cannot be built: invalid port number; a URL is like http://host/path",
            client.get("http://user:s3cret%40example.test/").send().await.unwrap_err(),
            FailureKind::Builder,
        ),
        (
            &too_long,
            client.get(format!("http://example.test/{}", "x".repeat(70_000))).send().await.unwrap_err(),
            FailureKind::Builder,
        ),
        (
            "GET ...@: request cannot be built: empty host; a URL is like http://host/path",
            client.get("http://user:s3cret@").send().await.unwrap_err(),
            FailureKind::Builder,
        ),
        (
            "GET http://example.test/: request cannot be built: header x-a: failed to parse header value",
            client.get("http://example.test/").header("x-a", "s3\ncret").send().await.unwrap_err(),
            FailureKind::Builder,
        ),
        (
            "GET http://example.test/: request cannot be built: header name: invalid HTTP header name",
            client.get("http://example.test/").header("x a", "v").fetch_text().await.unwrap_err(),
            FailureKind::Builder,
        ),
    ];
    for (expected, error, kind) in rows {
        assert_eq!(error.to_string(), expected);
        assert_eq!((error.kind(), error.phase()), (ErrorKind::Failure(kind), Phase::Prepare));
        assert!(error.attempts().is_none());
    }
}

#[tokio::test]
async fn one_attempt_that_may_have_been_seen_is_enough_for_the_call() {
    // The last one was not acted on, the first one may have been.
    let server = Server::h2(Script::first(Fault::InternalError).then(Fault::RefusedStream)).await.unwrap();
    let client = quick().http_version(httpx_client::HttpVersion::Http2).max_attempts(2.try_into().unwrap());
    let error = client.build().unwrap().post(server.url()).body("x").send().await.unwrap_err();
    let each: Vec<_> = error.attempts().unwrap().iter().map(|attempt| attempt.sent).collect();
    assert_eq!((error.sent(), each), (Sent::Maybe, vec![Sent::Maybe, Sent::NotProcessed]));
}

#[tokio::test]
async fn a_callers_stream_that_fails_is_the_callers_failure_over_either_protocol() {
    let failing = || {
        let parts = [Ok("first"), Err(std::io::Error::other("the file went away"))];
        httpx_client::Body::stream(futures_util::stream::iter(parts))
    };
    let h1 = Server::start(Script::always(Fault::Ok)).await.unwrap();
    let h2 = Server::h2(Script::always(Fault::Ok)).await.unwrap();
    let over_h2 = quick().http_version(httpx_client::HttpVersion::Http2).build().unwrap();
    for (client, url) in [(quick().build().unwrap(), h1.url()), (over_h2, h2.url())] {
        let error = client.post(url).body(failing()).send().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Failure(FailureKind::RequestBody), "{error:?}");
        assert_eq!(error.source().unwrap().to_string(), "the file went away");
        assert_eq!(error.attempts().unwrap().count(), 1);
    }
    assert_eq!((h1.journal().complete(), h2.journal().complete()), (0, 0));
}

#[tokio::test]
async fn the_callback_hears_of_every_retry_before_its_wait() {
    let server = Server::start(Script::first(Fault::status(503)).times(2).then(Fault::Ok)).await.unwrap();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&heard);
    let client = quick().on_retry(move |event| {
        let attempt = event.attempt();
        log.lock().unwrap().push((event.method().clone(), event.url(), attempt.number, attempt.status(), attempt.wait));
    });
    client.build().unwrap().get(server.url_at("/x?y=z")).fetch_bytes().await.unwrap();
    let heard = heard.lock().unwrap();
    assert_eq!(heard.len(), 2);
    assert_eq!((heard[0].0.as_str(), heard[0].1.as_str()), ("GET", server.url_at("/x?...").as_str()));
    assert_eq!((heard[1].2, heard[1].3.unwrap().as_u16()), (2, 503));
    assert!(heard[1].4.is_some());
}

#[tokio::test]
async fn fetch_json_decodes_success_only_and_tells_the_rest_apart() {
    let rows = [
        (Answer::ok().body("[1,2]"), Ok(vec![1, 2])),
        (Answer::ok().body("[1,"), Err((ErrorKind::Failure(FailureKind::Decode), 1))),
        (Answer::status(404).body("no such thing"), Err((ErrorKind::Status(http::StatusCode::NOT_FOUND), 1))),
        (Answer::status(503).body("busy"), Err((ErrorKind::Status(http::StatusCode::SERVICE_UNAVAILABLE), 5))),
    ];
    for (answer, expected) in rows {
        let server = Server::start(Script::always(answer)).await.unwrap();
        let got: Result<Response<Vec<u32>>, Error> = quick().build().unwrap().get(server.url()).fetch_json().await;
        let got = got.map(Response::into_body).map_err(|error| (error.kind(), error.attempts().unwrap().count()));
        assert_eq!(got, expected);
    }
}

#[tokio::test]
async fn text_follows_its_charset() {
    let rows = [
        ("text/plain; charset=iso-8859-1", &b"caf\xe9"[..], "caf\u{e9}"),
        ("text/plain", "caf\u{e9}".as_bytes(), "caf\u{e9}"),
        ("text/plain; charset=no-such", b"plain", "plain"),
        ("", b"bad \xff byte", "bad \u{fffd} byte"),
    ];
    for (content_type, body, expected) in rows {
        let server = Server::start(Script::always(Answer::ok().header("content-type", content_type).body(body)));
        let text = quick().build().unwrap().get(server.await.unwrap().url()).fetch_text().await;
        // The server is gone by now only after it has answered.
        assert_eq!(text.unwrap().body(), expected);
    }
}
