//! Faults over HTTP/2, frame by frame.

use std::time::Duration;

use httpx_faults::{Answer, End, Fault, Script, Server};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::bare::{PATIENCE, SILENCE, Seen, connect, until};

const DATA: u8 = 0;
const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const SETTINGS: u8 = 4;
const PING: u8 = 6;
const GOAWAY: u8 = 7;
const WINDOW_UPDATE: u8 = 8;
const CONTINUATION: u8 = 9;

const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;
const PADDED: u8 = 8;
const PRIORITY: u8 = 32;

/// GET http / by static index, then `x-request-id: r1` into the dynamic table (RFC 7541 §6.1 and §6.2.1).
const GET_R1: &[u8] = b"\x82\x86\x84\x40\x0cx-request-id\x02r1";
/// POST http, and the field that [`GET_R1`] put into the dynamic table.
const POST_R1_AGAIN: &[u8] = b"\x83\x86\x84\xbe";
/// POST http, `:authority: www.example.com` in Huffman code (RFC 7541 §C.4.1).
const POST_HUFFMAN: &[u8] = b"\x83\x86\x84\x41\x8c\xf1\xe3\xc2\xe5\xf2\x3a\x6b\xa0\xab\x90\xf4\xff";

type Frame = (u8, u8, u32, Vec<u8>);

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// A client that has said its preface and heard the server's.
async fn open(server: &Server) -> TcpStream {
    let mut socket = connect(server).await;
    let preface = [b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", &frame(SETTINGS, 0, 0, &[])[..]].concat();
    socket.write_all(&preface).await.unwrap();
    // The largest window for streams and for the connection.
    assert_eq!(read(&mut socket).await.unwrap(), (SETTINGS, 0, 0, vec![0, 4, 0x7f, 0xff, 0xff, 0xff]));
    assert_eq!(read(&mut socket).await.unwrap(), (WINDOW_UPDATE, 0, 0, 0x7fff_0000_u32.to_be_bytes().to_vec()));
    assert_eq!(read(&mut socket).await.unwrap(), (SETTINGS, 1, 0, vec![]));
    socket
}

async fn read(socket: &mut TcpStream) -> std::io::Result<Frame> {
    let mut head = [0; 9];
    socket.read_exact(&mut head).await?;
    let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
    let mut payload = vec![0; length as usize];
    socket.read_exact(&mut payload).await?;
    Ok((head[3], head[4], u32::from_be_bytes([head[5], head[6], head[7], head[8]]), payload))
}

/// All frames until something else comes. Bytes that are no whole frame are dropped.
async fn read_frames(socket: &mut TcpStream) -> (Vec<Frame>, Seen) {
    let mut frames = Vec::new();
    loop {
        match timeout(SILENCE, read(socket)).await {
            Err(_) => return (frames, Seen::Silence),
            Ok(Ok(frame)) => frames.push(frame),
            Ok(Err(error)) if error.kind() == std::io::ErrorKind::UnexpectedEof => return (frames, Seen::Fin),
            Ok(Err(error)) if error.kind() == std::io::ErrorKind::ConnectionReset => return (frames, Seen::Reset),
            Ok(Err(error)) => panic!("{error:?}"),
        }
    }
}

/// A header block of literals.
fn block(fields: &[(&str, &str)]) -> Vec<u8> {
    let mut block = Vec::new();
    for (name, value) in fields {
        block.push(0);
        for text in [name, value] {
            block.push(u8::try_from(text.len()).unwrap());
            block.extend_from_slice(text.as_bytes());
        }
    }
    block
}

fn head(stream: u32, status: &str, length: &str) -> Frame {
    (HEADERS, END_HEADERS, stream, block(&[(":status", status), ("content-length", length)]))
}

fn whole(stream: u32, status: &str, body: &str) -> Vec<Frame> {
    let mut frames = vec![head(stream, status, &body.len().to_string())];
    if !body.is_empty() {
        frames.push((DATA, 0, stream, body.into()));
    }
    frames.push((DATA, END_STREAM, stream, vec![]));
    frames
}

fn go_away(last_stream: u32) -> Frame {
    (GOAWAY, 0, 0, [last_stream.to_be_bytes(), [0; 4]].concat())
}

#[tokio::test]
async fn each_fault_shows_these_frames_and_this_end() {
    let half: Vec<Frame> = vec![head(1, "200", "1000"), (DATA, 0, 1, vec![b'x'; 500])];
    let reset = |code: u8| vec![(RST_STREAM, 0, 1, vec![0, 0, 0, code])];
    let rows: Vec<(Fault, Vec<Frame>, Seen, u64)> = vec![
        (Fault::Ok, whole(1, "200", "ok"), Seen::Silence, 1),
        (Fault::status(503).into(), whole(1, "503", ""), Seen::Silence, 0),
        (
            Answer::status(200).header("ETag", "1").chunked().into(),
            vec![(HEADERS, END_HEADERS, 1, block(&[(":status", "200"), ("etag", "1")])), (DATA, END_STREAM, 1, vec![])],
            Seen::Silence,
            1,
        ),
        (
            Answer::ok().trailer("Grpc-Status", "14").into(),
            vec![
                head(1, "200", "2"),
                (DATA, 0, 1, b"ok".to_vec()),
                (HEADERS, END_HEADERS | END_STREAM, 1, block(&[("grpc-status", "14")])),
            ],
            Seen::Silence,
            1,
        ),
        (
            Answer::status(204).into(),
            vec![(HEADERS, END_HEADERS | END_STREAM, 1, block(&[(":status", "204")]))],
            Seen::Silence,
            1,
        ),
        (
            Answer::ok().drip(Duration::from_millis(1)).into(),
            vec![
                head(1, "200", "2"),
                (DATA, 0, 1, b"o".into()),
                (DATA, 0, 1, b"k".into()),
                (DATA, END_STREAM, 1, vec![]),
            ],
            Seen::Silence,
            1,
        ),
        (Fault::RefusedStream, reset(7), Seen::Silence, 0),
        (Fault::InternalError, reset(2), Seen::Silence, 1),
        (Fault::GoAwayUnprocessed, vec![go_away(0)], Seen::Silence, 0),
        (Fault::GoAwayProcessed, vec![go_away(1)], Seen::Fin, 1),
        (Fault::NeverAnswer, vec![], Seen::Silence, 1),
        (Fault::CloseAfterRequest, vec![], Seen::Fin, 1),
        (Fault::ResetAfterRequest, vec![], Seen::Reset, 1),
        (Fault::PartialRead, vec![], Seen::Fin, 0),
        (Fault::HeadersThenStall(500), half.clone(), Seen::Silence, 1),
        (Fault::HalfBodyFin, half.clone(), Seen::Fin, 1),
        (Fault::HalfBodyReset, half, Seen::Reset, 1),
        (Answer::ok().cut(0, End::Fin).into(), vec![head(1, "200", "2")], Seen::Fin, 1),
        (
            Answer::ok().cut(1, End::StreamNoError).into(),
            vec![head(1, "200", "2"), (DATA, 0, 1, b"o".into()), (RST_STREAM, 0, 1, vec![0; 4])],
            Seen::Silence,
            1,
        ),
        (Fault::IdleFin, whole(1, "200", "ok"), Seen::Fin, 1),
        (Fault::IdleReset, whole(1, "200", "ok"), Seen::Reset, 1),
        // As a frame, it would be longer than any may be, and the end comes first.
        (Fault::Garbage, vec![], Seen::Fin, 0),
    ];
    // At once, for most of them are silent for a while.
    let rows = rows.into_iter().map(|(fault, frames, end, applied)| tokio::spawn(check(fault, frames, end, applied)));
    for row in rows.collect::<Vec<_>>() {
        row.await.unwrap();
    }
}

async fn check(fault: Fault, frames: Vec<Frame>, end: Seen, applied: u64) {
    let server = Server::h2(Script::always(fault.clone())).await.unwrap();
    let mut socket = open(&server).await;
    socket.write_all(&frame(HEADERS, END_HEADERS | END_STREAM, 1, GET_R1)).await.unwrap();
    assert_eq!(read_frames(&mut socket).await, (frames, end), "{fault:?}");
    assert_eq!(server.journal().recorded(), 1, "{fault:?}");
    assert_eq!(server.journal().applied_for("GET /"), applied, "{fault:?}");
    assert!(server.journal().seen("r1"), "{fault:?}");
}

#[tokio::test]
async fn header_blocks_are_decoded_however_they_are_written() {
    let server = Server::h2(Script::always(Fault::Ok)).await.unwrap();
    let mut socket = open(&server).await;
    let padded = [&[3, 0, 0, 0, 0, 0], POST_HUFFMAN, &[0, 0, 0]].concat();
    let (begin, rest) = POST_R1_AGAIN.split_at(2);
    let frames = [
        frame(HEADERS, END_HEADERS | END_STREAM, 1, GET_R1),
        // In two parts, with an entry of the dynamic table.
        frame(HEADERS, END_STREAM, 3, begin),
        frame(CONTINUATION, END_HEADERS, 3, rest),
        frame(HEADERS, END_HEADERS | END_STREAM | PADDED | PRIORITY, 5, &padded),
    ];
    socket.write_all(&frames.concat()).await.unwrap();
    until(|| server.journal().recorded() == 3).await;
    let found: Vec<_> = server.journal().requests().into_iter().map(|r| (r.method, r.path, r.headers)).collect();
    let line = |name: &str, value: &str| vec![(name.to_owned(), value.to_owned())];
    let row = |method: &str, headers| (method.to_owned(), "/".to_owned(), headers);
    assert_eq!(
        found,
        [
            row("GET", line("x-request-id", "r1")),
            row("POST", line("x-request-id", "r1")),
            row("POST", line("host", "www.example.com")),
        ]
    );
}

#[tokio::test]
async fn a_body_of_4_mib_flows_and_is_counted() {
    let server = Server::h2(Script::always(Fault::Ok)).await.unwrap();
    let mut socket = open(&server).await;
    socket.write_all(&frame(HEADERS, END_HEADERS, 1, POST_HUFFMAN)).await.unwrap();
    let piece = frame(DATA, 0, 1, &[7; 16_384]);
    let (mut reader, mut writer) = socket.split();
    let upload = async {
        for _ in 0..256 {
            writer.write_all(&piece).await.unwrap();
        }
        writer.write_all(&frame(DATA, END_STREAM | PADDED, 1, &[2, b'!', 0, 0])).await.unwrap();
    };
    let drain = async { tokio::io::copy(&mut reader, &mut tokio::io::sink()).await.map(|_| ()) };
    tokio::select! {
        ((), ()) = async { (upload.await, until(|| server.journal().recorded() == 1).await) } => {}
        end = drain => panic!("the server ended the connection: {end:?}"),
    }
    let request = &server.journal().requests()[0];
    assert_eq!((request.body_length, request.body.len(), request.complete), (4 * 1024 * 1024 + 1, 65_536, true));
}

#[tokio::test]
async fn a_byte_received_is_a_byte_granted() {
    let server = Server::h2(Script::always(Fault::NeverAnswer)).await.unwrap();
    let mut socket = open(&server).await;
    let frames = [frame(HEADERS, END_HEADERS, 1, POST_HUFFMAN), frame(DATA, END_STREAM, 1, b"hello")];
    socket.write_all(&frames.concat()).await.unwrap();
    let credit = 5_u32.to_be_bytes().to_vec();
    let expected = vec![(WINDOW_UPDATE, 0, 0, credit.clone()), (WINDOW_UPDATE, 0, 1, credit)];
    assert_eq!(read_frames(&mut socket).await, (expected, Seen::Silence));
}

#[tokio::test]
async fn a_ping_is_answered_while_a_stream_is_silent() {
    let server = Server::h2(Script::always(Fault::NeverAnswer)).await.unwrap();
    let mut socket = open(&server).await;
    let frames = [frame(HEADERS, END_HEADERS | END_STREAM, 1, GET_R1), frame(PING, 0, 0, b"are here")];
    socket.write_all(&frames.concat()).await.unwrap();
    let answer = timeout(PATIENCE, read(&mut socket)).await.unwrap().unwrap();
    assert_eq!(answer, (PING, 1, 0, b"are here".into()));
}

#[tokio::test]
async fn a_slow_stream_does_not_hold_up_the_next_and_can_be_cancelled() {
    let script = Script::first(Fault::ok_after(Duration::from_millis(40))).then(Fault::Ok);
    let server = Server::h2(script).await.unwrap();
    let mut socket = open(&server).await;
    let frames = [
        frame(HEADERS, END_HEADERS | END_STREAM, 1, GET_R1),
        frame(HEADERS, END_HEADERS | END_STREAM, 3, POST_R1_AGAIN),
        frame(RST_STREAM, 0, 1, &[0, 0, 0, 8]),
    ];
    socket.write_all(&frames.concat()).await.unwrap();
    assert_eq!(read_frames(&mut socket).await, (whole(3, "200", "ok"), Seen::Silence));
}

#[tokio::test]
async fn a_request_is_partial_when_its_stream_or_connection_ends() {
    let server = Server::h2(Script::always(Fault::Ok)).await.unwrap();
    let mut socket = open(&server).await;
    let frames = [
        frame(HEADERS, END_HEADERS, 1, GET_R1),
        frame(HEADERS, END_HEADERS, 3, POST_R1_AGAIN),
        frame(DATA, 0, 3, b"hel"),
        frame(RST_STREAM, 0, 1, &[0, 0, 0, 8]),
    ];
    socket.write_all(&frames.concat()).await.unwrap();
    until(|| server.journal().recorded() == 1).await;
    drop(socket);
    until(|| server.journal().recorded() == 2).await;
    let found: Vec<_> = server.journal().requests().iter().map(|r| (r.complete, r.applied, r.body_length)).collect();
    assert_eq!(found, [(false, false, 0), (false, false, 3)]);
}

#[tokio::test]
async fn an_in_use_fault_strikes_the_second_stream() {
    let server = Server::h2(Script::always(Fault::InUseReset)).await.unwrap();
    let mut socket = open(&server).await;
    socket.write_all(&frame(HEADERS, END_HEADERS | END_STREAM, 1, GET_R1)).await.unwrap();
    for expected in whole(1, "200", "ok") {
        assert_eq!(read(&mut socket).await.unwrap(), expected);
    }
    socket.write_all(&frame(HEADERS, END_HEADERS | END_STREAM, 3, POST_R1_AGAIN)).await.unwrap();
    assert_eq!(read_frames(&mut socket).await, (vec![], Seen::Reset));
    assert_eq!(server.journal().applied(), 2);
}

#[tokio::test]
async fn after_a_goaway_earlier_streams_are_answered_and_later_ones_ignored() {
    let script =
        Script::first(Fault::ok_after(Duration::from_millis(20))).then(Fault::GoAwayUnprocessed).then(Fault::Ok);
    let server = Server::h2(script).await.unwrap();
    let mut socket = open(&server).await;
    let frames: Vec<_> =
        [1, 3, 5].iter().map(|stream| frame(HEADERS, END_HEADERS | END_STREAM, *stream, GET_R1)).collect();
    socket.write_all(&frames.concat()).await.unwrap();
    let expected = [vec![go_away(1)], whole(1, "200", "ok")].concat();
    assert_eq!(read_frames(&mut socket).await, (expected, Seen::Silence));
    assert_eq!((server.journal().recorded(), server.journal().applied()), (2, 1));
}

#[tokio::test]
async fn what_was_taken_up_is_never_called_unprocessed() {
    // The first request is still arriving while the second is answered.
    let server = Server::h2(Script::first(Fault::GoAwayUnprocessed).then(Fault::Ok)).await.unwrap();
    let mut socket = open(&server).await;
    let frames = [frame(HEADERS, END_HEADERS, 1, GET_R1), frame(HEADERS, END_HEADERS | END_STREAM, 3, GET_R1)];
    socket.write_all(&frames.concat()).await.unwrap();
    for expected in whole(3, "200", "ok") {
        assert_eq!(read(&mut socket).await.unwrap(), expected);
    }
    socket.write_all(&frame(DATA, END_STREAM, 1, b"")).await.unwrap();
    let refused = (RST_STREAM, 0, 1, vec![0, 0, 0, 7]);
    assert_eq!(read_frames(&mut socket).await, (vec![refused], Seen::Silence));
    assert_eq!((server.journal().recorded(), server.journal().applied()), (2, 1));
}

#[tokio::test]
async fn what_is_still_arriving_above_a_goaway_is_not_carried_out() {
    let server = Server::h2(Script::first(Fault::GoAwayUnprocessed).then(Fault::Ok)).await.unwrap();
    let mut socket = open(&server).await;
    let heads = [1, 3].map(|stream| frame(HEADERS, END_HEADERS, stream, GET_R1));
    let ends = [1, 3].map(|stream| frame(DATA, END_STREAM, stream, b""));
    socket.write_all(&[heads.concat(), ends.concat()].concat()).await.unwrap();
    assert_eq!(read_frames(&mut socket).await, (vec![go_away(0)], Seen::Silence));
    assert_eq!((server.journal().recorded(), server.journal().applied()), (2, 0));
}

#[tokio::test]
async fn the_answer_before_a_fault_of_the_connection_comes_with_a_goaway() {
    let server = Server::h2(Script::first(Fault::Ok).then(Fault::AcceptThenClose)).await.unwrap();
    let mut socket = open(&server).await;
    socket.write_all(&frame(HEADERS, END_HEADERS | END_STREAM, 1, GET_R1)).await.unwrap();
    let expected = [vec![go_away(1)], whole(1, "200", "ok")].concat();
    assert_eq!(read_frames(&mut socket).await, (expected, Seen::Silence));
}

#[tokio::test]
async fn what_is_no_preface_is_closed() {
    let server = Server::h2(Script::always(Fault::Ok)).await.unwrap();
    let (bytes, end) = crate::bare::exchange(&server, crate::bare::GET).await;
    assert_eq!((bytes.as_str(), end), ("", Seen::Fin));
}
