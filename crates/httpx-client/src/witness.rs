//! Was the request ever handed to a connection?
//!
//! Each attempt's body is a [`Witness`], and the client polls and drops reqwest's future only within a [`Scope`], which
//! notes in a thread-local that this thread is now inside that attempt. A body that is dropped there, and was never
//! asked for anything, never left the client's own future: no connection ever owned it, so nothing was sent. In every
//! other case a connection had it, and the server may have it too.
//!
//! It asks who *owned* the body. Ownership moves only inside our own poll, so there is no window between asking and
//! acting; a flag set when the body is first polled has one, and so has a flag in the connector.

use std::cell::Cell;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};

/// Names one exchange; never used twice in a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ExchangeId(u64);

impl ExchangeId {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        ExchangeId(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// What was seen while a thread was inside an exchange.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Its witness came back, untouched.
    pub(crate) came_back: bool,
    /// A connection was asked for, there being none in the pool.
    pub(crate) opening: bool,
    /// That connection came about.
    pub(crate) opened: bool,
}

impl std::ops::BitOrAssign for Seen {
    fn bitor_assign(&mut self, more: Seen) {
        self.came_back |= more.came_back;
        self.opening |= more.opening;
        self.opened |= more.opened;
    }
}

/// What this thread is inside of.
#[derive(Clone, Copy)]
struct Inside {
    exchange: Option<ExchangeId>,
    seen: Seen,
}

thread_local! {
    static INSIDE: Cell<Inside> =
        const { Cell::new(Inside { exchange: None, seen: Seen { came_back: false, opening: false, opened: false } }) };
}

/// Notes something about the exchange that this thread is inside of, if it is inside of one.
pub(crate) fn note(what: impl FnOnce(&mut Seen)) {
    let mut inside = INSIDE.get();
    what(&mut inside.seen);
    INSIDE.set(inside);
}

/// While it lives, this thread is inside an exchange. Also when a poll panics, the outer one is back after it.
#[must_use = "a scope that is dropped at once has seen nothing"]
pub(crate) struct Scope {
    outer: Inside,
}

impl Scope {
    #[inline]
    pub(crate) fn enter(exchange: ExchangeId) -> Self {
        Scope { outer: INSIDE.replace(Inside { exchange: Some(exchange), seen: Seen::default() }) }
    }

    /// Leaves it, and tells what was seen meanwhile.
    #[inline]
    pub(crate) fn leave(self) -> Seen {
        INSIDE.get().seen
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        INSIDE.set(self.outer);
    }
}

/// A request body that notices who drops it.
#[derive(Debug)]
pub(crate) struct Witness<B> {
    body: B,
    exchange: ExchangeId,
    /// Only a connection asks a body for anything but its size.
    touched: AtomicBool,
}

impl<B> Witness<B> {
    pub(crate) const fn new(body: B, exchange: ExchangeId) -> Self {
        Witness { body, exchange, touched: AtomicBool::new(false) }
    }
}

impl<B> Body for Witness<B>
where
    B: Body<Data = Bytes> + Unpin,
{
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        *self.touched.get_mut() = true;
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.touched.store(true, Ordering::Relaxed);
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl<B> Drop for Witness<B> {
    fn drop(&mut self) {
        if INSIDE.get().exchange == Some(self.exchange) && !*self.touched.get_mut() {
            note(|seen| seen.came_back = true);
        }
    }
}
