//! The client for code that is not async: the same client, waited for.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::io::Read as _;
use std::time::Duration;

use httpx_client::blocking::Client;
use httpx_client::httpx_retry::{FailureKind, Reason};
use httpx_client::{ClientBuilder, ErrorKind};
use httpx_faults::{Answer, End, Fault, Script, Server};

fn quick() -> Client {
    let quick = ClientBuilder::new().delay(Duration::from_millis(1)).max_delay(Duration::from_millis(5));
    Client::over(quick.build().unwrap()).unwrap()
}

/// A server, with the runtime that runs it.
fn serve(script: Script) -> (tokio::runtime::Runtime, Server) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = runtime.block_on(Server::start(script)).unwrap();
    (runtime, server)
}

#[test]
fn the_default_rule_decides() {
    let (_runtime, server) = serve(Script::first(Fault::status(503)).then(Fault::ResetAfterRequest).then(Fault::Ok));
    let client = quick();
    let answer = client.wait(client.post(server.url()).body("x").fetch_text()).unwrap();
    assert_eq!((answer.body().as_str(), answer.attempts().count(), server.journal().complete()), ("ok", 3, 3));

    let (_runtime, silent) = serve(Script::always(Fault::NeverAnswer));
    let error = client.wait(client.get(silent.url()).timeout(Duration::from_millis(200)).send()).unwrap_err();
    let story = error.attempts().unwrap();
    assert_eq!(error.kind(), ErrorKind::Failure(FailureKind::RequestTimeout));
    assert_eq!((story.count(), story.stop_reason()), (1, &Reason::MayBeWorking));
}

#[test]
fn a_connection_is_used_again_and_many_threads_may_wait_at_once() {
    let (_runtime, server) = serve(Script::always(Fault::Ok));
    let client = quick();
    // A connection may come back to the pool a little after the body has ended.
    let mut calls = 0;
    while calls == server.journal().connects() {
        assert!(calls < 100, "no connection is ever used again");
        client.wait(client.get(server.url()).fetch_bytes()).unwrap();
        calls += 1;
    }
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| assert!(client.wait(client.get(server.url()).fetch_bytes()).unwrap().status().is_success()));
        }
    });
    assert_eq!(server.journal().complete(), calls + 8);
}

#[test]
fn a_body_is_read_while_it_comes_and_one_that_breaks_off_says_so() {
    let whole = || Answer::ok().body("0123456789");
    let (_runtime, server) = serve(Script::first(whole()).then(whole().cut(4, End::Fin)));
    let client = quick();
    let read = || {
        let mut reader = client.reader(client.wait(client.get(server.url()).send()).unwrap());
        let mut text = String::new();
        let ended = reader.read_to_string(&mut text);
        (text, ended.map_err(|error| error.to_string()))
    };
    assert_eq!(read(), ("0123456789".into(), Ok(10)));
    let (text, ended) = read();
    let told = ended.unwrap_err();
    assert_eq!(text, "0123");
    assert!(told.contains("body ended early while reading the body, 4 bytes received"), "{told}");
}

#[test]
fn a_download_is_waited_for_alike() {
    let (_runtime, server) = serve(Script::always(Answer::ok().body("0123456789")));
    let folder = tempfile::tempdir().unwrap();
    let client = quick();
    let saved = client.wait(client.get(server.url()).download_to(folder.path().join("file"))).unwrap();
    assert_eq!((saved.body().bytes, std::fs::read(folder.path().join("file")).unwrap().len()), (10, 10));
}

#[tokio::test]
async fn called_by_mistake_from_async_code_it_blocks_and_does_not_panic() {
    let (runtime, server) = std::thread::spawn(|| serve(Script::always(Fault::Ok))).join().unwrap();
    let client = quick();
    assert!(client.wait(client.get(server.url()).fetch_bytes()).is_ok());
    drop(client);
    runtime.shutdown_background();
}
