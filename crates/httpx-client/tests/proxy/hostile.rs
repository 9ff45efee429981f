//! Proxies that mean harm, or do not know how to be one: nothing of the request reaches them through a tunnel that is none.

use std::time::Duration;

use httpx_client::httpx_retry::{FailureKind as Kind, Phase, Sent};
use httpx_faults::{Answer, End, Fault, Script, Server};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::support::{SHORT, through, through_url};

/// Far more than any of this takes on a busy machine.
const ENOUGH: Duration = Duration::from_secs(20);

/// Short only where it is meant to elapse.
fn limit(kind: Kind) -> Duration {
    if kind == Kind::ConnectTimeout { SHORT } else { ENOUGH }
}

#[tokio::test]
async fn an_answer_to_connect_that_opens_no_tunnel_is_told_and_nothing_was_sent() {
    let many_fields = (0..500).fold(Answer::status(200), |answer, at| answer.header(format!("x-{at}"), "x".repeat(90)));
    let rows: [(&str, Fault, Kind); 5] = [
        ("407 with nothing", Answer::status(407).into(), Kind::ProxyAuthentication),
        ("407 with a page", Answer::status(407).body("<html>Who?").into(), Kind::ProxyAuthentication),
        ("502 with a page", Answer::status(502).body("<html>Bad").into(), Kind::ProxyTunnel),
        ("a redirect", Fault::Redirect(302, "http://elsewhere.test/".into()), Kind::ProxyTunnel),
        ("a head without end", many_fields.into(), Kind::ProxyTunnel),
    ];
    for (name, fault, kind) in rows {
        let proxy = Server::proxy(Script::always(fault)).await.unwrap();
        let client = through(&proxy).connect_timeout(limit(kind)).max_attempts(2.try_into().unwrap()).build().unwrap();
        let request = client.post("https://far.test/").bearer_auth("t0k").body("sent");
        let error = request.send().await.unwrap_err();
        assert_eq!((error.phase(), error.sent()), (Phase::Connect, Sent::No), "{name}: {error:?}");
        assert_eq!(error.kind(), httpx_client::ErrorKind::Failure(kind), "{name}: {error}");
        let seen = proxy.journal().requests();
        assert!(seen.iter().all(|request| request.method == "CONNECT" && request.header("authorization").is_none()));
    }
}

/// Whether the connection stays open behind the last byte.
#[derive(Clone, Copy)]
enum Then {
    Close,
    Hold,
}

/// A proxy that says just this to everybody.
async fn raw(says: &'static [u8], then: Then) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let mut held = Vec::new();
        loop {
            let (mut socket, _) = listener.accept().await.unwrap();
            // The whole CONNECT fits into one read.
            assert_ne!(socket.read(&mut [0; 4096]).await.unwrap(), 0);
            // Whoever goes away early has read enough.
            socket.write_all(says).await.ok();
            match then {
                Then::Close => drop(socket),
                Then::Hold => held.push(socket),
            }
        }
    });
    url
}

#[tokio::test]
async fn half_an_answer_to_connect_opens_no_tunnel() {
    let rows: [(&[u8], Then, Kind); 9] = [
        (b"", Then::Close, Kind::ProxyTunnel),
        (b"HTTP/1.1 200", Then::Close, Kind::ProxyTunnel),
        (b"HTTP/1.1 200 OK\r\nVia: x\r\n", Then::Close, Kind::ProxyTunnel),
        (b"HTTP/1.1 200 OK\r\nVia: x\r\n", Then::Hold, Kind::ConnectTimeout),
        (b"HTTP/1.1 2", Then::Hold, Kind::ConnectTimeout),
        (b"SSH-2.0-OpenSSH\r\n", Then::Hold, Kind::ProxyTunnel),
        (b"HTTP/1.1 407 Who are you?\r\n", Then::Close, Kind::ProxyTunnel),
        (b"HTTP/1.1 407 Who are you?\r\n\r\n", Then::Close, Kind::ProxyAuthentication),
        // A page where the server's part of the TLS handshake should be: there is none.
        (b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage", Then::Hold, Kind::ConnectTimeout),
    ];
    for (says, then, kind) in rows {
        let name = String::from_utf8_lossy(says);
        let client = through_url(&raw(says, then).await).connect_timeout(limit(kind));
        let client = client.max_attempts(2.try_into().unwrap()).build().unwrap();
        let error = client.post("https://far.test/").bearer_auth("t0k").body("sent").send().await.unwrap_err();
        assert_eq!((error.phase(), error.sent()), (Phase::Connect, Sent::No), "{name:?}: {error:?}");
        assert_eq!(error.kind(), httpx_client::ErrorKind::Failure(kind), "{name:?}: {error}");
    }
}

#[tokio::test]
async fn a_proxy_that_cuts_the_answer_to_an_http_request_is_told_like_any_server() {
    let proxy = Server::proxy(Script::always(Answer::ok().body("0123456789").cut(4, End::Fin))).await.unwrap();
    let client = through(&proxy).max_attempts(2.try_into().unwrap()).build().unwrap();
    let error = client.get("http://far.test/").fetch_bytes().await.unwrap_err();
    assert_eq!((error.kind(), error.bytes_received()), (httpx_client::ErrorKind::Failure(Kind::Truncated), 4));
}
