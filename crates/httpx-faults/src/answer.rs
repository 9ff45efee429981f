//! What an HTTP answer of the server consists of, and how it is spoilt on its way out.

use std::time::Duration;

use bytes::Bytes;

use crate::end::End;

/// One answer: status, header lines, body, and the manner in which they are sent.
///
/// Nothing is checked: an answer may be as wrong as a test needs it to be. It turns into a [`Fault`](crate::Fault)
/// wherever one is expected.
#[derive(Debug, Clone)]
#[must_use]
pub struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Bytes,
    pub(crate) trailers: Vec<(String, String)>,
    pub(crate) framing: Framing,
    pub(crate) delay: Duration,
    pub(crate) drip: Option<Duration>,
    pub(crate) cut: Option<Cut>,
    /// Whether the journal keeps the request that it answers.
    pub(crate) recorded: bool,
}

/// How the end of the body is made known over HTTP/1.1 (RFC 9112 §6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    ContentLength,
    Chunked,
}

/// After how many body bytes the answer breaks off, and how.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cut {
    pub(crate) sent: usize,
    pub(crate) end: End,
}

impl Answer {
    /// An empty answer with this status.
    pub fn status(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: Bytes::new(),
            trailers: Vec::new(),
            framing: Framing::ContentLength,
            delay: Duration::ZERO,
            drip: None,
            cut: None,
            recorded: true,
        }
    }

    /// `200` with the body `ok`.
    pub fn ok() -> Self {
        Self::status(200).body("ok")
    }

    /// Adds a header line; equal names are sent as several lines.
    ///
    /// A `content-length` of your own replaces the true one.
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Adds a `Retry-After` line, written as given (RFC 9110 §10.2.3).
    pub fn retry_after(self, value: impl Into<String>) -> Self {
        self.header("retry-after", value)
    }

    /// Sets the body.
    pub fn body(mut self, body: impl Into<Bytes>) -> Self {
        self.body = body.into();
        self
    }

    /// Adds a line after the body (RFC 9110 §6.5): over HTTP/2, and over HTTP/1.1 in a chunked answer.
    pub fn trailer(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.trailers.push((name.into(), value.into()));
        self
    }

    /// Sends the body in chunks; HTTP/2 has none and drops only the `content-length` line.
    pub fn chunked(mut self) -> Self {
        self.framing = Framing::Chunked;
        self
    }

    /// Announces the body by its length. This is how an answer starts out.
    pub fn content_length(mut self) -> Self {
        self.framing = Framing::ContentLength;
        self
    }

    /// Waits before the first byte of the answer.
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Sends the body byte by byte with `pause` before each.
    pub fn drip(mut self, pause: Duration) -> Self {
        self.drip = Some(pause);
        self
    }

    /// Breaks off after `sent` bytes of the body, and ends the connection by `end`.
    ///
    /// The head still announces the whole body. A chunked body is cut within a chunk, unless it drips.
    pub fn cut(mut self, sent: usize, end: End) -> Self {
        self.cut = Some(Cut { sent, end });
        self
    }

    /// Leaves no trace in the journal.
    pub(crate) fn unrecorded(mut self) -> Self {
        self.recorded = false;
        self
    }

    /// How many bytes of the body are sent.
    pub(crate) fn sent(&self) -> usize {
        self.cut.map_or(self.body.len(), |cut| cut.sent.min(self.body.len()))
    }

    /// Whether an answer to `method` ends with its head (RFC 9112 §6.3, rule 1).
    pub(crate) fn ends_with_head(&self, method: &str) -> bool {
        method == "HEAD" || matches!(self.status, 100..200 | 204 | 304)
    }

    /// The length to announce, unless the answer brings its own or is chunked.
    pub(crate) fn announced_length(&self) -> Option<usize> {
        let own = self.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-length"));
        let no_body = matches!(self.status, 100..200 | 204 | 304);
        (self.framing == Framing::ContentLength && !own && !no_body).then_some(self.body.len())
    }
}
