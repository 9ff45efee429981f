//! The server that all peers talk to: as little as HTTP/1.1 needs, so that nothing about it varies.

use crate::load::ANSWER_BODY;
use anyhow::{Context, Result, bail};
use std::net::Ipv4Addr;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

/// Listens on a free port of the loopback address, prints the port as the first line, and serves until killed.
///
/// When a connection ends, prints how many requests it carried: a run that kept its connection is one such line.
///
/// # Errors
/// When no port can be had, or a connection cannot be accepted.
pub async fn serve() -> Result<()> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.context("no free port on the loopback address")?;
    println!("{}", listener.local_addr()?.port());
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        tokio::spawn(async move {
            match answer_all(stream).await {
                Ok(requests) => println!("{requests}"),
                Err(error) => println!("{error}"),
            }
        });
    }
}

/// Answers until the client closes; how many requests there were.
async fn answer_all(mut stream: TcpStream) -> Result<u32> {
    let answer = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\ndate: Mon, 30 Nov 2026 09:00:00 GMT\r\n\r\n{ANSWER_BODY}",
        ANSWER_BODY.len()
    );
    let mut received = Vec::with_capacity(8 * 1024);
    let mut requests = 0;
    loop {
        while let Some(length) = request_length(&received)? {
            received.drain(..length);
            stream.write_all(answer.as_bytes()).await?;
            requests += 1;
        }
        if stream.read_buf(&mut received).await? == 0 {
            return Ok(requests);
        }
    }
}

/// The length of the first request in `received`, head and body, or `None` while it is incomplete.
fn request_length(received: &[u8]) -> Result<Option<usize>> {
    let Some(end) = received.windows(4).position(|window| window == b"\r\n\r\n") else { return Ok(None) };
    let head = std::str::from_utf8(&received[..end])?.to_ascii_lowercase();
    if head.contains("\r\ntransfer-encoding:") {
        bail!("a chunked request: the peers send bodies of known length");
    }
    let body = match head.lines().find_map(|line| line.strip_prefix("content-length:")) {
        Some(value) => value.trim().parse()?,
        None => 0,
    };
    let length = end + 4 + body;
    Ok((received.len() >= length).then_some(length))
}
