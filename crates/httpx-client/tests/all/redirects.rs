//! Redirects: what follows them, what stays behind, and what a call knows after one.

use crate::support::{quick, stream_of};
use httpx_client::httpx_retry::{FailureKind, Phase, Reason, Rule, Sent};
use httpx_client::{Client, ClientBuilder, ErrorKind};
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
        let request = request.header("host", "virtual.test");
        request.header("x-kept", "yes").fetch_bytes()
    };
    call(server.url_at("/start")).await.unwrap();
    let first = &server.journal().requests()[0];
    assert_eq!((first.header("authorization"), first.header("cookie")), (Some("Bearer s3cret"), Some("a=b")));
    let second = &other.journal().requests()[0];
    assert_eq!((second.header("authorization"), second.header("cookie")), (None, None));
    assert_eq!((second.header("x-kept"), second.header("referer")), (Some("yes"), None));
    assert_eq!(second.header("host"), Some(other.address().to_string().as_str()));

    let server = Server::start(from_start(307, "/end")).await.unwrap();
    call(server.url_at("/start")).await.unwrap();
    assert_eq!(server.journal().requests()[1].header("authorization"), Some("Bearer s3cret"));
}

#[tokio::test]
async fn a_location_chooses_nobodys_credentials() {
    let server = Server::start(Script::always(Fault::Ok)).await.unwrap();
    let named = format!("http://user:hunter2@{}/end", server.address());
    let first = Server::start(from_start(302, named)).await.unwrap();
    let answer = client().get(first.url_at("/start")).fetch_bytes().await.unwrap();
    assert_eq!(answer.url().as_str(), server.url_at("/end"));
    assert_eq!(server.journal().requests()[0].header("authorization"), None);
}

#[tokio::test]
async fn every_part_of_an_origin_keeps_the_fields_that_belong_to_it() {
    let fields = ["authorization", "cookie", "cookie2", "proxy-authorization", "www-authenticate"];
    let call = |url: String| {
        let request = client().get(url);
        fields.into_iter().fold(request, |request, field| request.header(field, "s3cret")).fetch_bytes()
    };
    // The same port under another name, and the same name with another port.
    let end = Server::start(Script::always(Fault::Ok)).await.unwrap();
    for place in [format!("http://localhost:{}/end", end.address().port()), end.url_at("/end")] {
        let start = Server::start(from_start(302, place)).await.unwrap();
        call(start.url_at("/start")).await.unwrap();
    }
    // The same port and name with another scheme: TLS meets a server without it, which sees nothing of the request.
    let start = Server::start(Script::by_request(|request| {
        let port = request.header("host").unwrap().rsplit(':').next().unwrap().to_owned();
        match request.path.as_str() {
            "/start" => Fault::Redirect(302, format!("https://127.0.0.1:{port}/end")),
            _ => Fault::Ok,
        }
    }));
    let start = start.await.unwrap();
    let request = quick().max_attempts(1.try_into().unwrap()).build().unwrap().get(start.url_at("/start"));
    request.send().await.unwrap_err();
    for request in end.journal().requests() {
        for field in fields {
            assert_eq!(request.header(field), None, "{field}");
        }
    }
    assert_eq!(end.journal().complete(), 2);
}

#[test]
fn default_fields_with_credentials_are_refused_where_redirects_are_followed() {
    let with = |field: &'static str| {
        move |reqwest: reqwest::ClientBuilder| {
            let value = reqwest::header::HeaderValue::from_static("s3cret");
            reqwest.default_headers([(reqwest::header::HeaderName::from_static(field), value)].into_iter().collect())
        }
    };
    for field in ["authorization", "cookie", "proxy-authorization"] {
        let told = quick().customise_reqwest(with(field)).build().unwrap_err().to_string();
        assert!(told.starts_with(&format!("{field} cannot be a default header")) && !told.contains("s3cret"), "{told}");
        quick().max_redirects(0).customise_reqwest(with(field)).build().unwrap();
        let adopted = || with(field)(reqwest::Client::builder()).build().unwrap();
        ClientBuilder::from_reqwest(adopted()).max_redirects(1).build().unwrap_err();
        ClientBuilder::from_reqwest(adopted()).build().unwrap();
    }
    quick().customise_reqwest(with("x-team")).build().unwrap();
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
    assert_eq!(source, "a redirect leads to ftp://example.test/x, and not over http or https");
    let server = Server::start(from_start(302, "s3cret:pw@example.test")).await.unwrap();
    let error = client().get(server.url_at("/start")).send().await.unwrap_err();
    let source = std::error::Error::source(&error).unwrap().to_string();
    assert_eq!(source, "a redirect leads to ..., and not over http or https");

    let server = Server::start(from_start(302, format!("/{}", "x".repeat(66_000)))).await.unwrap();
    let error = client().get(server.url_at("/start")).send().await.unwrap_err();
    let source = std::error::Error::source(&error).unwrap().to_string();
    assert_eq!(source, "a redirect leads to a URL of more than the 65534 bytes that can be sent");

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
    assert_eq!(answer.attempts().stop_reason(), &Reason::BodyNotReplayable);

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
