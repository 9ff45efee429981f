//! Reading a whole body.

use bytes::{Bytes, BytesMut};
use httpx_retry::Sent;

use crate::attempt::Failed;
use crate::classify;
use crate::exchange::chunk;
use crate::limits::Limits;

/// The most room that is reserved on the word of a `Content-Length`, which may lie.
const RESERVE_CAP: usize = 2 * 1024 * 1024;

/// Reads the body to its end, with room reserved once where its length is told.
pub(crate) async fn collect(answer: &mut reqwest::Response, limits: &Limits) -> Result<Bytes, Failed> {
    let told = answer.content_length().and_then(|length| usize::try_from(length).ok()).unwrap_or(0);
    let Some(first) = next(answer, limits, 0).await? else { return Ok(Bytes::new()) };
    if first.len() == told {
        // The usual small answer: one piece, no copy. The end is read too, so that the connection is free again.
        return match next(answer, limits, first.len()).await? {
            None => Ok(first),
            Some(more) => join(answer, limits, first, more).await,
        };
    }
    let mut whole = BytesMut::with_capacity(told.min(RESERVE_CAP).max(first.len()));
    whole.extend_from_slice(&first);
    rest(answer, limits, whole).await
}

async fn join(answer: &mut reqwest::Response, limits: &Limits, first: Bytes, more: Bytes) -> Result<Bytes, Failed> {
    let mut whole = BytesMut::from(first);
    whole.extend_from_slice(&more);
    rest(answer, limits, whole).await
}

async fn rest(answer: &mut reqwest::Response, limits: &Limits, mut whole: BytesMut) -> Result<Bytes, Failed> {
    while let Some(piece) = next(answer, limits, whole.len()).await? {
        whole.extend_from_slice(&piece);
    }
    Ok(whole.freeze())
}

/// The next piece of the body, `received` bytes after its start.
pub(crate) async fn next(
    answer: &mut reqwest::Response,
    limits: &Limits,
    received: usize,
) -> Result<Option<Bytes>, Failed> {
    chunk(answer, limits).await.map_err(|cause| Failed {
        failure: classify::broken_body(&cause),
        sent: Sent::Maybe,
        seen: None,
        received: received as u64,
        proxy: None,
        source: cause.into_source(),
    })
}
