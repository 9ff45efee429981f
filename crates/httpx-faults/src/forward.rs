//! What a proxy does when nothing goes wrong: it opens tunnels, and passes on requests in absolute form.
//!
//! Every host leads to 127.0.0.1. Answers are not read, only copied, so whatever the server does reaches the client.

use std::io;
use std::net::Ipv4Addr;

use bytes::BytesMut;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::TcpStream;

use crate::end::Socket;
use crate::request::Request;

/// Fields that are the proxy's own or for one connection only (RFC 9110 §7.6.1, §11.7.2); the body comes whole.
const NOT_PASSED_ON: &[&str] =
    &["connection", "proxy-connection", "proxy-authorization", "content-length", "transfer-encoding"];

/// The request is in neither of the forms that a proxy is sent (RFC 9112 §3.2).
const BAD_REQUEST: &[u8] = b"HTTP/1.1 400 \r\ncontent-length: 0\r\n\r\n";

/// The server cannot be reached (RFC 9110 §15.6.3).
const BAD_GATEWAY: &[u8] = b"HTTP/1.1 502 \r\ncontent-length: 0\r\n\r\n";

/// What follows on the client's connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum After {
    NextRequest,
    Gone,
}

/// A connection's way out: kept from request to request, as long as they go to the same port.
#[derive(Debug, Default)]
pub(crate) struct Forwarder {
    kept: Option<(u16, TcpStream)>,
}

impl Forwarder {
    /// Passes `request` on. What the client sends after it is read into `buffer`.
    pub(crate) async fn forward(
        &mut self,
        request: &Request,
        client: &mut impl Socket,
        buffer: &mut BytesMut,
    ) -> io::Result<After> {
        let Some(target) = Target::of(request) else {
            return say(client, BAD_REQUEST).await;
        };
        let server = match self.kept.take() {
            Some((port, server)) if port == target.port => Ok(server),
            Some(_) | None => TcpStream::connect((Ipv4Addr::LOCALHOST, target.port)).await,
        };
        let Ok(mut server) = server else {
            return say(client, BAD_GATEWAY).await;
        };
        let Some(path) = target.path else {
            say(client, b"HTTP/1.1 200 \r\n\r\n").await?;
            server.write_all(buffer).await?;
            copy_bidirectional(client, &mut server).await?;
            return Ok(After::Gone);
        };
        server.write_all(&in_origin_form(request, path)).await?;
        let after = relay(&mut server, client, buffer).await?;
        self.kept = Some((target.port, server));
        Ok(after)
    }
}

async fn say(client: &mut impl Socket, answer: &[u8]) -> io::Result<After> {
    client.write_all(answer).await?;
    client.flush().await?;
    Ok(After::NextRequest)
}

/// Where a request is to go.
struct Target<'a> {
    port: u16,
    /// None for a tunnel.
    path: Option<&'a str>,
}

impl<'a> Target<'a> {
    /// Of the absolute form, or of the authority form that CONNECT has (RFC 9112 §3.2.2, §3.2.3).
    fn of(request: &'a Request) -> Option<Self> {
        if request.method == "CONNECT" {
            return Some(Self { port: port(&request.path)?, path: None });
        }
        let rest = request.path.strip_prefix("http://")?;
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        Some(Self { port: port(authority).unwrap_or(80), path: Some(if path.is_empty() { "/" } else { path }) })
    }
}

fn port(authority: &str) -> Option<u16> {
    authority.rsplit_once(':')?.1.parse().ok()
}

fn in_origin_form(request: &Request, path: &str) -> Vec<u8> {
    let mut head = format!("{} {path} HTTP/1.1\r\n", request.method);
    for (name, value) in request.headers.iter().filter(|(name, _)| !NOT_PASSED_ON.contains(&name.as_str())) {
        head += &format!("{name}: {value}\r\n");
    }
    let framed = ["content-length", "transfer-encoding"].iter().any(|name| request.header(name).is_some());
    if framed {
        // As far as it is kept: a longer body makes the server wait, not go wrong.
        head += &format!("content-length: {}\r\n", request.body_length);
    }
    let mut bytes = (head + "\r\n").into_bytes();
    bytes.extend_from_slice(&request.body);
    bytes
}

/// Copies what the server says until the client goes on to its next request, or either is gone.
async fn relay(server: &mut TcpStream, client: &mut impl Socket, buffer: &mut BytesMut) -> io::Result<After> {
    let mut said = BytesMut::with_capacity(16 * 1024);
    buffer.reserve(4 * 1024);
    loop {
        tokio::select! {
            read = server.read_buf(&mut said) => {
                if read? == 0 {
                    client.shutdown().await?;
                    return Ok(After::Gone);
                }
                client.write_all(&said).await?;
                client.flush().await?;
                said.clear();
            }
            read = client.read_buf(buffer) => {
                return Ok(if read? == 0 { After::Gone } else { After::NextRequest });
            }
        }
    }
}
