//! A layer for any HTTP service.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use tower_layer::Layer;
use tower_service::Service;

use crate::repeat::{Call, Came, Repeat};
use crate::{Failure, Idempotency, Policy, Replay, Request, Sent};

/// Sends the requests of an HTTP service again where a policy says so.
///
/// The service is asked with a clone of the request, so its body has to be one that can be cloned. What an error of the
/// service means only its author knows: `classify` tells, and says [`Sent::No`] of what was provably not sent and
/// [`Sent::Maybe`] of everything else.
///
/// ```
/// use std::io;
/// use httpx_retry::{Failure, FailureKind, Phase, Policy, RetryLayer, Sent};
///
/// let layer = RetryLayer::new(Policy::default(), |error: &io::Error| match error.kind() {
///     io::ErrorKind::ConnectionRefused => {
///         (Failure { kind: FailureKind::Refused, phase: Phase::Connect }, Sent::No)
///     }
///     io::ErrorKind::TimedOut => {
///         (Failure { kind: FailureKind::RequestTimeout, phase: Phase::Answer }, Sent::Maybe)
///     }
///     _ => (Failure { kind: FailureKind::Io, phase: Phase::Answer }, Sent::Maybe),
/// });
/// # let _ = layer;
/// ```
///
/// All services made by one layer share a retry budget. The policy's deadline bounds the waits; how long a send may take
/// is for a timeout layer below this one.
#[derive(Clone)]
pub struct RetryLayer<C> {
    repeat: Arc<Repeat>,
    classify: C,
}

impl<C> RetryLayer<C> {
    /// Under `policy`, with `classify` to say what an error of the service is and whether the request was sent.
    pub fn new(policy: Policy, classify: C) -> Self {
        RetryLayer { repeat: Arc::new(Repeat::new(policy)), classify }
    }
}

impl<C> fmt::Debug for RetryLayer<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RetryLayer").field("repeat", &self.repeat).finish_non_exhaustive()
    }
}

impl<S, C: Clone> Layer<S> for RetryLayer<C> {
    type Service = Retry<S, C>;

    fn layer(&self, inner: S) -> Retry<S, C> {
        Retry { inner, layer: self.clone() }
    }
}

/// The service that a [`RetryLayer`] makes.
#[derive(Clone, Debug)]
pub struct Retry<S, C> {
    inner: S,
    layer: RetryLayer<C>,
}

impl<S, C, B, R> Service<http::Request<B>> for Retry<S, C>
where
    S: Service<http::Request<B>, Response = http::Response<R>> + Clone + Send + 'static,
    S::Future: Send,
    S::Error: Send,
    C: Fn(&S::Error) -> (Failure, Sent) + Clone + Send + Sync + 'static,
    B: Clone + Send + Sync + 'static,
    R: Send + Sync + 'static,
    S::Error: Sync + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, request: http::Request<B>) -> Self::Future {
        // The one that is ready is used first; a clone takes its place.
        let clone = self.inner.clone();
        let service = std::mem::replace(&mut self.inner, clone);
        let RetryLayer { repeat, classify } = self.layer.clone();
        let sending = Sending { url: request.uri().to_string(), request, service, is_ready: true, classify };
        Box::pin(async move { repeat.run(sending).await })
    }
}

/// A request on its way through a service.
struct Sending<S, C, B> {
    url: String,
    request: http::Request<B>,
    service: S,
    is_ready: bool,
    classify: C,
}

impl<S, C, B, R> Call for Sending<S, C, B>
where
    S: Service<http::Request<B>, Response = http::Response<R>> + Send,
    S::Future: Send,
    S::Error: Send,
    C: Fn(&S::Error) -> (Failure, Sent) + Send,
    B: Clone + Send + Sync,
    R: Send,
{
    type Answer = http::Response<R>;
    type Error = S::Error;

    fn request(&self) -> Request<'_> {
        Request {
            method: self.request.method(),
            url: &self.url,
            idempotency: Idempotency::of(self.request.headers().keys()),
            replay: Replay::Possible,
            timeout: None,
        }
    }

    async fn send(&mut self) -> Result<Self::Answer, Self::Error> {
        if !std::mem::take(&mut self.is_ready) {
            poll_fn(|cx| self.service.poll_ready(cx)).await?;
        }
        self.service.call(self.request.clone()).await
    }

    fn came<'a>(&self, ended: &'a Result<Self::Answer, Self::Error>) -> Came<'a> {
        match ended {
            Ok(answer) => Came::Answer(answer.status(), answer.headers()),
            Err(error) => {
                let (failure, sent) = (self.classify)(error);
                Came::Failure(failure, sent)
            }
        }
    }

    async fn wait(&mut self, ended: Result<Self::Answer, Self::Error>, wait: Duration) {
        drop(ended);
        tokio::time::sleep(wait).await;
    }
}
