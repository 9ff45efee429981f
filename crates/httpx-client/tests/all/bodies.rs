//! Bodies of answers: whole, or a failure that says how much of them came.

use std::time::Duration;

use crate::support::{FAIR, SHORT, quick};
use httpx_client::httpx_retry::{FailureKind, Phase, Reason, Rule, Verdict};
use httpx_client::{Client, Error, ErrorKind, HttpVersion, Limit, Response};
use httpx_faults::{Answer, End, Fault, Script, Server};

fn over_h2() -> Client {
    quick().http_version(HttpVersion::Http2).build().unwrap()
}

fn cut(end: End) -> Answer {
    Answer::ok().body(vec![b'x'; 1000]).cut(400, end)
}

fn story(error: &Error) -> (ErrorKind, u64, &Reason) {
    (error.kind(), error.bytes_received(), error.attempts().unwrap().stop_reason())
}

#[tokio::test]
async fn a_body_that_ends_before_its_length_is_cut_also_where_the_server_calls_it_whole() {
    for answer in [cut(End::StreamNoError), cut(End::StreamNoError).chunked()] {
        an_answer_that_is_cut(answer).await;
    }
    // Whole, though its length is not told: with data at its end, without, and with trailers.
    for body in ["", "whole"] {
        let whole = Answer::ok().body(body).chunked();
        for answer in [whole.clone(), whole.trailer("x", "y")] {
            let at = Server::h2(Script::always(answer)).await.unwrap();
            let got = over_h2().get(at.url()).fetch_text().await.unwrap();
            assert_eq!((got.body().as_str(), got.attempts().count()), (body, 1));
            assert_eq!(got.url().as_str(), at.url_at("/"));
            assert_eq!((got.status().as_u16(), got.headers().len()), (200, 0));
        }
    }
}

async fn an_answer_that_is_cut(answer: Answer) {
    let server = || Server::h2(Script::first(answer.clone()).then(Fault::Ok));

    let at = server().await.unwrap();
    let answer = over_h2().get(at.url()).fetch_bytes().await.unwrap();
    assert_eq!((answer.body().as_ref(), answer.attempts().count()), (&b"ok"[..], 2));
    let first = answer.attempts().iter().next().unwrap().failure().unwrap();
    assert_eq!((first.kind, first.phase), (FailureKind::Truncated, Phase::Body));

    // In pieces, and with the rest at once.
    let truncated = ErrorKind::Failure(FailureKind::Truncated);
    for first_piece in [false, true] {
        let at = server().await.unwrap();
        let mut answer = over_h2().get(at.url()).send().await.unwrap();
        if first_piece {
            assert_eq!(answer.chunk().await.unwrap().unwrap().len(), 400);
        }
        let error = answer.bytes().await.unwrap_err();
        assert_eq!(story(&error), (truncated, 400, &Reason::BodyHandedOut), "{first_piece}");
    }

    // Into a file.
    let at = server().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let saved = over_h2().get(at.url()).download_to(folder.path().join("x")).await.unwrap();
    assert_eq!((saved.body().bytes, saved.attempts().count()), (2, 2));
}

#[tokio::test]
async fn a_length_without_a_body_is_no_cut() {
    let answers = [("HEAD", Answer::ok()), ("GET", Answer::status(304).header("content-length", "10"))];
    for (method, answer) in answers {
        for h2 in [false, true] {
            let script = Script::always(answer.clone());
            let server = if h2 { Server::h2(script).await } else { Server::start(script).await }.unwrap();
            let client = if h2 { over_h2() } else { quick().build().unwrap() };
            let request = || client.request(method.parse().unwrap(), server.url());
            let got = request().fetch_bytes().await.unwrap();
            assert_eq!((got.body().len(), got.attempts().count()), (0, 1), "{method} {h2}");
            assert!(request().send().await.unwrap().bytes().await.unwrap().is_empty(), "{method} {h2}");
            let folder = tempfile::tempdir().unwrap();
            let saved = request().download_to(folder.path().join("x")).await;
            if method == "HEAD" {
                assert_eq!((saved.as_ref().unwrap().body().bytes, saved.unwrap().attempts().count()), (0, 1), "{h2}");
            }
        }
    }
}

#[tokio::test]
async fn a_body_that_breaks_off_in_the_callers_hands_rewrites_the_story() {
    let server = Server::start(Script::always(cut(End::Fin))).await.unwrap();
    let mut answer = quick().build().unwrap().get(server.url()).send().await.unwrap();
    let at_the_head = answer.attempts().clone();
    assert_eq!(at_the_head.stop_reason(), &Reason::FinalAnswer);
    tokio::time::sleep(Duration::from_millis(20)).await;
    while answer.body_is_there().await {}
    let error = answer.chunk().await.unwrap_err();
    assert_eq!(story(&error), (ErrorKind::Failure(FailureKind::Truncated), 400, &Reason::BodyHandedOut));
    let last = error.attempts().unwrap().last();
    assert_eq!(last.failure().unwrap().kind, FailureKind::Truncated);
    let later = Duration::from_millis(20);
    assert!(last.elapsed >= at_the_head.last().elapsed + later && error.elapsed() >= at_the_head.elapsed() + later);
}

/// Reads pieces until the next one fails.
trait Pieces {
    async fn body_is_there(&mut self) -> bool;
}

impl Pieces for Response {
    async fn body_is_there(&mut self) -> bool {
        self.chunk().await.is_ok_and(|piece| piece.is_some())
    }
}

#[tokio::test]
async fn the_last_body_counts_towards_the_time_of_the_call() {
    // Two drops, a hundred milliseconds each, of an answer that no retry follows.
    let slow = Answer::status(503).body("no").drip(Duration::from_millis(100));
    let server = Server::start(Script::always(slow)).await.unwrap();
    let answer = quick().max_attempts(1.try_into().unwrap()).build().unwrap().get(server.url()).fetch_text();
    let answer = answer.await.unwrap();
    assert_eq!(answer.attempts().stop_reason(), &Reason::AttemptsExhausted);
    let least = Duration::from_millis(200);
    assert!(answer.attempts().elapsed() >= least && answer.attempts().last().elapsed >= least, "{answer:?}");
}

#[tokio::test]
async fn limits_bound_a_body_that_always_has_more_to_give() {
    // All of it is there long before anybody looks.
    let server = Server::start(Script::always(Answer::ok().body(vec![b'x'; 4 << 20]))).await.unwrap();
    for kind in [FailureKind::RequestTimeout, FailureKind::Deadline] {
        let request = quick().build().unwrap().get(server.url());
        let request = if kind == FailureKind::Deadline { request.deadline(FAIR) } else { request.timeout(FAIR) };
        let mut answer = request.send().await.unwrap();
        let error = loop {
            tokio::time::sleep(FAIR / 5).await;
            match answer.chunk().await {
                Ok(piece) => assert!(piece.is_some(), "the whole body was read in spite of {kind:?}"),
                Err(error) => break error,
            }
        };
        assert_eq!(error.kind(), ErrorKind::Failure(kind));
        assert!(error.bytes_received() > 0);
    }
}

#[tokio::test]
async fn a_body_longer_than_memory_is_given_is_an_error_and_read_no_further() {
    let endless = || Answer::ok().body(vec![b'x'; 64 << 20]).chunked();
    let whole = |length| Answer::ok().body(vec![b'x'; length]);
    let rows = [
        ("just right", whole(1000), None),
        ("in one piece", whole(1001), Some("the body has more than 1000 bytes")),
        ("in many", endless(), Some("the body has more than 1000 bytes")),
    ];
    for (name, answer, expected) in rows {
        let server = Server::start(Script::always(answer)).await.unwrap();
        let client = quick().max_body(1000).build().unwrap();
        let fetched = client.get(server.url()).fetch_bytes().await.map(|answer| answer.body().len());
        let read = client.get(server.url()).send().await.unwrap().bytes().await.map(|body| body.len());
        let text = client.get(server.url()).send().await.unwrap().text().await.map(|text| text.len());
        for got in [fetched, read, text] {
            match (got, expected) {
                (Ok(length), None) => assert_eq!(length, 1000, "{name}"),
                (Err(error), Some(told)) => {
                    assert_eq!((error.kind(), error.attempts().unwrap().count()), (ErrorKind::TooLarge, 1), "{name}");
                    assert!(error.to_string().contains(told), "{name}: {error}");
                }
                (got, _) => panic!("{name}: {got:?}"),
            }
        }
    }
}

#[tokio::test]
async fn a_deadline_of_the_client_can_be_switched_off_for_one_request() {
    let server = Server::start(Script::always(Answer::ok().after(SHORT))).await.unwrap();
    let client = quick().deadline(Duration::from_millis(1)).build().unwrap();
    let error = client.get(server.url()).send().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Failure(FailureKind::Deadline));
    assert_eq!(client.get(server.url()).deadline(Limit::Off).fetch_text().await.unwrap().body(), "ok");
}

#[tokio::test]
async fn json_that_is_not_what_it_should_be_is_told_without_a_word_of_it() {
    #[derive(Debug, serde::Deserialize)]
    struct Job {
        #[expect(dead_code, reason = "only its absence matters")]
        id: u32,
    }
    let rows = [
        (r#"{"id":"s3cret"}"#, "another type of value was expected, at line 1 column 14"),
        (r#"{"s3cret":1}"#, "missing field `id`, at line 1 column 12"),
        ("s3cret", "not JSON, at line 1 column 1"),
        (r#"{"id":"s3c"#, "the JSON ends too soon, at line 1 column 10"),
    ];
    for (body, expected) in rows {
        let server = Server::start(Script::always(Answer::ok().body(body))).await.unwrap();
        let error = quick().build().unwrap().get(server.url()).fetch_json::<Job>().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Failure(FailureKind::Decode));
        assert_eq!(std::error::Error::source(&error).unwrap().to_string(), expected);
        assert!(!format!("{error} {error:?}").contains("s3c"), "{error:?}");
    }
}

#[tokio::test]
async fn a_rule_is_asked_once_about_an_answer() {
    let server = Server::start(Script::always(Fault::Ok)).await.unwrap();
    let asked = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let count = asked.clone();
    let rule = Rule::new("counts", move |_| {
        count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Verdict::Stop(Reason::FinalAnswer)
    });
    quick().rule(rule).build().unwrap().get(server.url()).fetch_bytes().await.unwrap();
    assert_eq!(asked.load(std::sync::atomic::Ordering::Relaxed), 1);
}
