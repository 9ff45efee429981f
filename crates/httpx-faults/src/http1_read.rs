//! HTTP/1.1 (RFC 9112): reads the head and the body of a request.

use std::io;

use bytes::{Buf, BytesMut};
use tokio::io::AsyncReadExt;

use crate::end::Socket;
use crate::request::Incoming;

/// A head of more bytes is no request.
const HEAD_LIMIT: usize = 64 * 1024;

/// The head of a request, as far as it matters here.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) framing: BodyFraming,
    /// Whether the client wants no more than this request on its connection.
    pub(crate) last: bool,
    /// Whether the client waits for a `100` before it sends the body (RFC 9110 §10.1.1).
    pub(crate) continues: bool,
}

/// How the end of a request's body is known (RFC 9112 §6.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BodyFraming {
    Length(u64),
    Chunked,
}

/// These bytes are not the head of a request.
#[derive(Debug)]
pub(crate) struct Malformed;

/// The next head; none when the peer is gone before it is complete.
pub(crate) async fn read_head(
    socket: &mut impl Socket,
    buffer: &mut BytesMut,
) -> io::Result<Option<Result<Head, Malformed>>> {
    let mut searched = 0;
    loop {
        if let Some(at) = find(&buffer[searched..], b"\r\n\r\n") {
            let head = buffer.split_to(searched + at + 4);
            return Ok(Some(parse(&String::from_utf8_lossy(&head))));
        }
        if buffer.len() > HEAD_LIMIT {
            return Ok(Some(Err(Malformed)));
        }
        searched = buffer.len().saturating_sub(3);
        // Left to itself, the buffer grows by a few bytes at a time.
        buffer.reserve(4 * 1024);
        if socket.read_buf(buffer).await? == 0 {
            return Ok(None);
        }
    }
}

fn parse(head: &str) -> Result<Head, Malformed> {
    let mut lines = head.split("\r\n");
    let mut words = lines.next().ok_or(Malformed)?.split(' ');
    let (Some(method), Some(path), Some(version), None) = (words.next(), words.next(), words.next(), words.next())
    else {
        return Err(Malformed);
    };
    if !version.starts_with("HTTP/1.") {
        return Err(Malformed);
    }
    let mut headers = Vec::new();
    for line in lines.take_while(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':').ok_or(Malformed)?;
        headers.push((name.to_ascii_lowercase(), value.trim_ascii().to_owned()));
    }
    let has = |name: &str, word: &str| {
        headers.iter().any(|(line, value)| line == name && value.to_ascii_lowercase().contains(word))
    };
    let last = has("connection", "close") || (version == "HTTP/1.0" && !has("connection", "keep-alive"));
    let continues = has("expect", "100-continue");
    let framing = if has("transfer-encoding", "chunked") {
        BodyFraming::Chunked
    } else {
        match headers.iter().find(|(name, _)| name == "content-length") {
            Some((_, length)) => BodyFraming::Length(length.parse().map_err(|_| Malformed)?),
            None => BodyFraming::Length(0),
        }
    };
    Ok(Head { method: method.to_owned(), path: path.to_owned(), headers, framing, last, continues })
}

/// Reads a body into `body`, which is finished only if it came in full.
pub(crate) async fn read_body(
    socket: &mut impl Socket,
    buffer: &mut BytesMut,
    framing: BodyFraming,
    body: &mut Incoming,
) -> io::Result<()> {
    match framing {
        BodyFraming::Length(length) => read_exactly(socket, buffer, length, body).await?,
        BodyFraming::Chunked => loop {
            let line = read_line(socket, buffer).await?;
            let size = line.split(';').next().unwrap_or_default().trim_ascii();
            let size = u64::from_str_radix(size, 16).map_err(|_| io::ErrorKind::InvalidData)?;
            if size == 0 {
                // Trailer lines, up to the empty one.
                while !read_line(socket, buffer).await?.is_empty() {}
                break;
            }
            read_exactly(socket, buffer, size, body).await?;
            read_line(socket, buffer).await?;
        },
    }
    body.finish();
    Ok(())
}

async fn read_exactly(
    socket: &mut impl Socket,
    buffer: &mut BytesMut,
    mut length: u64,
    body: &mut Incoming,
) -> io::Result<()> {
    while length > 0 {
        if buffer.is_empty() {
            read_more(socket, buffer).await?;
        }
        let piece = usize::try_from(length).map_or(buffer.len(), |length| length.min(buffer.len()));
        body.push(&buffer[..piece]);
        buffer.advance(piece);
        length -= piece as u64;
    }
    Ok(())
}

/// The next line, without its line break.
async fn read_line(socket: &mut impl Socket, buffer: &mut BytesMut) -> io::Result<String> {
    loop {
        if let Some(at) = find(buffer, b"\r\n") {
            let line = buffer.split_to(at + 2);
            return Ok(String::from_utf8_lossy(&line[..at]).into_owned());
        }
        read_more(socket, buffer).await?;
    }
}

async fn read_more(socket: &mut impl Socket, buffer: &mut BytesMut) -> io::Result<()> {
    buffer.reserve(16 * 1024);
    match socket.read_buf(buffer).await? {
        0 => Err(io::ErrorKind::UnexpectedEof.into()),
        _ => Ok(()),
    }
}

fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    bytes.windows(needle.len()).position(|window| window == needle)
}
