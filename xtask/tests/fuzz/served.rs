//! A server that answers every request with the bytes of the case at hand.

use std::future::Future;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use httpx_faults::{Answer, Fault, Script, Server};
use tokio::runtime::Runtime;

/// What the case changes in a file that is real.
const PIECES: &[&str] = &[
    "null",
    "true",
    "0",
    "-1",
    "1e999",
    "18446744073709551616",
    "\"",
    "\\u0000",
    "\\ud800",
    "[",
    "]",
    "{",
    "}",
    ":",
    ",",
    "\n",
    "[[[[[[[[",
    "\"v\":9,",
    "\"vers\":\"1.0.0+x\"",
    "\"1.0.0-0.0\"",
    "\"99999999999999999999.0.0\"",
    "\u{feff}",
    "é",
];

/// The server, and the runtime that it and its client live on.
pub(crate) struct Served {
    runtime: Runtime,
    server: Server,
    body: Arc<Mutex<Bytes>>,
}

impl Served {
    /// Answers with the body of the case, but what is asked for at `fixed.0` with `fixed.1`.
    pub(crate) fn new(fixed: (&'static str, &'static str)) -> Self {
        let runtime = Runtime::new().unwrap();
        let body = Arc::new(Mutex::new(Bytes::new()));
        let told = body.clone();
        let script = Script::by_request(move |request| {
            let (path, text) = fixed;
            let body = if request.path.ends_with(path) { Bytes::from(text) } else { told.lock().unwrap().clone() };
            Fault::from(Answer::status(200).body(body))
        });
        let server = runtime.block_on(Server::start(script)).unwrap();
        Served { runtime, server, body }
    }

    pub(crate) fn url(&self) -> String {
        self.server.url()
    }

    /// What comes of a question while the server answers with `body`.
    pub(crate) fn ask<T>(&self, body: Vec<u8>, question: impl Future<Output = T>) -> T {
        *self.body.lock().unwrap() = body.into();
        self.runtime.block_on(question)
    }
}

/// `text` with an edit for every three numbers: where, what, and for how many bytes; or cut off.
pub(crate) fn edited(text: &str, numbers: &[u8]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for edit in numbers.chunks_exact(3) {
        let [place, what, length] = [edit[0], edit[1], edit[2]].map(usize::from);
        let at = (place * 256 + length) % (bytes.len() + 1);
        let end = (at + length % 24).min(bytes.len());
        match what {
            0 => bytes.truncate(at),
            1..=9 => _ = bytes.drain(at..end),
            10..=19 => drop(bytes.splice(at..at, bytes[at..end].to_vec()).collect::<Vec<_>>()),
            20..=29 => drop(bytes.splice(at..at, [what as u8 * 8]).collect::<Vec<_>>()),
            piece => {
                let piece = PIECES[piece % PIECES.len()].bytes();
                drop(bytes.splice(at..end, piece).collect::<Vec<_>>());
            }
        }
    }
    bytes
}

/// One line, for people.
#[track_caller]
pub(crate) fn is_one_line(error: &dyn std::error::Error) {
    assert_eq!(error.to_string().lines().count(), 1, "{error}");
}
