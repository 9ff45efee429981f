//! What the journal keeps.

use httpx_faults::{BODY_KEPT, Fault, REQUESTS_KEPT, Script, Server};
use tokio::io::AsyncWriteExt;
use tokio::task::JoinSet;

use crate::bare::{OK, connect, expect, until};

#[tokio::test]
async fn a_request_is_kept_as_it_came() {
    let server = Server::showing(Fault::Ok).await.unwrap();
    let chunked = "POST /jobs?a=1 HTTP/1.1\r\nX-Twice: 1\r\nx-tWICE:  2 \r\nX-Request-Id: r7\r\n\
                   Transfer-Encoding: chunked\r\n\r\n3;ext=1\r\nhel\r\n2\r\nlo\r\n0\r\nTrailer: t\r\n\r\n";
    let mut socket = connect(&server).await;
    // Two in one go, and the second in two parts.
    socket.write_all(chunked.as_bytes()).await.unwrap();
    let second = "GET /next HTTP/1.1\r\n\r\n".split_at(7);
    socket.write_all(second.0.as_bytes()).await.unwrap();
    expect(&mut socket, OK).await;
    socket.write_all(second.1.as_bytes()).await.unwrap();
    expect(&mut socket, OK).await;

    let requests = server.journal().requests();
    let first = &requests[0];
    assert_eq!((first.number, first.connection), (1, 1));
    assert_eq!(
        (first.method.as_str(), first.path.as_str(), first.key()),
        ("POST", "/jobs?a=1", "POST /jobs?a=1".into())
    );
    assert_eq!((&first.body[..], first.body_length, first.complete, first.applied), (&b"hello"[..], 5, true, true));
    assert_eq!(first.header("x-twice"), Some("1"));
    assert_eq!(first.header_lines("x-twice").collect::<Vec<_>>(), ["1", "2"]);
    assert_eq!(first.headers[3], ("transfer-encoding".to_owned(), "chunked".to_owned()));
    let next = &requests[1];
    assert_eq!((next.number, next.connection, next.path.as_str(), next.body_length), (2, 1, "/next", 0));
}

#[tokio::test]
async fn every_head_that_arrives_is_counted_for_its_id() {
    let server = Server::showing(Fault::Ok).await.unwrap();
    let mut socket = connect(&server).await;
    for id in ["a", "b", "a"] {
        socket.write_all(format!("GET / HTTP/1.1\r\nx-request-id: {id}\r\n\r\n").as_bytes()).await.unwrap();
        expect(&mut socket, OK).await;
    }
    let journal = server.journal();
    assert_eq!(["a", "b", "c"].map(|id| journal.arrivals(id)), [2, 1, 0]);
    assert_eq!(["a", "b", "c"].map(|id| journal.seen(id)), [true, true, false]);
}

#[tokio::test]
async fn a_long_body_is_counted_in_full_and_kept_in_part() {
    let server = Server::showing(Fault::Ok).await.unwrap();
    let mut socket = connect(&server).await;
    let length = 4 * 1024 * 1024;
    socket.write_all(format!("PUT / HTTP/1.1\r\ncontent-length: {length}\r\n\r\n").as_bytes()).await.unwrap();
    socket.write_all(&vec![b'b'; length]).await.unwrap();
    expect(&mut socket, OK).await;
    let request = &server.journal().requests()[0];
    assert_eq!((request.body_length, request.body.len(), request.complete), (length as u64, BODY_KEPT, true));
}

#[tokio::test]
async fn a_body_that_breaks_off_is_partial_and_not_applied_though_its_head_was_seen() {
    for framing in ["content-length: 5\r\n\r\nhe", "transfer-encoding: chunked\r\n\r\n5\r\nhe"] {
        let server = Server::showing(Fault::Ok).await.unwrap();
        let mut socket = connect(&server).await;
        socket.write_all(format!("POST / HTTP/1.1\r\nx-request-id: half\r\n{framing}").as_bytes()).await.unwrap();
        until(|| server.journal().seen("half")).await;
        assert_eq!(server.journal().recorded(), 0);
        drop(socket);
        until(|| server.journal().recorded() == 1).await;
        let request = &server.journal().requests()[0];
        assert_eq!((request.complete, request.applied, &request.body[..]), (false, false, &b"he"[..]));
        assert_eq!((server.journal().complete(), server.journal().applied_for("POST /")), (0, 0));
    }
}

#[tokio::test]
async fn half_a_head_is_not_seen() {
    let server = Server::showing(Fault::Ok).await.unwrap();
    let mut socket = connect(&server).await;
    socket.write_all(b"GET / HTTP/1.1\r\nx-request-id: cut\r\n").await.unwrap();
    drop(socket);
    let mut socket = connect(&server).await;
    socket.write_all(b"GET / HTTP/1.1\r\nx-request-id: whole\r\n\r\n").await.unwrap();
    expect(&mut socket, OK).await;
    assert_eq!((server.journal().seen("cut"), server.journal().seen("whole")), (false, true));
}

#[tokio::test]
async fn an_operation_is_counted_over_its_tries() {
    let server = Server::start(Script::first(Fault::status(503)).then(Fault::Ok)).await.unwrap();
    let mut socket = connect(&server).await;
    for (path, expected) in [("/a", "HTTP/1.1 503 \r\ncontent-length: 0\r\n\r\n"), ("/b", OK), ("/c", OK)] {
        socket.write_all(format!("GET {path} HTTP/1.1\r\nX-Operation: op\r\n\r\n").as_bytes()).await.unwrap();
        expect(&mut socket, expected).await;
    }
    let journal = server.journal();
    assert_eq!((journal.complete(), journal.applied(), journal.applied_for("op")), (3, 2, 2));
    assert_eq!(journal.applied_for("GET /b"), 0);
}

#[tokio::test]
async fn the_latest_requests_are_kept_and_all_are_counted() {
    let server = Server::showing(Fault::Ok).await.unwrap();
    let mut socket = connect(&server).await;
    let count = REQUESTS_KEPT + 10;
    for _ in 0..count / 2 {
        socket.write_all(b"GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n").await.unwrap();
        expect(&mut socket, OK).await;
        expect(&mut socket, OK).await;
    }
    let requests = server.journal().requests();
    assert_eq!((requests.len(), requests[0].number), (REQUESTS_KEPT, 11));
    assert_eq!((server.journal().recorded(), server.journal().applied_for("GET /")), (count as u64, count as u64));
}

#[tokio::test]
async fn thousands_of_short_connections_at_once_are_all_seen() {
    let server = Server::showing(Fault::Ok).await.unwrap();
    let mut clients = JoinSet::new();
    for number in 0..2000 {
        let address = server.address();
        clients.spawn(async move {
            let mut socket = tokio::net::TcpStream::connect(address).await.unwrap();
            let request = format!("GET / HTTP/1.1\r\nx-request-id: {number}\r\n\r\n");
            socket.write_all(request.as_bytes()).await.unwrap();
            expect(&mut socket, OK).await;
        });
    }
    clients.join_all().await;
    let journal = server.journal();
    assert!((0..2000).all(|number| journal.seen(&number.to_string())));
    assert_eq!((journal.connects(), journal.complete()), (2000, 2000));
}
