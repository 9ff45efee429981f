//! A request as it arrived.

use bytes::{Bytes, BytesMut};

/// How many bytes of a request's body are kept; longer bodies are counted in full.
pub const BODY_KEPT: usize = 64 * 1024;

/// A request as the journal keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Request {
    /// Its place in the journal, counted from 1 in the order in which reading ended.
    pub number: u64,
    /// The connection it came on, counted from 1.
    pub connection: u64,
    /// The method, as sent.
    pub method: String,
    /// The request target, as sent: path and query.
    pub path: String,
    /// The header lines in their order, names in lower case. The authority of HTTP/2 stands as `host`.
    pub headers: Vec<(String, String)>,
    /// The first [`BODY_KEPT`] bytes of the body.
    pub body: Bytes,
    /// How many bytes of the body arrived.
    pub body_length: u64,
    /// Whether the whole body arrived; otherwise the peer left, or the server did not care to read it.
    pub complete: bool,
    /// Whether the server acted on it: it was complete and its fault [applies](crate::Fault::applies).
    pub applied: bool,
}

impl Request {
    /// A request of which only the head is known yet.
    pub(crate) fn new(connection: u64, method: String, path: String, headers: Vec<(String, String)>) -> Self {
        Self {
            number: 0,
            connection,
            method,
            path,
            headers,
            body: Bytes::new(),
            body_length: 0,
            complete: false,
            applied: false,
        }
    }

    /// The value of the first header line with this lower-case name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(line, _)| line == name).map(|(_, value)| value.as_str())
    }

    /// The values of all header lines with this lower-case name.
    pub fn header_lines<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> + 'a {
        self.headers.iter().filter(move |(line, _)| line == name).map(|(_, value)| value.as_str())
    }

    /// Which operation this is, whatever the number of the try: its `x-operation` header, else method and path.
    pub fn key(&self) -> String {
        match self.header("x-operation") {
            Some(operation) => operation.to_owned(),
            None => format!("{} {}", self.method, self.path),
        }
    }
}

/// A body on its way in.
#[derive(Debug, Default)]
pub(crate) struct Incoming {
    kept: BytesMut,
    length: u64,
    complete: bool,
}

impl Incoming {
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        let room = BODY_KEPT - self.kept.len();
        self.kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.length += bytes.len() as u64;
    }

    pub(crate) fn finish(&mut self) {
        self.complete = true;
    }

    /// Moves the body into its request.
    pub(crate) fn store(self, request: &mut Request) {
        request.body = self.kept.freeze();
        request.body_length = self.length;
        request.complete = self.complete;
    }
}
