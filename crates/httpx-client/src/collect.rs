//! Reading a whole body.

use std::mem;
use std::sync::LazyLock;

use bytes::{Bytes, BytesMut};
use http::{Method, StatusCode, Version};
use http_body::Body as _;
use httpx_retry::FailureKind;
use reqwest::ResponseBuilderExt as _;

use crate::classify;
use crate::exchange::chunk;
use crate::failed::Failed;
use crate::limits::Limits;

/// The most room that is reserved on the word of a `Content-Length`, which may lie.
const RESERVE_CAP: usize = 2 * 1024 * 1024;

/// Reads what is left of the body after `received` bytes, with room reserved once where its length is told.
///
/// `asked` is the method of the request: what answers a HEAD has a length and no body. A body that is longer than it may be
/// is read no further than that shows; whoever is given it asks [`Limits::hold`].
pub(crate) async fn collect(
    answer: &mut reqwest::Response,
    asked: &Method,
    limits: &Limits,
    received: u64,
) -> Result<Bytes, Failed> {
    let told = answer.content_length().and_then(|length| usize::try_from(length).ok()).unwrap_or(0);
    let Some(first) = next(answer, asked, limits, received).await? else { return Ok(Bytes::new()) };
    if limits.hold(first.len()).is_err() {
        return Ok(first);
    }
    // The end is read too, so that the connection is free again.
    let second = next(answer, asked, limits, received + first.len() as u64).await?;
    let Some(second) = second else { return Ok(first) }; // The usual small answer: one piece, no copy.
    let mut whole = BytesMut::with_capacity(told.min(RESERVE_CAP).max(first.len() + second.len()));
    for piece in [first, second] {
        // Let go at once: what holds no piece is read into again.
        whole.extend_from_slice(&piece);
    }
    while limits.hold(whole.len()).is_ok()
        && let Some(piece) = next(answer, asked, limits, received + whole.len() as u64).await?
    {
        whole.extend_from_slice(&piece);
    }
    Ok(whole.freeze())
}

/// The next piece of the body, `received` bytes after its start; `None` at its end.
///
/// Over HTTP/2 a server that resets a stream with `NO_ERROR` ends the body as if it were whole (hyper 1.12.0
/// `body/incoming.rs`: 194-198): one that told its length is held to it, and one that did not must have said that this is
/// the end.
pub(crate) async fn next(
    answer: &mut reqwest::Response,
    asked: &Method,
    limits: &Limits,
    received: u64,
) -> Result<Option<Bytes>, Failed> {
    match chunk(answer, limits).await {
        Ok(None) if is_cut(answer, asked) || !is_ended(answer) => Err(Failed::body(FailureKind::Truncated, received)),
        Ok(piece) => Ok(piece),
        Err(cause) => Err(Failed {
            failure: classify::broken_body(&cause),
            source: cause.into_source(),
            ..Failed::body(FailureKind::Truncated, received)
        }),
    }
}

/// Is there an end before all that was told has come?
fn is_cut(answer: &reqwest::Response, asked: &Method) -> bool {
    // The length that is told goes down with what comes.
    length(answer, asked).is_some_and(|left| left > 0)
}

/// How much of the body is still to come, where that is told. An answer without a body may tell a length all the same
/// (RFC 9110 §8.6).
pub(crate) fn length(answer: &reqwest::Response, asked: &Method) -> Option<u64> {
    let bodiless =
        *asked == Method::HEAD || matches!(answer.status(), StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED);
    answer.content_length().filter(|_| !bodiless)
}

/// Did the server itself end a body over HTTP/2 whose length it did not tell?
fn is_ended(answer: &mut reqwest::Response) -> bool {
    if answer.version() != Version::HTTP_2 || answer.content_length().is_some() || *DECODES {
        return true;
    }
    // The body alone knows, and reqwest lends it to nobody: it is taken out and asked, and leaves an empty one behind.
    let url = http::Response::builder().url(answer.url().clone()).body(()).expect("nothing of it can be wrong");
    let taken = mem::replace(answer, http::Response::new(reqwest::Body::default()).into());
    let (mut parts, body) = http::Response::<reqwest::Body>::from(taken).into_parts();
    parts.extensions.extend(url.into_parts().0.extensions);
    *answer = http::Response::from_parts(parts, reqwest::Body::default()).into();
    body.is_end_stream()
}

/// Whether reqwest was built to decode bodies: then they no longer tell whether the server ended them. A feature that some
/// other crate may switch on, and that reqwest tells of nowhere but in its `Debug` text (reqwest 0.13.5
/// `async_impl/client.rs`: 113).
static DECODES: LazyLock<bool> =
    LazyLock::new(|| !format!("{:?}", reqwest::Client::builder()).contains("accepts: Accepts,"));
