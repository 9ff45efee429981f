//! Requests that were built with reqwest.

use crate::support::{SHORT, quick};
use httpx_client::ErrorKind;
use httpx_client::httpx_retry::{FailureKind, Reason, Sent};
use httpx_client::reqwest::{Body, Method, Request, Version};
use httpx_faults::{Fault, Script, Server};

fn request(method: Method, url: &str) -> Request {
    Request::new(method, url.parse().unwrap())
}

/// What reqwest takes for a stream.
fn stream_of(text: &'static str) -> Body {
    Body::wrap(text.to_owned())
}

/// A name, what is changed about a POST, and how the server sees a field of it.
type Row = (&'static str, fn(&mut Request), &'static str, &'static [&'static str]);

const FIELDS: &[Row] = &[
    ("one field", |r| drop(r.headers_mut().insert("x-a", "1".parse().unwrap())), "x-a", &["1"]),
    (
        "a name that is repeated",
        |r| {
            r.headers_mut().append("x-a", "1".parse().unwrap());
            r.headers_mut().append("x-b", "2".parse().unwrap());
            r.headers_mut().append("x-a", "3".parse().unwrap());
        },
        "x-a",
        &["1", "3"],
    ),
    (
        "credentials of its own",
        |r| drop(r.headers_mut().insert("authorization", "Bearer t".parse().unwrap())),
        "authorization",
        &["Bearer t"],
    ),
    ("a user in its URL", |r| r.url_mut().set_username("u").unwrap(), "authorization", &["Basic dTo="]),
    ("bytes", |r| *r.body_mut() = Some("four".into()), "content-length", &["4"]),
    ("a stream of a known length", |r| *r.body_mut() = Some(stream_of("four")), "content-length", &["4"]),
];

#[tokio::test]
async fn its_fields_are_sent_as_it_has_them() {
    for (name, change, field, values) in FIELDS {
        let server = Server::start(Script::always(Fault::Ok)).await.unwrap();
        let mut request = request(Method::POST, &server.url());
        change(&mut request);
        let client = quick().auth(httpx_client::Auth::bearer("of-the-client").unwrap()).build().unwrap();
        let answer = client.execute(request).await.unwrap();
        assert_eq!(answer.status().as_u16(), 200, "{name}");
        let seen = &server.journal().requests()[0];
        let got: Vec<_> = seen.header_lines(field).collect();
        assert_eq!((seen.method.as_str(), &got[..]), ("POST", *values), "{name}");
    }
}

#[tokio::test]
async fn bytes_are_sent_again_and_a_stream_is_not() {
    let rows = [
        ("bytes", Body::from("four"), 2, Reason::FinalAnswer),
        ("stream", stream_of("four"), 1, Reason::BodyNotReplayable),
    ];
    for (name, body, sends, stopped) in rows {
        let server = Server::start(Script::first(Fault::status(503)).then(Fault::Ok)).await.unwrap();
        let mut request = request(Method::PUT, &server.url());
        *request.body_mut() = Some(body);
        let answer = quick().build().unwrap().adopt(request).fetch_bytes().await.unwrap();
        assert_eq!((answer.attempts().count(), answer.attempts().stop_reason()), (sends, &stopped), "{name}");
        assert!(server.journal().requests().iter().all(|seen| seen.body.as_ref() == b"four"), "{name}");
    }
}

#[tokio::test]
async fn a_head_has_no_body_to_read() {
    let server = Server::start(Script::always(Fault::Ok)).await.unwrap();
    let answer = quick().build().unwrap().adopt(request(Method::HEAD, &server.url())).fetch_bytes().await.unwrap();
    assert_eq!((answer.body().as_ref(), server.journal().requests()[0].method.as_str()), (&b""[..], "HEAD"));
}

#[tokio::test]
async fn its_version_is_spoken() {
    // The connection of HTTP/1.0 is closed after each answer.
    for (version, connects) in [(Version::HTTP_11, 1), (Version::HTTP_10, 2)] {
        let server = Server::start(Script::always(Fault::Ok)).await.unwrap();
        let client = quick().build().unwrap();
        for _ in 0..2 {
            let mut request = request(Method::GET, &server.url());
            *request.version_mut() = version;
            client.adopt(request).fetch_bytes().await.unwrap();
        }
        assert_eq!(server.journal().connects(), connects, "{version:?}");
    }
}

#[tokio::test]
async fn its_timeout_bounds_each_attempt() {
    let server = Server::start(Script::always(Fault::NeverAnswer)).await.unwrap();
    let mut request = request(Method::GET, &server.url());
    *request.timeout_mut() = Some(SHORT);
    let error = quick().build().unwrap().execute(request).await.unwrap_err();
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Failure(FailureKind::RequestTimeout), Sent::Maybe));
}

#[tokio::test]
async fn another_scheme_is_refused_before_anything_is_sent() {
    let error = quick().build().unwrap().execute(request(Method::GET, "ftp://example.test/")).await.unwrap_err();
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Failure(FailureKind::UnsupportedScheme), Sent::No));
}
