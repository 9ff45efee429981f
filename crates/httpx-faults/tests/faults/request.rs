//! Faults that strike one request over HTTP/1.1, byte by byte.

use std::time::{Duration, Instant};

use httpx_faults::{Answer, BODY_ANNOUNCED, End, Fault, Script, Server};
use tokio::io::AsyncWriteExt;

use crate::bare::{GET, OK, POST, Seen, connect, exchange, expect, read_all};

/// What the journal says of a request.
#[derive(Debug, PartialEq, Eq)]
enum Kept {
    Applied,
    Complete,
    Partial,
}
use Kept::{Applied, Complete, Partial};

fn status(status: u16) -> String {
    format!("HTTP/1.1 {status} \r\ncontent-length: 0\r\n\r\n")
}

/// A head that announces the body of the faults that break off, and what comes of it.
fn broken_off(sent: usize) -> String {
    format!("HTTP/1.1 200 \r\ncontent-length: {BODY_ANNOUNCED}\r\n\r\n{}", "x".repeat(sent))
}

#[tokio::test]
async fn each_fault_of_a_request_shows_these_bytes_and_this_end() {
    let half = BODY_ANNOUNCED / 2;
    let body = vec![b'x'; BODY_ANNOUNCED];
    let answer = |answer: Answer| Fault::from(answer);
    let rows: Vec<(Fault, String, Seen, Kept)> = vec![
        (Fault::Ok, OK.into(), Seen::Silence, Applied),
        (answer(Fault::status(503)), status(503), Seen::Silence, Complete),
        (answer(Fault::status(429)), status(429), Seen::Silence, Complete),
        (answer(Fault::status(404)), status(404), Seen::Silence, Complete),
        (answer(Fault::status(400)), status(400), Seen::Silence, Complete),
        (answer(Fault::status(399)), status(399), Seen::Silence, Applied),
        (
            answer(Fault::status(503).retry_after("1")),
            "HTTP/1.1 503 \r\nretry-after: 1\r\ncontent-length: 0\r\n\r\n".into(),
            Seen::Silence,
            Complete,
        ),
        (
            answer(Answer::ok().header("A", "1").header("A", "2").chunked()),
            "HTTP/1.1 200 \r\nA: 1\r\nA: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n".into(),
            Seen::Silence,
            Applied,
        ),
        (
            answer(Answer::ok().trailer("A", "1").chunked()),
            "HTTP/1.1 200 \r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nA: 1\r\n\r\n".into(),
            Seen::Silence,
            Applied,
        ),
        (
            answer(Answer::ok().header("Content-Length", "7").cut(2, End::Fin)),
            "HTTP/1.1 200 \r\nContent-Length: 7\r\n\r\nok".into(),
            Seen::Fin,
            Applied,
        ),
        (answer(Answer::status(204)), "HTTP/1.1 204 \r\n\r\n".into(), Seen::Silence, Applied),
        (
            Fault::Redirect(303, "/elsewhere".into()),
            "HTTP/1.1 303 \r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n".into(),
            Seen::Silence,
            Applied,
        ),
        (Fault::Echo, "HTTP/1.1 200 \r\ncontent-length: 5\r\n\r\nhello".into(), Seen::Silence, Applied),
        (Fault::PartialRead, String::new(), Seen::Fin, Partial),
        (Fault::NeverAnswer, String::new(), Seen::Silence, Applied),
        (Fault::AppliedThenHang, String::new(), Seen::Silence, Applied),
        (Fault::CloseAfterRequest, String::new(), Seen::Fin, Applied),
        (Fault::ResetAfterRequest, String::new(), Seen::Reset, Applied),
        (Fault::AppliedThenReset, String::new(), Seen::Reset, Applied),
        (Fault::Garbage, "\x15\x03\x01 this is not HTTP \u{fffd}\u{fffd}\r\n\r\n".into(), Seen::Fin, Complete),
        (Fault::HeadersThenStall(0), broken_off(0), Seen::Silence, Applied),
        (Fault::HeadersThenStall(7), broken_off(7), Seen::Silence, Applied),
        (Fault::HalfBodyFin, broken_off(half), Seen::Fin, Applied),
        (Fault::HalfBodyReset, broken_off(half), Seen::Reset, Applied),
        (
            answer(Answer::status(206).header("etag", "\"1\"").body(body).cut(10, End::Reset)),
            "HTTP/1.1 206 \r\netag: \"1\"\r\ncontent-length: 1000\r\n\r\nxxxxxxxxxx".into(),
            Seen::Reset,
            Applied,
        ),
        (
            Fault::ChunkedCut,
            format!("HTTP/1.1 200 \r\ntransfer-encoding: chunked\r\n\r\n3e8\r\n{}", "x".repeat(half)),
            Seen::Fin,
            Applied,
        ),
        (Fault::IdleFin, OK.into(), Seen::Fin, Applied),
        (Fault::IdleReset, OK.into(), Seen::Reset, Applied),
        // HTTP/1.1 has no streams to reset, and no GOAWAY.
        (Fault::RefusedStream, String::new(), Seen::Reset, Complete),
        (Fault::InternalError, String::new(), Seen::Reset, Applied),
        (Fault::GoAwayUnprocessed, String::new(), Seen::Fin, Complete),
        (Fault::GoAwayProcessed, String::new(), Seen::Fin, Applied),
    ];
    // At once, for most of them are silent for a while.
    let rows = rows.into_iter().map(|(fault, bytes, end, kept)| tokio::spawn(check(fault, bytes, end, kept)));
    for row in rows.collect::<Vec<_>>() {
        row.await.unwrap();
    }
}

async fn check(fault: Fault, bytes: String, end: Seen, kept: Kept) {
    let server = Server::start(Script::always(fault.clone())).await.unwrap();
    assert_eq!(exchange(&server, POST).await, (bytes, end), "{fault:?}");
    let requests = server.journal().requests();
    let [request] = &requests[..] else { panic!("{fault:?}: {requests:?}") };
    let found = match (request.complete, request.applied) {
        (true, true) => Applied,
        (true, false) => Complete,
        (false, _) => Partial,
    };
    assert_eq!(found, kept, "{fault:?}");
    assert_eq!(fault.applies(), kept == Applied, "{fault:?}");
}

#[tokio::test]
async fn a_drip_comes_byte_by_byte() {
    let server = Server::showing(Fault::SlowDrip(Duration::from_millis(5))).await.unwrap();
    let mut socket = connect(&server).await;
    socket.write_all(GET.as_bytes()).await.unwrap();
    expect(&mut socket, "HTTP/1.1 200 \r\ncontent-length: 12\r\n\r\n").await;
    let start = Instant::now();
    expect(&mut socket, "drop by drop").await;
    // Twelve pauses; the first may have begun before the clock was read.
    assert!(start.elapsed() >= Duration::from_millis(11 * 5), "{:?}", start.elapsed());
}

#[tokio::test]
async fn a_delayed_answer_is_silent_before_its_first_byte() {
    let server = Server::showing(Fault::ok_after(Duration::from_millis(40)).into()).await.unwrap();
    let mut socket = connect(&server).await;
    let start = Instant::now();
    socket.write_all(GET.as_bytes()).await.unwrap();
    expect(&mut socket, OK).await;
    assert!(start.elapsed() >= Duration::from_millis(40), "{:?}", start.elapsed());
}

#[tokio::test]
async fn an_answer_to_head_has_no_body() {
    let server = Server::showing(Fault::Ok).await.unwrap();
    let (bytes, end) = exchange(&server, "HEAD / HTTP/1.1\r\n\r\n").await;
    assert_eq!((bytes.as_str(), end), ("HTTP/1.1 200 \r\ncontent-length: 2\r\n\r\n", Seen::Silence));
}

#[tokio::test]
async fn what_is_no_request_is_refused_and_not_kept() {
    let server = Server::showing(Fault::Ok).await.unwrap();
    for nonsense in
        ["\x16\x03\x01\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/2.0\r\n\r\n", "GET / HTTP/1.1\r\nfield\r\n\r\n"]
    {
        let (bytes, end) = exchange(&server, nonsense).await;
        assert_eq!(
            (bytes.as_str(), end),
            ("HTTP/1.1 400 \r\ncontent-length: 0\r\nconnection: close\r\n\r\n", Seen::Fin)
        );
    }
    assert_eq!(server.journal().recorded(), 0);
}

#[tokio::test]
async fn a_client_that_asks_to_close_is_closed() {
    let server = Server::showing(Fault::Ok).await.unwrap();
    for request in ["GET / HTTP/1.1\r\nConnection: close\r\n\r\n", "GET / HTTP/1.0\r\n\r\n"] {
        let (bytes, end) = exchange(&server, request).await;
        assert_eq!((bytes.as_str(), end), (crate::bare::OK_CLOSE, Seen::Fin), "{request:?}");
    }
}

#[tokio::test]
async fn a_client_that_waits_for_100_gets_it_unless_its_body_is_not_wanted() {
    let expecting = "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n";
    let server = Server::showing(Fault::Ok).await.unwrap();
    let mut socket = connect(&server).await;
    socket.write_all(expecting.as_bytes()).await.unwrap();
    expect(&mut socket, "HTTP/1.1 100 Continue\r\n\r\n").await;
    socket.write_all(b"hello").await.unwrap();
    expect(&mut socket, OK).await;

    let server = Server::showing(Fault::PartialRead).await.unwrap();
    let mut socket = connect(&server).await;
    socket.write_all(expecting.as_bytes()).await.unwrap();
    assert_eq!(read_all(&mut socket).await, (String::new(), Seen::Fin));
}

#[tokio::test]
async fn a_large_upload_breaks_on_a_partial_read() {
    let server = Server::showing(Fault::PartialRead).await.unwrap();
    let mut socket = connect(&server).await;
    socket.write_all(b"PUT /big HTTP/1.1\r\ncontent-length: 67108864\r\n\r\n").await.unwrap();
    let piece = vec![0; 1 << 20];
    let error = loop {
        if let Err(error) = socket.write_all(&piece).await {
            break error.kind();
        }
    };
    assert!(matches!(error, std::io::ErrorKind::ConnectionReset | std::io::ErrorKind::BrokenPipe), "{error:?}");
    assert!(!server.journal().requests()[0].complete);
}
