//! An answer, with the story of how it came.

use std::fmt;

use bytes::Bytes;
use http::{HeaderMap, Method, StatusCode, Version};
use httpx_retry::{Phase, Sent};
use url::Url;

use crate::body::Body;
use crate::collect::{collect, next};
use crate::error::{Error, ErrorKind, redacted};
use crate::failed::Failed;
use crate::limits::TooLarge;
use crate::run::Sending;
use crate::text::text;
use crate::trace::Attempts;

/// An answer whose body is `B`: [`Streaming`] from `send`, or what was fetched.
pub struct Response<B = Streaming> {
    answer: reqwest::Response,
    body: B,
    /// The call it is the answer to, its story, and what bounds what is still to be read. Kept where it is, so that an
    /// answer is small.
    sending: Box<Sending>,
}

/// A body that has not been read yet. The attempt's timeout, the read timeout and the deadline go on bounding it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Streaming;

impl<B> Response<B> {
    pub(crate) fn new(answer: reqwest::Response, body: B, mut sending: Box<Sending>) -> Self {
        // Nobody sends it again.
        sending.call.parts.body = Body::empty();
        Response { answer, body, sending }
    }

    /// The same answer with another body.
    pub(crate) fn with_body<C>(self, body: C) -> Response<C> {
        let Response { answer, sending, .. } = self;
        Response { answer, body, sending }
    }

    const fn method(&self) -> &Method {
        &self.sending.call.parts.method
    }

    /// Its status.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.answer.status()
    }

    /// Its header fields.
    #[must_use]
    pub fn headers(&self) -> &HeaderMap {
        self.answer.headers()
    }

    /// Its version of HTTP.
    #[must_use]
    pub fn version(&self) -> Version {
        self.answer.version()
    }

    /// The URL it came from, after redirects.
    #[must_use]
    pub fn url(&self) -> &Url {
        self.answer.url()
    }

    /// Every attempt it took.
    #[must_use]
    pub fn attempts(&self) -> &Attempts {
        self.sending.attempts()
    }

    /// Itself when the status is below 400, else an error that names it.
    ///
    /// # Errors
    /// [`ErrorKind::Status`].
    pub fn error_for_status(self) -> Result<Self, Error> {
        let status = self.status();
        if !status.is_client_error() && !status.is_server_error() {
            return Ok(self);
        }
        Err(self.into_error(ErrorKind::Status(status), Phase::Answer))
    }

    #[cold]
    pub(crate) fn too_large(&self, too_large: TooLarge) -> Error {
        Error::new(ErrorKind::TooLarge, Phase::Body, Sent::Maybe, self.method(), self.answer.url())
            .with_attempts(self.attempts().clone())
            .with_source(too_large)
    }

    pub(crate) fn into_error(self, kind: ErrorKind, phase: Phase) -> Error {
        Error::new(kind, phase, Sent::Maybe, self.method(), self.answer.url()).with_attempts(self.attempts().clone())
    }
}

impl<B> Response<B> {
    /// What was fetched.
    pub const fn body(&self) -> &B {
        &self.body
    }

    /// What was fetched, by value.
    pub fn into_body(self) -> B {
        self.body
    }
}

impl Response {
    /// The length of the body, when it is told.
    #[must_use]
    pub fn content_length(&self) -> Option<u64> {
        self.answer.content_length()
    }

    /// The next piece of the body; `None` at its end. A body that breaks off is not fetched again: its pieces have
    /// been handed out.
    ///
    /// # Errors
    /// When it broke off or a limit elapsed, with the bytes received so far.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, Error> {
        let (call, run) = self.sending.parted();
        match next(&mut self.answer, &call.parts.method, &run.limits, run.received).await {
            Ok(piece) => {
                run.received += piece.as_ref().map_or(0, |piece| piece.len() as u64);
                Ok(piece)
            }
            Err(failed) => Err(self.broken(failed)),
        }
    }

    /// The rest of the body. Not retried: [`fetch_bytes`](crate::RequestBuilder::fetch_bytes) is.
    ///
    /// # Errors
    /// As [`Response::chunk`]; [`ErrorKind::TooLarge`] when it is longer than [`max_body`](crate::Config::max_body).
    pub async fn bytes(mut self) -> Result<Bytes, Error> {
        self.rest().await
    }

    /// The rest of the body as text. Not retried: [`fetch_text`](crate::RequestBuilder::fetch_text) is.
    ///
    /// # Errors
    /// As [`Response::bytes`].
    pub async fn text(mut self) -> Result<String, Error> {
        let body = self.rest().await?;
        Ok(text(self.answer.headers(), &body))
    }

    async fn rest(&mut self) -> Result<Bytes, Error> {
        let (call, run) = self.sending.parted();
        match collect(&mut self.answer, &call.parts.method, &run.limits, run.received).await {
            Ok(body) => match run.limits.hold(body.len()) {
                Ok(()) => Ok(body),
                Err(too_large) => Err(self.too_large(too_large)),
            },
            Err(failed) => Err(self.broken(failed)),
        }
    }

    fn broken(&mut self, failed: Failed) -> Error {
        let (call, run) = self.sending.parted();
        let attempts = run.attempts.clone().broken_off(failed.failure, run.since.elapsed());
        failed.into_error(&call.parts.method, self.answer.url(), attempts)
    }
}

impl Response<Bytes> {
    /// Itself, unless its body has become longer than it may be.
    pub(crate) fn held(mut self) -> Result<Self, Error> {
        let (_, run) = self.sending.parted();
        match run.limits.hold(self.body.len()) {
            Ok(()) => Ok(self),
            Err(too_large) => Err(self.too_large(too_large)),
        }
    }
}

impl<B> fmt::Debug for Response<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Header values and bodies may be secrets.
        f.debug_struct("Response")
            .field("status", &self.status())
            .field("url", &redacted(self.url()))
            .field("attempts", self.attempts())
            .finish_non_exhaustive()
    }
}

pub(crate) fn decode_text(response: Response<Bytes>) -> Response<String> {
    let body = text(response.headers(), &response.body);
    response.with_body(body)
}
