//! This crate sets nothing about what happens when a request fails: these fail when the client's default changes under it.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::time::Duration;

use httpx_client::Client;
use httpx_cloudinfo::{CloudInfo, ErrorKind, Provider};
use httpx_faults::{Answer, Fault, Script, Server};

/// A limit that is meant to elapse.
const SHORT: Duration = Duration::from_millis(200);

fn regions() -> Answer {
    Answer::status(200).body(r#"[{"id":"a","name":"A"}]"#)
}

#[tokio::test]
async fn a_request_that_was_carried_out_and_never_answered_is_sent_once() {
    let server = Server::start(Script::first(Fault::AppliedThenHang).then(regions())).await.unwrap();
    let cloud = CloudInfo::builder(&server.url()).timeout(SHORT).build().unwrap();
    let error = cloud.regions(Provider::Amazon).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NoAnswer(_)), "{error}");
    assert_eq!(server.journal().applied(), 1);
}

#[tokio::test]
async fn two_answers_503_and_then_a_good_one_are_a_good_one() {
    let server = Server::start(Script::first(Fault::status(503)).times(2).then(regions())).await.unwrap();
    let cloud = CloudInfo::open(&server.url()).unwrap();
    assert_eq!(cloud.region_ids(Provider::Amazon).await.unwrap(), ["a"]);
    assert_eq!(server.journal().recorded(), 3);
}

#[tokio::test]
async fn a_connect_that_is_neither_accepted_nor_refused_is_tried_again() {
    let server = Server::start(Script::first(Fault::BlackHole).then(regions())).await.unwrap();
    let client = Client::builder().connect_timeout(SHORT).build().unwrap();
    let cloud = CloudInfo::builder(&server.url()).client(client).build().unwrap();
    let recover = async {
        tokio::time::sleep(SHORT + SHORT / 2).await;
        server.recover();
    };
    let (ids, ()) = tokio::join!(cloud.region_ids(Provider::Amazon), recover);
    assert_eq!(ids.unwrap(), ["a"]);
}
