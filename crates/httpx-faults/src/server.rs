//! The server: a thread of its own with a port, a script and a journal.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use tokio::net::TcpListener;
use tokio::runtime;
use tokio::sync::{Notify, oneshot};

use crate::connection::{Protocol, accept};
use crate::fault::{Fault, Layer};
use crate::identity::{FAR_HOST, Identity};
use crate::journal::Journal;
use crate::port::{BoundPort, PortFault};
use crate::script::Script;
use crate::session::Shared;

/// What the system takes for "any free port".
const ANY_FREE: u16 = 0;

/// A faulty server on a free port of 127.0.0.1.
///
/// It runs on a thread of its own, so that neither a busy nor a paused clock of the caller holds it up. Dropping it
/// closes its port and every connection, the silent ones too.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    identity: Option<Arc<Identity>>,
    journal: Journal,
    recovery: Arc<Notify>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Plain HTTP/1.1.
    ///
    /// # Errors
    /// When no port or thread is to be had, or a fault of the port stands anywhere but first in the script.
    pub async fn start(script: Script) -> io::Result<Self> {
        Self::run(ANY_FREE, script, Protocol::Http1, None).await
    }

    /// Plain HTTP/1.1 at a port of the caller's choice; 0 is any free one.
    ///
    /// # Errors
    /// As [`start`](Self::start), and when the port is taken.
    pub async fn start_at(port: u16, script: Script) -> io::Result<Self> {
        Self::run(port, script, Protocol::Http1, None).await
    }

    /// HTTP/1.1 over TLS, for `localhost`.
    ///
    /// # Errors
    /// As [`start`](Self::start), or when no certificate can be made.
    pub async fn tls(script: Script) -> io::Result<Self> {
        Self::run(ANY_FREE, script, Protocol::Http1, Some(Identity::new(Protocol::Http1.alpn())?)).await
    }

    /// A proxy over plain HTTP/1.1: where the script says [`Fault::Ok`], it opens the tunnel or passes the request on.
    ///
    /// Every host leads to 127.0.0.1, so that `http://any.test:PORT/` reaches the server on that port. The journal holds
    /// each CONNECT and each request in absolute form; what passes through a tunnel is nobody's business. All other
    /// faults of a script are the proxy's own.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub async fn proxy(script: Script) -> io::Result<Self> {
        Self::run(ANY_FREE, script, Protocol::Http1Proxy, None).await
    }

    /// A [`proxy`](Self::proxy) that is itself reached over TLS, as `localhost`.
    ///
    /// # Errors
    /// As [`tls`](Self::tls).
    pub async fn tls_proxy(script: Script) -> io::Result<Self> {
        let protocol = Protocol::Http1Proxy;
        Self::run(ANY_FREE, script, protocol, Some(Identity::new(protocol.alpn())?)).await
    }

    /// HTTP/2 with prior knowledge, over plain TCP.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub async fn h2(script: Script) -> io::Result<Self> {
        Self::run(ANY_FREE, script, Protocol::Http2, None).await
    }

    /// HTTP/2 over TLS, agreed upon by ALPN, for `localhost`.
    ///
    /// # Errors
    /// As [`tls`](Self::tls).
    pub async fn h2_tls(script: Script) -> io::Result<Self> {
        Self::run(ANY_FREE, script, Protocol::Http2, Some(Identity::new(Protocol::Http2.alpn())?)).await
    }

    /// The plainest kind of server that can show `fault`, which it does at every contact.
    ///
    /// # Errors
    /// As [`tls`](Self::tls).
    pub async fn showing(fault: Fault) -> io::Result<Self> {
        match fault.layer() {
            Layer::Port | Layer::Connection | Layer::Request => Self::start(Script::always(fault)).await,
            Layer::Tls => Self::tls(Script::always(fault)).await,
            Layer::Http2 => Self::h2(Script::always(fault)).await,
        }
    }

    async fn run(port: u16, mut script: Script, protocol: Protocol, identity: Option<Identity>) -> io::Result<Self> {
        let fault = script.take_port()?;
        let port = BoundPort::bind(port)?;
        let address = port.address;
        let identity = identity.map(Arc::new);
        let journal = Journal::default();
        let recovery = Arc::new(Notify::new());
        let (stop, stopped) = oneshot::channel();
        let (ready, started) = oneshot::channel();
        let task = Task {
            port,
            fault,
            protocol,
            identity: identity.clone(),
            shared: Shared::new(script, protocol.role(), journal.clone()),
            recovery: recovery.clone(),
        };
        let thread = thread::Builder::new().name("httpx-faults".to_owned()).spawn(move || task.run(ready, stopped))?;
        let server = Self { address, identity, journal, recovery, stop: Some(stop), thread: Some(thread) };
        started.await.map_err(|_| io::Error::other("the server's thread ended before it was ready"))??;
        Ok(server)
    }

    /// `http://127.0.0.1:PORT`, or `https://localhost:PORT` over TLS.
    pub fn url(&self) -> String {
        match &self.identity {
            Some(_) => format!("https://localhost:{}", self.address.port()),
            None => format!("http://{}", self.address),
        }
    }

    /// [`url`](Self::url) with this path, which starts with a slash.
    pub fn url_at(&self, path: &str) -> String {
        self.url() + path
    }

    /// The same server as a client sees it that comes through a [`proxy`](Self::proxy): at [`FAR_HOST`].
    pub fn far_url_at(&self, path: &str) -> String {
        let scheme = if self.identity.is_some() { "https" } else { "http" };
        format!("{scheme}://{FAR_HOST}:{}{path}", self.address.port())
    }

    /// The address of the port.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The authority to trust, as PEM; none without TLS.
    pub fn root_pem(&self) -> Option<&str> {
        self.identity.as_deref().map(|identity| identity.root_pem.as_str())
    }

    /// What arrived. The journal outlives the server.
    pub fn journal(&self) -> Journal {
        self.journal.clone()
    }

    /// Ends a fault of the port: it listens from now on, and the script goes on with its next step.
    pub fn recover(&self) {
        self.recovery.notify_one();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A panic of a script's closure has been reported by its thread.
            thread.join().ok();
        }
    }
}

/// What the thread of a server works with.
struct Task {
    port: BoundPort,
    fault: Option<PortFault>,
    protocol: Protocol,
    identity: Option<Arc<Identity>>,
    shared: Arc<Shared>,
    recovery: Arc<Notify>,
}

impl Task {
    fn run(self, ready: oneshot::Sender<io::Result<()>>, stopped: oneshot::Receiver<()>) {
        let runtime = match runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => return drop(ready.send(Err(error))),
        };
        runtime.block_on(async {
            tokio::select! {
                _ = stopped => {}
                () = self.serve(ready) => {}
            }
        });
    }

    async fn serve(self, ready: oneshot::Sender<io::Result<()>>) {
        let fillers = match self.port.open(self.fault) {
            Ok(fillers) => fillers,
            Err(error) => return drop(ready.send(Err(error))),
        };
        // Nobody is left to tell when the caller has given up; then `stopped` ends this too.
        ready.send(Ok(())).ok();
        if self.fault.is_some() {
            self.recovery.notified().await;
        }
        if let Ok(listener) = self.port.listener().and_then(TcpListener::from_std) {
            accept(listener, fillers, self.protocol, self.identity, self.shared).await;
        }
    }
}
