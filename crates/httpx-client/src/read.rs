//! How much of an answer belongs to the attempt that brought it.

use bytes::Bytes;
use http::{HeaderName, HeaderValue, Method};

use crate::collect::collect;
use crate::failed::Ending;
use crate::limits::Limits;
use crate::sink::Sink;

/// How much of the answer belongs to the attempt.
#[derive(Debug)]
pub(crate) enum Read<'a> {
    /// Its head; the caller reads the body.
    Head,
    /// All of it, into memory, so that a body that breaks off is a failed attempt.
    Body(&'a mut Bytes),
    /// All of it, into a file; the next attempt goes on from where this one broke off.
    #[cfg_attr(not(feature = "download"), expect(dead_code, reason = "only a download has a sink"))]
    Into(&'a mut Sink),
}

impl Read<'_> {
    pub(crate) const fn wants_body(&self) -> bool {
        match self {
            Read::Head => false,
            Read::Body(_) | Read::Into(_) => true,
        }
    }

    /// Asks for the part of the body that is missing.
    pub(crate) fn range(&mut self) -> &[(HeaderName, HeaderValue)] {
        match self {
            Read::Head | Read::Body(_) => &[],
            Read::Into(sink) => sink.range(),
        }
    }

    /// Is this the answer to a range that has to be asked for as a whole?
    pub(crate) fn starts_over(&mut self, end: &Ending) -> bool {
        match (self, end) {
            (Read::Into(sink), Ok(answer)) => sink.starts_over(answer),
            (Read::Head | Read::Body(_) | Read::Into(_), _) => false,
        }
    }
}

/// Reads the body of an answer; one that breaks off makes it a failure.
///
/// `asked` is the method of the request.
pub(crate) async fn with_body(end: Ending, asked: &Method, read: &mut Read<'_>, limits: &Limits) -> Ending {
    let mut answer = end?;
    match read {
        Read::Head => {}
        Read::Body(into) => **into = collect(&mut answer, asked, limits, 0).await?,
        Read::Into(sink) => sink.fill(&mut answer, limits).await?,
    }
    Ok(answer)
}
