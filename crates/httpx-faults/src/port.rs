//! The port of a server: listening, refusing, or swallowing.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::time::Duration;

use socket2::{Domain, SockAddr, Socket, Type};

/// Long enough for thousands of clients that connect at once.
const BACKLOG: i32 = 4096;

/// Linux takes one or two; other systems round the backlog up.
const FILLERS_AT_MOST: usize = 256;

/// A connect over loopback either succeeds long before, or never.
const PATIENCE: Duration = Duration::from_millis(100);

/// Why nobody gets a connection from a port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PortFault {
    /// Bound, not listening.
    Refused,
    /// Listening, with a full backlog.
    BlackHole,
}

/// A port on 127.0.0.1 that is held but does not listen yet.
#[derive(Debug)]
pub(crate) struct BoundPort {
    socket: Socket,
    pub(crate) address: SocketAddr,
}

impl BoundPort {
    pub(crate) fn bind(port: u16) -> io::Result<Self> {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
        // A port of one's choice is often one that was served a moment ago.
        socket.set_reuse_address(port != 0)?;
        socket.bind(&SockAddr::from(SocketAddr::from((Ipv4Addr::LOCALHOST, port))))?;
        let address = socket.local_addr()?.as_socket().ok_or(io::ErrorKind::AddrNotAvailable)?;
        Ok(Self { socket, address })
    }

    /// Listens, or does what `fault` says instead; the latter blocks for about [`PATIENCE`] where a backlog is filled.
    ///
    /// The connections that fill it are returned, and have to be kept.
    pub(crate) fn open(&self, fault: Option<PortFault>) -> io::Result<Vec<TcpStream>> {
        match fault {
            None => self.socket.listen(BACKLOG).map(|()| Vec::new()),
            Some(PortFault::Refused) => Ok(Vec::new()),
            Some(PortFault::BlackHole) => self.fill_backlog(),
        }
    }

    /// Connects can be accepted from now on, whatever the port did before.
    pub(crate) fn listener(self) -> io::Result<TcpListener> {
        self.socket.listen(BACKLOG)?;
        self.socket.set_nonblocking(true)?;
        Ok(self.socket.into())
    }

    /// Connects until a connect hangs: with a full backlog Linux drops every further SYN.
    fn fill_backlog(&self) -> io::Result<Vec<TcpStream>> {
        self.socket.listen(0)?;
        let mut fillers = Vec::new();
        while fillers.len() < FILLERS_AT_MOST {
            match TcpStream::connect_timeout(&self.address, PATIENCE) {
                Ok(filler) => fillers.push(filler),
                Err(error) if error.kind() == io::ErrorKind::TimedOut => return Ok(fillers),
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::new(io::ErrorKind::Unsupported, "this system accepts connections beyond a full backlog"))
    }
}
