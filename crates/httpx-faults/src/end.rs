//! How a connection ends.

use std::io;
use std::time::Duration;

use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;

/// How the server ends a connection, or does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// Closes it: the peer reads an end of file. Over TLS without a `close_notify`, as a crashed server would.
    Fin,
    /// Resets it: the peer gets "connection reset".
    Reset,
    /// Keeps it open without a word until the peer goes. Over HTTP/2 only this stream falls silent.
    Silence,
    /// Over HTTP/2 resets this stream with NO_ERROR (RFC 9113 §8.1), which looks like the end of an answer. Over HTTP/1.1,
    /// which has no streams, closes the connection.
    StreamNoError,
}

/// A TCP or TLS stream whose TCP socket can be reached.
pub(crate) trait Socket: AsyncRead + AsyncWrite + Unpin + Send {
    fn tcp(&self) -> &TcpStream;
}

impl Socket for TcpStream {
    fn tcp(&self) -> &TcpStream {
        self
    }
}

impl Socket for TlsStream<TcpStream> {
    fn tcp(&self) -> &TcpStream {
        self.get_ref().0
    }
}

impl End {
    /// Ends `socket`; returns when the connection is gone.
    pub(crate) async fn apply(self, mut socket: impl Socket) -> io::Result<()> {
        socket.flush().await?;
        match self {
            Self::Fin | Self::StreamNoError => Ok(()),
            Self::Reset => SockRef::from(socket.tcp()).set_linger(Some(Duration::ZERO)),
            Self::Silence => drain(&mut socket).await,
        }
    }
}

/// Reads and forgets until the peer goes.
async fn drain(socket: &mut impl Socket) -> io::Result<()> {
    let mut scratch = vec![0; 16 * 1024];
    while socket.read(&mut scratch).await? > 0 {}
    Ok(())
}
