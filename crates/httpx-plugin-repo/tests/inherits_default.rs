//! This crate sets nothing about what happens when a request fails: these fail when the client's default changes under it.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::time::Duration;

use httpx_client::Client;
use httpx_faults::{Answer, Fault, Script, Server};
use httpx_plugin_repo::{ErrorKind, PluginRepo};

/// A limit that is meant to elapse.
const SHORT: Duration = Duration::from_millis(200);

fn plugins() -> Answer {
    Answer::status(200).body(r#"{"plugins":[{"id":"a","releases":[{"version":"1.0.0","url":"/a.zip"}]}]}"#)
}

fn repo(server: &Server, client: Client) -> PluginRepo {
    PluginRepo::builder("24.04.4".parse().unwrap()).client(client).repository(server.url()).build().unwrap()
}

#[tokio::test]
async fn a_request_that_was_carried_out_and_never_answered_is_sent_once() {
    let server = Server::start(Script::first(Fault::AppliedThenHang).then(plugins())).await.unwrap();
    let repo = repo(&server, Client::builder().timeout(SHORT).build().unwrap());
    let error = repo.resolve(&"a".parse().unwrap()).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NoAnswer(_)), "{error}");
    assert_eq!(server.journal().applied(), 1);
}

#[tokio::test]
async fn two_answers_503_and_then_a_good_one_are_a_good_one() {
    let server = Server::start(Script::first(Fault::status(503)).times(2).then(plugins())).await.unwrap();
    let repo = PluginRepo::open("24.04.4".parse().unwrap(), [server.url()]).unwrap();
    assert_eq!(repo.resolve(&"a".parse().unwrap()).await.unwrap().release.version, "1.0.0");
    assert_eq!(server.journal().recorded(), 3);
}

#[tokio::test]
async fn a_connect_that_is_neither_accepted_nor_refused_is_tried_again() {
    let server = Server::start(Script::first(Fault::BlackHole).then(plugins())).await.unwrap();
    let repo = repo(&server, Client::builder().connect_timeout(SHORT).build().unwrap());
    let recover = async {
        tokio::time::sleep(SHORT + SHORT / 2).await;
        server.recover();
    };
    let wanted = "a".parse().unwrap();
    let (found, ()) = tokio::join!(repo.resolve(&wanted), recover);
    assert_eq!(found.unwrap().release.version, "1.0.0");
}
