//! This crate sets nothing about what happens when a request fails: these fail when the client's default changes under it.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::time::Duration;

use httpx_client::Client;
use httpx_faults::{Answer, Fault, Script, Server};
use httpx_registry::{ErrorKind, Registry};

/// A limit that is meant to elapse.
const SHORT: Duration = Duration::from_millis(200);

const CONFIG: &str = r#"{"dl":"https://static.example.test/crates"}"#;
const LINE: &str = r#"{"name":"a","vers":"1.0.0","deps":[],"cksum":"00","features":{},"yanked":false}"#;

/// A registry whose index file of `a` meets these faults in turn, and is well after them.
async fn serve(faults: impl IntoIterator<Item = Fault>) -> Server {
    let mut faults = faults.into_iter().collect::<Vec<_>>().into_iter();
    let script = Script::by_request(move |request| match request.path.as_str() {
        "/config.json" => Answer::status(200).body(CONFIG).into(),
        _ => faults.next().unwrap_or_else(|| Answer::status(200).body(LINE).into()),
    });
    Server::start(script).await.unwrap()
}

#[tokio::test]
async fn a_request_that_was_carried_out_and_never_answered_is_sent_once() {
    let server = serve([Fault::AppliedThenHang]).await;
    let registry = Registry::builder(&server.url()).timeout(SHORT).build().unwrap();
    let error = registry.versions("a").await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NoAnswer(_)), "{error}");
    assert_eq!(server.journal().applied_for("GET /1/a"), 1);
}

#[tokio::test]
async fn two_answers_503_and_then_a_good_one_are_a_good_one() {
    let server = serve([Fault::status(503).into(), Fault::status(503).into()]).await;
    let registry = Registry::builder(&server.url()).build().unwrap();
    assert_eq!(registry.versions("a").await.unwrap().unwrap().rows().len(), 1);
    assert_eq!(server.journal().requests().iter().filter(|request| request.path == "/1/a").count(), 3);
}

#[tokio::test]
async fn a_connect_that_is_neither_accepted_nor_refused_is_tried_again() {
    let script =
        Script::first(Fault::BlackHole).then(Answer::status(200).body(CONFIG)).then(Answer::status(200).body(LINE));
    let server = Server::start(script).await.unwrap();
    let client = Client::builder().connect_timeout(SHORT).build().unwrap();
    let registry = Registry::builder(&server.url()).client(client).build().unwrap();
    let recover = async {
        tokio::time::sleep(SHORT + SHORT / 2).await;
        server.recover();
    };
    let (versions, ()) = tokio::join!(registry.versions("a"), recover);
    assert_eq!(versions.unwrap().unwrap().rows().len(), 1);
}
