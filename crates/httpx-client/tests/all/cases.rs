//! Cases from the field, part 1: retries and timeouts. The number is the case's.

use std::num::NonZeroU32;
use std::time::Duration;

use crate::support::{LONG, SHORT, once_then_ok, quick, stream_of};
use http::Method;
use httpx_client::httpx_retry::{FailureKind, Idempotency, Outcome, Phase, Reason, Rule, Sent, Verdict};
use httpx_client::{Body, ErrorKind, HttpVersion};
use httpx_faults::{Answer, Fault, Script, Server};

fn attempts(n: u32) -> NonZeroU32 {
    n.try_into().unwrap()
}

#[tokio::test]
async fn c01_a_timeout_after_the_request_was_sent_ends_the_call_with_one_request() {
    for (method, path) in [(Method::GET, "/get"), (Method::POST, "/post"), (Method::DELETE, "/delete")] {
        let server = Server::start(Script::always(Fault::NeverAnswer)).await.unwrap();
        let client = quick().timeout(SHORT).max_attempts(attempts(5)).build().unwrap();
        let error = client.request(method, server.url_at(path)).send().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Failure(FailureKind::RequestTimeout));
        assert_eq!((error.sent(), error.attempts().unwrap().stop_reason()), (Sent::Maybe, &Reason::MayBeWorking));
        assert_eq!(server.journal().complete(), 1);
        assert!(error.elapsed() >= SHORT && error.elapsed() < LONG, "{error:?}");
    }
}

#[tokio::test]
async fn c01_a_connect_timeout_and_a_timeout_while_connecting_are_retried() {
    let server = Server::start(Script::always(Fault::BlackHole)).await.unwrap();
    for builder in [quick().timeout(SHORT), quick().connect_timeout(SHORT), quick().read_timeout(SHORT)] {
        let client = builder.max_attempts(attempts(3)).build().unwrap();
        let error = client.post(server.url()).body("x").send().await.unwrap_err();
        let story = error.attempts().unwrap();
        assert_eq!((story.count(), story.stop_reason()), (3, &Reason::AttemptsExhausted));
        assert!(story.iter().all(|attempt| attempt.sent == Sent::No), "{story:?}");
    }
}

#[tokio::test]
async fn c03_a_body_that_breaks_off_is_fetched_again_but_never_streamed_again() {
    for fault in [Fault::HalfBodyReset, Fault::HalfBodyFin, Fault::ChunkedCut] {
        let name = fault.name();
        let whole = vec![b'y'; 1000];
        let script = || Script::first(fault.clone()).then(Answer::ok().body(whole.clone()));

        let server = Server::start(script()).await.unwrap();
        let answer = quick().build().unwrap().get(server.url()).fetch_bytes().await.expect(name);
        assert_eq!((answer.body().to_vec(), answer.attempts().count()), (whole.clone(), 2), "{name}");
        assert_eq!(server.journal().complete(), 2);

        let server = Server::start(script()).await.unwrap();
        let mut answer = quick().build().unwrap().get(server.url()).send().await.expect(name);
        let mut received = 0;
        let error = loop {
            match answer.chunk().await {
                Ok(Some(piece)) => received += piece.len() as u64,
                Ok(None) => panic!("{name}: the body ended as if it were whole"),
                Err(error) => break error,
            }
        };
        assert_eq!((error.phase(), error.bytes_received()), (Phase::Body, received), "{name}: {error}");
        assert_eq!(server.journal().complete(), 1, "{name}");
    }
}

#[tokio::test]
async fn c05_what_http2_refuses_resets_or_excludes_is_sent_again() {
    for fault in [Fault::RefusedStream, Fault::InternalError, Fault::GoAwayUnprocessed, Fault::GoAwayProcessed] {
        let name = fault.name();
        let server = Server::h2(once_then_ok(fault)).await.unwrap();
        let client = quick().http_version(HttpVersion::Http2).build().unwrap();
        let answer = client.post(server.url()).body("x").fetch_bytes().await.expect(name);
        assert_eq!((answer.status().as_u16(), answer.attempts().count()), (200, 2), "{name}");
    }
}

#[tokio::test]
async fn c05_what_was_not_processed_is_sent_again_even_when_only_idempotent_requests_are() {
    let rows = [
        (Fault::RefusedStream, 2, Reason::NotProcessed),
        (Fault::GoAwayUnprocessed, 2, Reason::NotProcessed),
        (Fault::InternalError, 1, Reason::NotIdempotent),
        (Fault::GoAwayProcessed, 1, Reason::NotIdempotent),
    ];
    for (fault, count, reason) in rows {
        let name = fault.name();
        let server = Server::h2(once_then_ok(fault)).await.unwrap();
        let client = quick().http_version(HttpVersion::Http2).rule(Rule::idempotent_only()).build().unwrap();
        let story = match client.post(server.url()).body("x").fetch_bytes().await {
            Ok(answer) => answer.attempts().clone(),
            Err(error) => error.attempts().unwrap().clone(),
        };
        assert_eq!((story.count(), &story.iter().next().unwrap().reason), (count, &reason), "{name}");
    }
}

#[tokio::test]
async fn c07_a_rule_sees_the_request_and_gives_get_and_post_different_answers() {
    let rule = Rule::new("timeouts of idempotent requests", |attempt| match attempt.outcome {
        Outcome::Failure(failure) if failure.kind == FailureKind::RequestTimeout => {
            assert!(attempt.request.url.ends_with("/slow"));
            if attempt.request.is_idempotent() {
                Verdict::Retry(Reason::Idempotent)
            } else {
                Verdict::Stop(Reason::NotIdempotent)
            }
        }
        Outcome::Failure(_) | Outcome::Answer { .. } => Verdict::Stop(Reason::FinalAnswer),
    });
    let rows = [
        (Method::GET, Idempotency::Method, 3),
        (Method::PUT, Idempotency::Method, 3),
        (Method::POST, Idempotency::Method, 1),
        (Method::POST, Idempotency::Declared, 3),
        (Method::POST, Idempotency::Key, 3),
    ];
    for (method, idempotency, expected) in rows {
        let server = Server::start(Script::always(Fault::NeverAnswer)).await.unwrap();
        let client = quick().rule(rule.clone()).timeout(SHORT).max_attempts(attempts(3)).build().unwrap();
        let request = client.request(method.clone(), server.url_at("/slow"));
        let request = match idempotency {
            Idempotency::Method => request,
            Idempotency::Declared => request.idempotent(),
            Idempotency::Key => request.header("Idempotency-Key", "8e03978e"),
        };
        request.send().await.unwrap_err();
        assert_eq!(server.journal().complete(), expected, "{method} {idempotency:?}");
    }
}

#[tokio::test]
async fn c09_a_stream_is_sent_once_and_never_replayed_empty() {
    let client = quick().build().unwrap();

    let server = Server::start(Script::always(Fault::Ok)).await.unwrap();
    let answer = client.post(server.url()).body(stream_of("streamed")).fetch_bytes().await.unwrap();
    assert_eq!(answer.status().as_u16(), 200);
    assert_eq!(server.journal().requests()[0].body, "streamed");

    let server = Server::start(Script::always(Fault::status(503))).await.unwrap();
    let answer = client.post(server.url()).body(stream_of("streamed")).fetch_bytes().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.attempts().stop_reason()), (503, &Reason::BodyNotReplayable));
    assert_eq!(server.journal().complete(), 1);

    // Not even where nothing was sent: the stream went down with the attempt.
    let server = Server::start(Script::always(Fault::Refused)).await.unwrap();
    let error = client.post(server.url()).body(stream_of("streamed")).send().await.unwrap_err();
    assert_eq!((error.sent(), error.attempts().unwrap().stop_reason()), (Sent::No, &Reason::BodyNotReplayable));
}

#[tokio::test]
async fn c09_bytes_and_factories_are_sent_again_byte_for_byte() {
    let bytes = Body::from(format!("{{\"n\":\"{}\"}}", "x".repeat(1016)));
    let factory = Body::factory(|| stream_of_parts(&["{\"n\":\"", "factory", "\"}"]));
    for (name, body) in [("bytes", bytes), ("factory", factory)] {
        let server = Server::start(Script::first(Fault::status(503)).then(Fault::Ok)).await.unwrap();
        let client = quick().build().unwrap();
        let request = client.post(server.url()).header("content-type", "application/json").body(body);
        assert_eq!(request.fetch_bytes().await.unwrap().attempts().count(), 2, "{name}");
        let sent = server.journal().requests();
        assert_eq!(sent[0].body, sent[1].body, "{name}");
        for field in ["content-type", "content-length", "transfer-encoding"] {
            assert_eq!(sent[0].header(field), sent[1].header(field), "{name}: {field}");
        }
    }
}

fn stream_of_parts(
    parts: &'static [&'static str],
) -> impl futures_util::TryStream<Ok = &'static str, Error = std::io::Error> {
    futures_util::stream::iter(parts.iter().map(|part| Ok(*part)))
}

#[tokio::test]
async fn c11_a_body_that_stalls_is_a_timeout_in_the_body_and_not_retried() {
    for builder in [quick().timeout(SHORT), quick().read_timeout(SHORT)] {
        let server = Server::start(Script::always(Fault::HeadersThenStall(500))).await.unwrap();
        let client = builder.max_attempts(attempts(3)).build().unwrap();
        let error = client.get(server.url()).fetch_bytes().await.unwrap_err();
        assert_eq!((error.phase(), error.sent(), error.bytes_received()), (Phase::Body, Sent::Maybe, 500));
        assert_eq!((server.journal().complete(), error.attempts().unwrap().count()), (1, 1));
        assert!(error.to_string().contains("timed out while reading the body, 500 bytes received"), "{error}");
    }
}

#[tokio::test]
async fn c11_retrying_a_stalled_body_is_opt_in_and_bounded_by_the_deadline() {
    let server = Server::start(Script::always(Fault::HeadersThenStall(500))).await.unwrap();
    let client = quick().rule(Rule::any_io_error()).timeout(SHORT).deadline(SHORT * 5 / 2).build().unwrap();
    let error = client.get(server.url()).fetch_bytes().await.unwrap_err();
    assert_eq!(server.journal().complete(), 3);
    assert_eq!(error.kind(), ErrorKind::Failure(FailureKind::Deadline));
    assert_eq!(error.attempts().unwrap().stop_reason(), &Reason::Deadline);
}

#[tokio::test]
async fn c13_a_retry_starts_again_at_the_callers_url() {
    let mut signed = 0;
    let script = Script::by_request(move |request| match request.path.as_str() {
        "/dl" => {
            signed += 1;
            Fault::Redirect(302, format!("/blob?sig={signed}"))
        }
        "/blob?sig=1" => Fault::status(500).into(),
        "/blob?sig=2" => Answer::ok().body("blob").into(),
        other => panic!("unexpected {other}"),
    });
    let server = Server::start(script).await.unwrap();
    let answer = quick().build().unwrap().get(server.url_at("/dl")).fetch_text().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.body().as_str()), (200, "blob"));
    assert_eq!(answer.url().as_str(), server.url_at("/blob?sig=2"));
    let paths: Vec<String> = server.journal().requests().into_iter().map(|request| request.path).collect();
    assert_eq!(paths, ["/dl", "/blob?sig=1", "/dl", "/blob?sig=2"]);
}

#[tokio::test]
async fn a_timeout_leaves_a_fast_answer_alone() {
    let server = Server::start(Script::always(Fault::ok_after(Duration::from_millis(1)))).await.unwrap();
    let client = quick().timeout(LONG).read_timeout(LONG).deadline(LONG).build().unwrap();
    for _ in 0..3 {
        assert_eq!(client.get(server.url()).fetch_text().await.unwrap().body(), "ok");
    }
    assert_eq!(server.journal().connects(), 1);
}
