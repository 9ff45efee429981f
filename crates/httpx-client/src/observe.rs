//! Was the connection opened for this attempt, or taken from the pool?
//!
//! A layer around reqwest's connector notes, through the witness's scope, when a connection is asked for and when it has
//! come about. With the layer reqwest copies its connector anew for every request, so it is there only where a rule asks
//! for what it tells.

use std::pin::Pin;
use std::task::{Context, Poll};

use httpx_retry::Connection;
use tower_layer::Layer;
use tower_service::Service;

use crate::witness::{Seen, note};

/// Whether connections are observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Observing {
    /// By [`Observe`].
    Yes,
    /// Nothing is known of them.
    No,
}

impl Observing {
    /// What is known of the connection of an exchange.
    pub(crate) const fn connection(self, seen: Option<Seen>) -> Connection {
        match (self, seen) {
            (Observing::No, _) | (Observing::Yes, None) => Connection::Unknown,
            // Asked for and come about meanwhile, or still being opened when the exchange ended.
            (Observing::Yes, Some(Seen { opened: true, .. } | Seen { opening: true, came_back: true, .. })) => {
                Connection::Fresh
            }
            // Never asked for; or asked for, and then another one came free first.
            (Observing::Yes, Some(_)) => Connection::Reused,
        }
    }
}

/// The layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Observe;

/// A connector that notes what it does.
#[derive(Clone, Debug)]
pub(crate) struct Observed<S>(S);

/// A connect under way.
#[derive(Debug)]
pub(crate) struct Opening<F>(F);

impl<S> Layer<S> for Observe {
    type Service = Observed<S>;

    fn layer(&self, connector: S) -> Observed<S> {
        Observed(connector)
    }
}

impl<S, R> Service<R> for Observed<S>
where
    S: Service<R>,
    S::Future: Unpin,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Opening<S::Future>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(cx)
    }

    fn call(&mut self, target: R) -> Self::Future {
        note(|seen| seen.opening = true);
        Opening(self.0.call(target))
    }
}

impl<F, C, E> Future for Opening<F>
where
    F: Future<Output = Result<C, E>> + Unpin,
{
    type Output = Result<C, E>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let polled = Pin::new(&mut self.0).poll(cx);
        if let Poll::Ready(Ok(_)) = polled {
            note(|seen| seen.opened = true);
        }
        polled
    }
}
