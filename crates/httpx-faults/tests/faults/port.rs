//! Faults of the port: no connection comes about.

use std::io::ErrorKind;

use httpx_faults::{Fault, Script, Server, UNKNOWN_HOST};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::bare::{GET, OK, SILENCE, Seen, exchange};

#[tokio::test]
async fn a_refused_port_refuses_until_it_recovers() {
    let server = Server::start(Script::first(Fault::Refused).then(Fault::Ok)).await.unwrap();
    for _ in 0..2 {
        let error = TcpStream::connect(server.address()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ConnectionRefused);
    }
    server.recover();
    crate::bare::until(|| std::net::TcpStream::connect(server.address()).is_ok()).await;
    assert_eq!(exchange(&server, GET).await, (OK.to_owned(), Seen::Silence));
}

#[tokio::test]
async fn a_black_hole_neither_accepts_nor_refuses_until_it_recovers() {
    let server = Server::start(Script::first(Fault::BlackHole).then(Fault::Ok)).await.unwrap();
    for _ in 0..2 {
        assert!(timeout(SILENCE, TcpStream::connect(server.address())).await.is_err());
    }
    assert_eq!(server.journal().connects(), 0);
    server.recover();
    // Linux sends a dropped SYN again after a second; a connect that starts now need not wait for it.
    crate::bare::until(|| server.journal().connects() > 0 || probe(&server)).await;
    assert_eq!(exchange(&server, GET).await, (OK.to_owned(), Seen::Silence));
}

fn probe(server: &Server) -> bool {
    std::net::TcpStream::connect_timeout(&server.address(), SILENCE).is_ok()
}

#[tokio::test]
async fn a_fault_of_the_port_can_only_come_first() {
    for fault in [Fault::Refused, Fault::BlackHole] {
        let error = Server::start(Script::first(Fault::Ok).then(fault)).await.unwrap_err();
        assert_eq!(error.to_string(), "a fault of the port must be the first step of its script");
        assert_eq!(error.kind(), ErrorKind::InvalidInput);
    }
}

#[test]
fn the_unknown_host_is_one_that_no_resolver_may_know() {
    assert!(UNKNOWN_HOST.ends_with(".invalid"));
}
