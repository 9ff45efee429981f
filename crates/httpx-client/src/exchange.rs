//! One request to one server: sent under the witness, bounded by our own timers.

use std::future::poll_fn;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use httpx_retry::FailureKind;
use pin_project_lite::pin_project;
use tokio::time::{Instant, Sleep, sleep_until};
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
#[inline]
pub(crate) fn head<'a>(
    http: &reqwest::Client,
    request: reqwest::Request,
    exchange: ExchangeId,
    limits: &Limits,
    span: &'a Span,
) -> impl Future<Output = Result<reqwest::Response, Lost>> + use<'a> {
    let scope = Scope::enter(exchange);
    let future = http.execute(request);
    Watched::new(future, scope.leave(), exchange, limits.first(), span)
}

/// Waits for a future that brings the head of an answer, under the witness and until one of our limits elapses.
#[derive(Debug)]
pub(crate) struct Watched<'a, F> {
    /// Taken when it has failed: what it drops then is seen, too.
    pending: Option<F>,
    exchange: ExchangeId,
    seen: Seen,
    /// Boxed, as in reqwest: most exchanges have none.
    timer: Option<(Pin<Box<Sleep>>, FailureKind)>,
    span: &'a Span,
}

impl<'a, F> Watched<'a, F> {
    /// `seen` is what was seen while `future` was made.
    pub(crate) fn new(
        future: F,
        seen: Seen,
        exchange: ExchangeId,
        limit: Option<(Instant, FailureKind)>,
        span: &'a Span,
    ) -> Self {
        let timer = limit.map(|(at, kind)| (Box::pin(sleep_until(at)), kind));
        Watched { pending: Some(future), exchange, seen, timer, span }
    }
}

impl<F, E> Future for Watched<'_, F>
where
    F: Future<Output = Result<reqwest::Response, E>> + Unpin,
{
    type Output = Result<reqwest::Response, Lost<E>>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let Watched { pending, exchange, seen, timer, span } = &mut *self;
        let _entered = span.enter();
        let future = pending.as_mut().expect("taken only when this future is done");
        // Asked before the timer: an answer that is there counts, however late we come to look.
        let scope = Scope::enter(*exchange);
        let polled = Pin::new(future).poll(cx);
        *seen |= scope.leave();
        let cause = match polled {
            Poll::Ready(Ok(answer)) => return Poll::Ready(Ok(answer)),
            Poll::Ready(Err(error)) => Cause::Error(error),
            Poll::Pending => match timer {
                Some((timer, kind)) => {
                    ready!(timer.as_mut().poll(cx));
                    Cause::Elapsed(*kind)
                }
                None => return Poll::Pending,
            },
        };
        let scope = Scope::enter(*exchange);
        *pending = None;
        *seen |= scope.leave();
        Poll::Ready(Err(Lost { cause, seen: *seen }))
    }
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

/// What reads the rest of a failed answer so that its connection can be used again, while the call waits anyway; `None` when
/// there is no more to read.
///
/// What is there already is read at once, as the rest of most answers is, and when there is no wait. Else the answer is
/// boxed, and gone as soon as it is read: a call that waits is kept small, since many may.
pub(crate) fn left_of<E>(ended: Result<reqwest::Response, E>) -> Option<BoxFuture<'static, ()>> {
    let mut answer = ended.ok()?;
    let mut room = read_ready(&mut answer, DRAIN_CAP)?;
    Some(Box::pin(async move {
        while room > 0
            && let Ok(Some(piece)) = answer.chunk().await
        {
            room = room.saturating_sub(piece.len());
        }
    }))
}

/// Reads what is there already of a body that nobody wants; how much of `cap` is left when there may be more to come.
pub(crate) fn read_ready(answer: &mut reqwest::Response, cap: usize) -> Option<usize> {
    let mut room = cap;
    while room > 0 {
        match answer.chunk().now_or_never() {
            Some(Ok(Some(piece))) => room = room.saturating_sub(piece.len()),
            Some(Ok(None) | Err(_)) => return None,
            None => return Some(room),
        }
    }
    None
}

/// Waits until `until`, and meanwhile for what is `left` to be read, by one timer.
pub(crate) fn wait_until(until: Instant, left: Option<BoxFuture<'static, ()>>) -> Waiting {
    Waiting { left, timer: sleep_until(until) }
}

pin_project! {
    /// A wait.
    pub(crate) struct Waiting {
        left: Option<BoxFuture<'static, ()>>,
        #[pin]
        timer: Sleep,
    }
}

impl Future for Waiting {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let this = self.project();
        if let Some(left) = this.left
            && left.as_mut().poll(cx).is_ready()
        {
            *this.left = None;
        }
        this.timer.poll(cx)
    }
}
