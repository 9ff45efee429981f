//! A peer that is a bare socket.

use std::io;
use std::time::{Duration, Instant};

use httpx_faults::Server;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpStream, ToSocketAddrs};
use tokio::time::timeout;

/// Far longer than anything takes that does come.
pub(crate) const PATIENCE: Duration = Duration::from_secs(5);

/// A silence of this length is taken to last: five times what an answer on loopback takes at worst.
pub(crate) const SILENCE: Duration = Duration::from_millis(250);

pub(crate) const GET: &str = "GET /jobs HTTP/1.1\r\nHost: test\r\n\r\n";
pub(crate) const POST: &str = "POST /jobs HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\n\r\nhello";
pub(crate) const OK: &str = "HTTP/1.1 200 \r\ncontent-length: 2\r\n\r\nok";
pub(crate) const OK_CLOSE: &str = "HTTP/1.1 200 \r\ncontent-length: 2\r\nconnection: close\r\n\r\nok";

/// How a connection looked after its last byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    Fin,
    Reset,
    Silence,
}

pub(crate) async fn connect(server: &Server) -> TcpStream {
    TcpStream::connect(server.address()).await.unwrap()
}

/// What a peer sees that connects and says nothing.
pub(crate) async fn listen_to(address: impl ToSocketAddrs) -> (String, Seen) {
    match TcpStream::connect(address).await {
        Ok(mut socket) => read_all(&mut socket).await,
        // On a busy machine a reset may overtake the end of the connect.
        Err(error) if error.kind() == io::ErrorKind::ConnectionReset => (String::new(), Seen::Reset),
        Err(error) => panic!("{error:?}"),
    }
}

/// All bytes until something other than a byte comes.
pub(crate) async fn read_all(socket: &mut (impl AsyncRead + Unpin)) -> (String, Seen) {
    let mut bytes = Vec::new();
    let seen = loop {
        match timeout(SILENCE, socket.read_buf(&mut bytes)).await {
            Err(_) => break Seen::Silence,
            Ok(Ok(0)) => break Seen::Fin,
            Ok(Ok(_)) => {}
            Ok(Err(error)) if error.kind() == io::ErrorKind::ConnectionReset => break Seen::Reset,
            Ok(Err(error)) if error.kind() == io::ErrorKind::UnexpectedEof => break Seen::Fin,
            Ok(Err(error)) => panic!("{error:?}"),
        }
    };
    (String::from_utf8_lossy(&bytes).into_owned(), seen)
}

/// Exactly as many bytes as `expected` has.
pub(crate) async fn expect(socket: &mut (impl AsyncRead + Unpin), expected: &str) {
    let mut bytes = vec![0; expected.len()];
    timeout(PATIENCE, socket.read_exact(&mut bytes)).await.unwrap().unwrap();
    assert_eq!(String::from_utf8_lossy(&bytes), expected);
}

/// One request on a connection of its own.
pub(crate) async fn exchange(server: &Server, request: &str) -> (String, Seen) {
    let mut socket = connect(server).await;
    socket.write_all(request.as_bytes()).await.unwrap();
    read_all(&mut socket).await
}

/// Waits until `done`, which is a matter of a few milliseconds.
pub(crate) async fn until(mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < PATIENCE, "it never came true");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}
