//! Faults that only a client meets that uses a connection twice.

use httpx_faults::{Fault, Script, Server};
use tokio::io::AsyncWriteExt;

use crate::bare::{GET, OK, POST, Seen, connect, expect, read_all};

#[tokio::test]
async fn an_in_use_fault_strikes_the_second_request_of_a_connection() {
    for (fault, end) in [(Fault::InUseFin, Seen::Fin), (Fault::InUseReset, Seen::Reset)] {
        let server = Server::showing(fault.clone()).await.unwrap();
        for connection in 1..=2 {
            let mut socket = connect(&server).await;
            socket.write_all(GET.as_bytes()).await.unwrap();
            expect(&mut socket, OK).await;
            socket.write_all(POST.as_bytes()).await.unwrap();
            assert_eq!(read_all(&mut socket).await, (String::new(), end), "{fault:?}");
            assert_eq!(server.journal().applied_for("POST /jobs"), connection, "{fault:?}");
        }
        assert_eq!(server.journal().complete(), 4);
    }
}

#[tokio::test]
async fn an_in_use_fault_stays_with_the_connection_that_drew_it() {
    let server = Server::start(Script::first(Fault::InUseFin).then(Fault::Ok)).await.unwrap();
    let mut first = connect(&server).await;
    first.write_all(GET.as_bytes()).await.unwrap();
    expect(&mut first, OK).await;
    let mut second = connect(&server).await;
    for _ in 0..3 {
        second.write_all(GET.as_bytes()).await.unwrap();
        expect(&mut second, OK).await;
    }
    first.write_all(GET.as_bytes()).await.unwrap();
    assert_eq!(read_all(&mut first).await, (String::new(), Seen::Fin));
}

#[tokio::test]
async fn an_in_use_fault_drawn_late_strikes_at_once() {
    let server = Server::start(Script::first(Fault::Ok).then(Fault::InUseReset)).await.unwrap();
    let mut socket = connect(&server).await;
    socket.write_all(GET.as_bytes()).await.unwrap();
    expect(&mut socket, OK).await;
    socket.write_all(GET.as_bytes()).await.unwrap();
    assert_eq!(read_all(&mut socket).await, (String::new(), Seen::Reset));
}

#[tokio::test]
async fn an_idle_connection_ends_without_a_second_request() {
    for (fault, end) in [(Fault::IdleFin, Seen::Fin), (Fault::IdleReset, Seen::Reset)] {
        let server = Server::start(Script::first(fault.clone()).then(Fault::Ok)).await.unwrap();
        let mut socket = connect(&server).await;
        socket.write_all(GET.as_bytes()).await.unwrap();
        assert_eq!(read_all(&mut socket).await, (OK.to_owned(), end), "{fault:?}");
        assert_eq!(server.journal().complete(), 1);
    }
}
