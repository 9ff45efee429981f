//! Redirects: what follows them, what stays behind, and what a call knows after one.

use crate::support::{quick, stream_of};
use httpx_client::httpx_retry::{FailureKind, Phase, Reason, Rule, Sent};
use httpx_client::{Client, ErrorKind};
use httpx_faults::{Answer, Fault, Request, Script, Server};

/// Redirects `/start` to `location`, everything else is well.
fn from_start(status: u16, location: impl Into<String>) -> Script {
    let location = location.into();
    Script::by_request(move |request| match request.path.as_str() {
        "/start" => Fault::Redirect(status, location.clone()),
        _ => Fault::Ok,
    })
}

fn client() -> Client {
    quick().build().unwrap()
}

#[tokio::test]
async fn method_and_body_survive_a_redirect_as_its_status_says() {
    // Status, method before, method after, body after.
    let rows = [
        (301, "POST", "GET", false),
        (302, "POST", "GET", false),
        (303, "POST", "GET", false),
        (307, "POST", "POST", true),
        (308, "POST", "POST", true),
        (301, "PUT", "PUT", true),
        (302, "DELETE", "DELETE", true),
        (303, "PUT", "GET", false),
        (303, "HEAD", "HEAD", false),
        (307, "PATCH", "PATCH", true),
    ];
    for (status, before, after, carries_body) in rows {
        let server = Server::start(from_start(status, "/end")).await.unwrap();
        let request = client().request(before.parse().unwrap(), server.url_at("/start"));
        let answer = request.header("content-type", "text/plain").body("hello").fetch_bytes().await.unwrap();
        assert_eq!(answer.url().path(), "/end");
        let sent: Vec<Request> = server.journal().requests();
        let end = &sent[1];
        assert_eq!((end.method.as_str(), end.path.as_str()), (after, "/end"), "{status} {before}");
        assert_eq!(end.body == "hello", carries_body, "{status} {before}");
        assert_eq!(end.header("content-type").is_some(), carries_body, "{status} {before}");
        assert_eq!(answer.attempts().count(), 1);
    }
}

#[tokio::test]
async fn credentials_stay_with_their_origin() {
    let other = Server::start(Script::always(Fault::Ok)).await.unwrap();
    let server = Server::start(from_start(307, other.url_at("/end"))).await.unwrap();
    let call = |url| {
        let request = client().post(url).body("x").header("authorization", "Bearer s3cret").header("cookie", "a=b");
        request.header("x-kept", "yes").fetch_bytes()
    };
    call(server.url_at("/start")).await.unwrap();
    let first = &server.journal().requests()[0];
    assert_eq!((first.header("authorization"), first.header("cookie")), (Some("Bearer s3cret"), Some("a=b")));
    let second = &other.journal().requests()[0];
    assert_eq!((second.header("authorization"), second.header("cookie")), (None, None));
    assert_eq!((second.header("x-kept"), second.header("referer")), (Some("yes"), None));

    let server = Server::start(from_start(307, "/end")).await.unwrap();
    call(server.url_at("/start")).await.unwrap();
    assert_eq!(server.journal().requests()[1].header("authorization"), Some("Bearer s3cret"));
}

#[tokio::test]
async fn a_loop_ends_at_the_limit_and_is_not_retried() {
    let server = Server::start(Script::always(Fault::Redirect(302, "/start".into()))).await.unwrap();
    let error = client().get(server.url_at("/start")).send().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Failure(FailureKind::Redirect));
    assert_eq!((error.phase(), server.journal().complete()), (Phase::Answer, 11));

    let client = quick().max_redirects(2).build().unwrap();
    client.get(server.url_at("/start")).send().await.unwrap_err();
    assert_eq!(server.journal().complete(), 11 + 3);

    let client = quick().max_redirects(0).build().unwrap();
    let answer = client.get(server.url_at("/start")).send().await.unwrap();
    assert_eq!((answer.status().as_u16(), server.journal().complete()), (302, 11 + 3 + 1));
}

#[tokio::test]
async fn a_location_that_leads_nowhere_is_told() {
    let server = Server::start(from_start(302, "ftp://example.test/x")).await.unwrap();
    let error = client().get(server.url_at("/start")).send().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Failure(FailureKind::Redirect));
    let source = std::error::Error::source(&error).unwrap().to_string();
    assert_eq!(source, "a redirect leads to the scheme \"ftp\"");

    // Without a readable Location the redirect is the answer.
    for location in ["http://[::1", ""] {
        let server = Server::start(Script::always(Fault::Redirect(302, location.into()))).await.unwrap();
        let answer = quick().max_redirects(1).build().unwrap().get(server.url_at("/x")).send().await;
        if location.is_empty() {
            answer.unwrap_err(); // An empty reference is the same page again: a loop.
        } else {
            assert_eq!(answer.unwrap().status().as_u16(), 302);
        }
    }
}

#[tokio::test]
async fn after_a_redirect_the_call_was_sent_even_if_the_last_hop_was_not() {
    let gone = Server::start(Script::always(Fault::Refused)).await.unwrap();
    let server = Server::start(from_start(307, gone.url())).await.unwrap();
    let call = || client().post(server.url_at("/start")).body("x");

    let error = call().send().await.unwrap_err();
    let story = error.attempts().unwrap();
    assert!(story.iter().all(|attempt| attempt.sent == Sent::Maybe), "{story:?}");
    assert_eq!((error.kind(), story.count()), (ErrorKind::Failure(FailureKind::Refused), 5));

    let error = call().rule(Rule::idempotent_only()).send().await.unwrap_err();
    assert_eq!(error.attempts().unwrap().stop_reason(), &Reason::NotIdempotent);
}

#[tokio::test]
async fn a_stream_cannot_follow_a_redirect_that_wants_it_again() {
    let server = Server::start(from_start(307, "/end")).await.unwrap();
    let answer = client().post(server.url_at("/start")).body(stream_of("x")).fetch_bytes().await.unwrap();
    assert_eq!((answer.status().as_u16(), server.journal().complete()), (307, 1));

    let server = Server::start(from_start(303, "/end")).await.unwrap();
    let answer = client().post(server.url_at("/start")).body(stream_of("x")).fetch_bytes().await.unwrap();
    assert_eq!((answer.status().as_u16(), server.journal().complete()), (200, 2));
}

#[tokio::test]
async fn a_redirect_with_a_body_keeps_its_connection() {
    let script = Script::by_request(|request| match request.path.as_str() {
        "/start" => Answer::status(302).header("location", "/end").body("moved, see there").into(),
        _ => Fault::Ok,
    });
    let server = Server::start(script).await.unwrap();
    client().get(server.url_at("/start")).fetch_bytes().await.unwrap();
    assert_eq!((server.journal().complete(), server.journal().connects()), (2, 1));
}
