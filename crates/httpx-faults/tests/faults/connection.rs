//! Faults that strike a fresh TCP connection.

use httpx_faults::{Fault, Script, Server};
use tokio::io::AsyncWriteExt;

use crate::bare::{GET, OK, OK_CLOSE, Seen, connect, exchange, expect, listen_to, read_all, until};

#[tokio::test]
async fn an_accepted_connection_ends_before_a_byte_is_sent() {
    for (fault, end) in [(Fault::AcceptThenClose, Seen::Fin), (Fault::AcceptThenReset, Seen::Reset)] {
        let server = Server::showing(fault.clone()).await.unwrap();
        for connects in 1..=2 {
            assert_eq!(listen_to(server.address()).await, (String::new(), end), "{fault:?}");
            assert_eq!(server.journal().connects(), connects, "{fault:?}");
        }
        assert_eq!(server.journal().recorded(), 0);
        assert!(!fault.applies());
    }
}

#[tokio::test]
async fn a_stalled_or_reset_handshake_strikes_plain_bytes_too() {
    for (fault, end) in [(Fault::TlsStall, Seen::Silence), (Fault::TlsReset, Seen::Reset)] {
        let server = Server::start(Script::always(fault.clone())).await.unwrap();
        assert_eq!(exchange(&server, GET).await, (String::new(), end), "{fault:?}");
        assert_eq!(server.journal().recorded(), 0);
    }
}

#[tokio::test]
async fn the_answer_before_a_fault_of_the_connection_asks_for_a_fresh_one() {
    let script = Script::first(Fault::Ok).then(Fault::AcceptThenReset).then(Fault::Ok);
    let server = Server::start(script).await.unwrap();
    assert_eq!(exchange(&server, GET).await, (OK_CLOSE.to_owned(), Seen::Fin));
    assert_eq!(listen_to(server.address()).await, (String::new(), Seen::Reset));
    assert_eq!(exchange(&server, GET).await, (OK.to_owned(), Seen::Silence));
}

#[tokio::test]
async fn a_fault_of_the_connection_ends_an_older_one_that_draws_it() {
    let script = Script::by_request(|request| match request.path.as_str() {
        "/close" => Fault::AcceptThenClose,
        "/reset" => Fault::TlsReset,
        "/refuse" => Fault::Refused,
        _ => Fault::BadCertificate,
    });
    let server = Server::start(script).await.unwrap();
    for (path, end) in [("/close", Seen::Fin), ("/reset", Seen::Reset), ("/refuse", Seen::Reset)] {
        let request = format!("GET {path} HTTP/1.1\r\n\r\n");
        assert_eq!(exchange(&server, &request).await, (String::new(), end), "{path}");
    }
    assert_eq!(exchange(&server, GET).await, (OK.to_owned(), Seen::Silence));
    assert_eq!((server.journal().complete(), server.journal().applied()), (1, 1));
}

#[tokio::test]
async fn dropping_the_server_ends_silent_connections_and_frees_its_port() {
    let server = Server::showing(Fault::NeverAnswer).await.unwrap();
    let address = server.address();
    let mut parked = connect(&server).await;
    parked.write_all(GET.as_bytes()).await.unwrap();
    let mut unused = connect(&server).await;
    until(|| server.journal().complete() == 1 && server.journal().connects() == 2).await;
    drop(server);
    assert_eq!(read_all(&mut parked).await, (String::new(), Seen::Fin));
    assert_eq!(read_all(&mut unused).await, (String::new(), Seen::Fin));
    let error = tokio::net::TcpStream::connect(address).await.unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::ConnectionRefused);
}

#[tokio::test]
async fn peers_that_leave_at_any_time_do_no_harm() {
    let server = Server::showing(Fault::SlowDrip(std::time::Duration::from_millis(1))).await.unwrap();
    for request in ["", "GET", "POST / HTTP/1.1\r\ncontent-length: 5\r\n\r\nhe", GET] {
        let mut socket = connect(&server).await;
        socket.write_all(request.as_bytes()).await.unwrap();
    }
    let mut socket = connect(&server).await;
    socket.write_all(GET.as_bytes()).await.unwrap();
    expect(&mut socket, "HTTP/1.1 200 \r\ncontent-length: 12\r\n\r\ndrop by drop").await;
    assert_eq!(server.journal().connects(), 5);
    until(|| server.journal().recorded() == 3 && server.journal().complete() == 2).await;
}
