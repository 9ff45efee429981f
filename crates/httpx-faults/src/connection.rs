//! Accepts connections and sees each of them to its end.

use std::io;
use std::net::TcpStream as Filler;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::behaviour::{Greeting, IDLE};
use crate::end::{End, Socket};
use crate::identity::Identity;
use crate::session::{Role, Session, Shared};
use crate::{http1, http2};

/// What is spoken on a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Protocol {
    Http1,
    /// The HTTP/1.1 of a proxy.
    Http1Proxy,
    Http2,
}

impl Protocol {
    /// Its name in a TLS handshake (RFC 7301 §6).
    pub(crate) fn alpn(self) -> &'static [u8] {
        match self {
            Self::Http1 | Self::Http1Proxy => b"http/1.1",
            Self::Http2 => b"h2",
        }
    }

    pub(crate) fn role(self) -> Role {
        match self {
            Self::Http1 | Self::Http2 => Role::Origin,
            Self::Http1Proxy => Role::Proxy,
        }
    }
}

/// Accepts for ever. The connections end with the future.
pub(crate) async fn accept(
    listener: TcpListener,
    fillers: Vec<Filler>,
    protocol: Protocol,
    identity: Option<Arc<Identity>>,
    shared: Arc<Shared>,
) {
    let ours: Vec<_> = fillers.iter().filter_map(|filler| filler.local_addr().ok()).collect();
    drop(fillers);
    let mut connections = JoinSet::new();
    loop {
        let Ok((stream, peer)) = listener.accept().await else {
            // The connection is gone already, or there are no file descriptors until others end.
            sleep(Duration::from_millis(1)).await;
            continue;
        };
        if ours.contains(&peer) {
            continue;
        }
        let connection = Connection { number: shared.journal.connected(), protocol, shared: shared.clone() };
        // What goes wrong on a connection is the peer's to see.
        let identity = identity.clone();
        connections.spawn(async move { connection.serve(stream, identity).await.ok() });
        while connections.try_join_next().is_some() {}
    }
}

struct Connection {
    number: u64,
    protocol: Protocol,
    shared: Arc<Shared>,
}

impl Connection {
    async fn serve(self, stream: TcpStream, identity: Option<Arc<Identity>>) -> io::Result<()> {
        stream.set_nodelay(true)?;
        let greeting = self.shared.script().draw_for_connection();
        match greeting {
            Some(Greeting::OnAccept(End::Reset)) => {
                // A reset that overtakes the end of the peer's connect would look like a failure to connect.
                sleep(IDLE).await;
                return End::Reset.apply(stream).await;
            }
            // At once, before there is anything unread: that would turn the close into a reset.
            Some(Greeting::OnAccept(end)) => return end.apply(stream).await,
            Some(Greeting::OnFirstBytes(end)) => return greet(stream, end).await,
            Some(Greeting::WrongCertificate) | None => {}
        }
        let Some(identity) = identity else {
            return self.speak(stream).await;
        };
        let acceptor = match greeting {
            Some(Greeting::WrongCertificate) => &identity.wrong,
            Some(Greeting::OnAccept(_) | Greeting::OnFirstBytes(_)) | None => &identity.right,
        };
        let stream = acceptor.accept(stream).await?;
        self.shared.journal.handshake_completed();
        self.speak(stream).await
    }

    async fn speak(self, socket: impl Socket) -> io::Result<()> {
        let session = Session::new(self.shared, self.number);
        match self.protocol {
            Protocol::Http1 | Protocol::Http1Proxy => http1::serve(socket, session).await,
            Protocol::Http2 => http2::serve(socket, session).await,
        }
    }
}

/// Waits for bytes, reads them, and ends.
async fn greet(stream: TcpStream, end: End) -> io::Result<()> {
    let mut first = vec![0; 16 * 1024];
    loop {
        stream.readable().await?;
        match stream.try_read(&mut first) {
            Ok(_) => return end.apply(stream).await,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
}
