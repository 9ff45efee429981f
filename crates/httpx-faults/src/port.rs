//! The port of a server: listening, refusing, or swallowing.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use socket2::{Domain, SockAddr, Socket, Type};

/// Long enough for thousands of clients that connect at once.
const BACKLOG: i32 = 4096;

/// A connect over loopback either succeeds long before, or never.
const PATIENCE: Duration = Duration::from_millis(100);

/// A port on 127.0.0.1 that is held but does not listen yet.
#[derive(Debug)]
pub(crate) struct BoundPort {
    socket: Socket,
    pub(crate) address: SocketAddr,
}

impl BoundPort {
    pub(crate) fn bind() -> io::Result<Self> {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
        socket.bind(&SockAddr::from(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))))?;
        let address = socket.local_addr()?.as_socket().ok_or(io::ErrorKind::AddrNotAvailable)?;
        Ok(Self { socket, address })
    }

    /// Connects are accepted from now on.
    pub(crate) fn listen(self) -> io::Result<std::net::TcpListener> {
        self.socket.listen(BACKLOG)?;
        self.socket.set_nonblocking(true)?;
        Ok(self.socket.into())
    }

    /// Fills a backlog of its own, so that Linux drops every further SYN; blocks for about [`PATIENCE`].
    ///
    /// The connections that fill it are returned, and have to be kept.
    pub(crate) fn fill_backlog(&self) -> io::Result<Vec<TcpStream>> {
        self.socket.listen(0)?;
        let mut fillers = Vec::new();
        loop {
            match TcpStream::connect_timeout(&self.address, PATIENCE) {
                Ok(filler) => fillers.push(filler),
                Err(error) if error.kind() == io::ErrorKind::TimedOut => return Ok(fillers),
                Err(error) => return Err(error),
            }
        }
    }
}
