//! The client for code that is not async.
//!
//! Requests are built as everywhere else; [`Client::wait`] waits for whatever becomes of them.
//!
//! ```no_run
//! use httpx_client::blocking::Client;
//!
//! let client = Client::new()?;
//! let answer = client.wait(client.post("https://example.test/jobs").json(&["one"]).fetch_text())?;
//! println!("{} after {} attempts: {}", answer.status(), answer.attempts().count(), answer.body());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::io;
use std::ops::Deref;
use std::sync::Arc;

use bytes::{Buf as _, Bytes};
use tokio::runtime::{Builder, Runtime};

use crate::response::Response;

/// A [`crate::Client`] with a thread of its own that drives its connections. Clones share both.
#[derive(Clone, Debug)]
pub struct Client {
    client: crate::Client,
    driver: Arc<Driver>,
}

/// `None` only while it is dropped.
#[derive(Debug)]
struct Driver(Option<Runtime>);

impl Client {
    /// With every default.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn new() -> io::Result<Self> {
        Client::over(crate::Client::new())
    }

    /// Over a client with settings of its own, which has not been used by async code: connections belong to the runtime
    /// that opens them.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn over(client: crate::Client) -> io::Result<Self> {
        let runtime =
            Builder::new_multi_thread().worker_threads(1).thread_name("httpx-blocking").enable_all().build()?;
        Ok(Client { client, driver: Arc::new(Driver(Some(runtime))) })
    }

    /// Waits until `call` has ended: a request that is sent or fetched, a download, a piece of a body.
    ///
    /// Async code must not call it: it blocks the thread, and with it whatever else that should do.
    pub fn wait<F: IntoFuture>(&self, call: F) -> F::Output {
        let _entered = self.driver.0.as_ref().expect("it is there until it is dropped").enter();
        futures_executor::block_on(call.into_future())
    }

    /// The body of a streaming answer, to be read piece by piece. One that breaks off ends with an error whose source is
    /// the [`Error`](crate::Error).
    #[must_use]
    pub fn reader(&self, answer: Response) -> Reader {
        Reader { client: self.clone(), answer, piece: Bytes::new() }
    }
}

/// Builds requests.
impl Deref for Client {
    type Target = crate::Client;

    fn deref(&self) -> &crate::Client {
        &self.client
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Waiting for its end would be a panic in async code, and its tasks serve nobody now.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// A body that is read while it comes.
#[derive(Debug)]
pub struct Reader {
    client: Client,
    answer: Response,
    piece: Bytes,
}

impl io::Read for Reader {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        while self.piece.is_empty() && !room.is_empty() {
            match self.client.wait(self.answer.chunk()).map_err(io::Error::other)? {
                Some(piece) => self.piece = piece,
                None => return Ok(0),
            }
        }
        let taken = self.piece.len().min(room.len());
        self.piece.copy_to_slice(&mut room[..taken]);
        Ok(taken)
    }
}
