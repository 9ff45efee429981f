//! The policies within reqwest-middleware: the default rule decides, by what was sent.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use http::Extensions;
use httpx_client::RetryMiddleware;
use httpx_client::httpx_retry::{Policy, Rule};
use httpx_client::reqwest::{self, Body, Request, Response, retry};
use httpx_faults::{Fault, Script, Server};
use reqwest_middleware::{ClientBuilder, ClientWithMiddleware, Error, Middleware, Next};

/// The default policy, but retries follow at once.
fn quick() -> Policy {
    Policy::default()
        .with_backoffs(|backoff| backoff.with_initial(Duration::from_millis(1)).with_cap(Duration::from_millis(5)))
}

fn bare() -> ClientBuilder {
    drop(httpx_client::Client::new()); // Chooses the cryptography.
    ClientBuilder::new(reqwest::Client::builder().no_proxy().retry(retry::never()).build().unwrap())
}

fn client(policy: Policy) -> ClientWithMiddleware {
    bare().with(RetryMiddleware::new(policy)).build()
}

/// A limit that is meant to elapse.
const SHORT: Duration = Duration::from_millis(200);

#[tokio::test]
async fn the_default_rule_decides() {
    // The fault, what the second contact shows, contacts.
    let rows: [(Fault, u64); 6] = [
        (Fault::Ok, 1),
        (Fault::status(404).into(), 1),
        (Fault::status(503).into(), 2),
        (Fault::ResetAfterRequest, 2),
        (Fault::CloseAfterRequest, 2),
        // It may have been sent.
        (Fault::NeverAnswer, 1),
    ];
    for (fault, contacts) in rows {
        let name = fault.name();
        let server = Server::start(Script::first(fault).then(Fault::Ok)).await.unwrap();
        let request = client(quick()).post(server.url()).header("x-kept", "1").body("sent").timeout(SHORT);
        let ended = request.send().await;
        assert_eq!(
            (server.journal().complete(), ended.is_ok()),
            (contacts, name != "never-answer"),
            "{name}: {ended:?}"
        );
        let is_whole =
            |request: &httpx_faults::Request| request.body == "sent" && request.header("x-kept") == Some("1");
        assert!(server.journal().requests().iter().all(is_whole), "{name}");
    }
}

#[tokio::test]
async fn a_timeout_is_retried_when_nothing_was_sent() {
    let server = Server::tls(Script::first(Fault::TlsStall).then(Fault::Ok)).await.unwrap();
    let pem = reqwest::Certificate::from_pem(server.root_pem().unwrap().as_bytes()).unwrap();
    drop(httpx_client::Client::new());
    let reqwest = reqwest::Client::builder().no_proxy().retry(retry::never()).tls_certs_only([pem]).build().unwrap();
    let client = ClientBuilder::new(reqwest).with(RetryMiddleware::new(quick())).build();
    let answer = client.post(server.url()).body("sent").timeout(Duration::from_secs(1)).send().await.unwrap();
    assert_eq!((answer.status().as_u16(), server.journal().complete()), (200, 1));
    assert_eq!(server.journal().connects(), 2);
}

#[tokio::test]
async fn a_stream_is_sent_once_and_its_own_failure_is_the_callers() {
    let server = Server::start(Script::always(Fault::status(503))).await.unwrap();
    let stream = || {
        Body::wrap(http_body_util::StreamBody::new(futures_util::stream::iter([Ok::<_, std::io::Error>(
            http_body::Frame::data(bytes::Bytes::from("once")),
        )])))
    };
    let answer = client(quick()).post(server.url()).body(stream()).send().await.unwrap();
    assert_eq!((answer.status().as_u16(), server.journal().complete()), (503, 1));

    let broken = futures_util::stream::iter([Err::<http_body::Frame<bytes::Bytes>, _>(std::io::Error::other("mine"))]);
    let broken = Body::wrap(http_body_util::StreamBody::new(broken));
    let error = client(quick()).post(server.url()).body(broken).send().await.unwrap_err();
    assert!(matches!(&error, Error::Middleware(_)) && error.to_string().contains("request body failed"), "{error}");
}

/// Counts what passes.
struct Counting(Arc<AtomicU32>);

#[async_trait::async_trait]
impl Middleware for Counting {
    async fn handle(&self, request: Request, extensions: &mut Extensions, next: Next<'_>) -> Result<Response, Error> {
        self.0.fetch_add(1, Ordering::Relaxed);
        next.run(request, extensions).await
    }
}

/// Has nothing to do with the network.
struct Refusing;

#[async_trait::async_trait]
impl Middleware for Refusing {
    async fn handle(&self, _: Request, _: &mut Extensions, _: Next<'_>) -> Result<Response, Error> {
        Err(Error::middleware(std::io::Error::other("not today")))
    }
}

#[tokio::test]
async fn middlewares_before_it_see_a_call_and_those_after_it_every_attempt() {
    let server = Server::start(Script::first(Fault::status(503)).times(2).then(Fault::Ok)).await.unwrap();
    let counts = [(); 2].map(|()| Arc::new(AtomicU32::new(0)));
    let [before, after] = counts.each_ref().map(|count| Counting(Arc::clone(count)));
    let client = bare().with(before).with(RetryMiddleware::new(quick())).with(after).build();
    assert_eq!(client.get(server.url()).send().await.unwrap().status().as_u16(), 200);
    assert_eq!(counts.map(|count| count.load(Ordering::Relaxed)), [1, 3]);
}

#[tokio::test]
async fn what_another_middleware_refuses_is_not_tried_again() {
    let count = Arc::new(AtomicU32::new(0));
    let client = bare().with(RetryMiddleware::new(quick())).with(Counting(Arc::clone(&count))).with(Refusing).build();
    let error = client.get("http://127.0.0.1:9/").send().await.unwrap_err();
    assert_eq!((error.to_string().as_str(), count.load(Ordering::Relaxed)), ("not today", 1));
}

#[tokio::test]
async fn another_policy_decides_otherwise() {
    for (rule, contacts) in [(Rule::never(), 1), (Rule::idempotent_only(), 1), (Rule::any_io_error(), 5)] {
        let server = Server::start(Script::always(Fault::status(503))).await.unwrap();
        client(quick().with_rule(rule)).post(server.url()).send().await.unwrap();
        assert_eq!(server.journal().complete(), contacts);
    }
}

#[tokio::test]
async fn an_error_tells_of_the_url_without_its_secrets() {
    let url = "http://u:s3cret@127.0.0.1:1/jobs?token=s3cret#s3cret";
    let error = client(quick()).get(url).send().await.unwrap_err();
    let told = format!("{error} {error:?}");
    assert!(told.contains("http://127.0.0.1:1/jobs?...") && !told.contains("s3cret"), "{told}");
}
