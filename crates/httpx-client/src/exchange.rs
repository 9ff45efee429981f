//! One request to one server: sent under the witness, bounded by our own timers.

use std::future::poll_fn;
use std::pin::pin;
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use httpx_retry::FailureKind;
use tokio::time::{Instant, sleep_until};
use tracing::Span;

use crate::body::BoxError;
use crate::limits::Limits;
use crate::witness::{ExchangeId, Scope, Seen};

/// Why an exchange brought no answer head, or no more body.
#[derive(Debug)]
pub(crate) enum Cause<E = reqwest::Error> {
    /// reqwest said so.
    Error(E),
    /// One of our limits elapsed.
    Elapsed(FailureKind),
    /// The caller's own body failed.
    RequestBody(BoxError),
}

impl Cause {
    /// What may stand in an error's chain: reqwest's errors print the whole URL unless told not to.
    pub(crate) fn into_source(self) -> Option<BoxError> {
        match self {
            Cause::Error(error) => Some(error.without_url().into()),
            Cause::Elapsed(_) => None,
            Cause::RequestBody(error) => Some(error),
        }
    }
}

/// An exchange that ended without an answer head.
#[derive(Debug)]
pub(crate) struct Lost<E = reqwest::Error> {
    pub(crate) cause: Cause<E>,
    pub(crate) seen: Seen,
}

/// Sends `request` and waits for the head of its answer.
///
/// The request is handed to reqwest before there is a future that would carry it along.
pub(crate) fn head<'a>(
    http: &reqwest::Client,
    request: reqwest::Request,
    exchange: ExchangeId,
    limits: &Limits,
    span: &'a Span,
) -> impl Future<Output = Result<reqwest::Response, Lost>> + use<'a> {
    let scope = Scope::enter(exchange);
    let future = http.execute(request);
    let seen = scope.leave();
    watched(future, seen, exchange, limits.first(), span)
}

/// Waits for `future`, which brings the head of an answer, under the witness and until one of our limits elapses.
///
/// `seen` is what was seen while it was made.
pub(crate) async fn watched<F, E>(
    future: F,
    mut seen: Seen,
    exchange: ExchangeId,
    limit: Option<(Instant, FailureKind)>,
    span: &Span,
) -> Result<reqwest::Response, Lost<E>>
where
    F: Future<Output = Result<reqwest::Response, E>>,
{
    let mut pending = pin!(Some(future));
    let mut timer = pin!(limit.map(|(at, _)| sleep_until(at)));
    let ended = poll_fn(|cx| {
        let _entered = span.enter();
        // Asked before the timer: an answer that is there counts, however late we come to look.
        let future = pending.as_mut().as_pin_mut().expect("taken only after this future is done");
        let scope = Scope::enter(exchange);
        let polled = future.poll(cx);
        seen |= scope.leave();
        if let Poll::Ready(answer) = polled {
            return Poll::Ready(answer.map_err(Cause::Error));
        }
        match (timer.as_mut().as_pin_mut(), limit) {
            (Some(timer), Some((_, kind))) => timer.poll(cx).map(|()| Err(Cause::Elapsed(kind))),
            (None, _) | (_, None) => Poll::Pending,
        }
    })
    .await;
    ended.map_err(|cause| {
        let scope = Scope::enter(exchange);
        pending.set(None);
        seen |= scope.leave();
        Lost { cause, seen }
    })
}

/// The next piece of the body; `None` at its end.
///
/// The clock is looked at first: a body that always has more to give would never let the timer speak.
pub(crate) async fn chunk(answer: &mut reqwest::Response, limits: &Limits) -> Result<Option<Bytes>, Cause> {
    let Some((at, kind)) = limits.first() else { return answer.chunk().await.map_err(Cause::Error) };
    if at <= Instant::now() {
        return Err(Cause::Elapsed(kind));
    }
    let mut next = pin!(answer.chunk());
    let mut timer = pin!(sleep_until(at));
    poll_fn(|cx| match next.as_mut().poll(cx) {
        Poll::Ready(piece) => Poll::Ready(piece.map_err(Cause::Error)),
        Poll::Pending => timer.as_mut().poll(cx).map(|()| Err(Cause::Elapsed(kind))),
    })
    .await
}

/// How much of a failed answer is read while waiting, to keep its connection.
const DRAIN_CAP: usize = 64 * 1024;

/// What tokio takes for "never": a wait that no `Instant` can hold.
const FAR: Duration = Duration::from_secs(30 * 365 * 24 * 60 * 60);

/// When a `wait` from `now` on ends.
pub(crate) fn end_of(now: Instant, wait: Duration) -> Instant {
    now.checked_add(wait).unwrap_or_else(|| now + FAR)
}

/// Waits, and meanwhile reads what is left of a failed answer.
pub(crate) async fn wait_until<E>(until: Instant, ended: Result<reqwest::Response, E>) {
    if let Ok(answer) = ended {
        drain(answer, DRAIN_CAP, until).await;
    }
    sleep_until(until).await;
}

/// Reads what is left of a failed answer so that its connection can be used again, while the call waits anyway.
///
/// Ends when the body does, after `cap` bytes, or at `until`, whichever comes first; what is there already is read even
/// when there is no wait.
pub(crate) async fn drain(mut answer: reqwest::Response, cap: usize, until: Instant) {
    let mut timer = pin!(sleep_until(until));
    let mut read = 0;
    while read < cap {
        let mut next = pin!(answer.chunk());
        let piece = poll_fn(|cx| match next.as_mut().poll(cx) {
            Poll::Ready(Ok(Some(piece))) => Poll::Ready(Some(piece)),
            Poll::Ready(Ok(None) | Err(_)) => Poll::Ready(None),
            Poll::Pending => timer.as_mut().poll(cx).map(|()| None),
        });
        match piece.await {
            Some(piece) => read += piece.len(),
            None => return,
        }
    }
}
