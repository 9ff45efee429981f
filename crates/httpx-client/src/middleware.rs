//! The same policies for clients of reqwest-middleware.

use std::time::Duration;

use http::{Extensions, HeaderMap, Method};
use httpx_retry::repeat::{Call, Came, Repeat};
use httpx_retry::{Failure, FailureKind, Idempotency, Phase, Policy, Request, Sent};
use reqwest_middleware::{Error, Middleware, Next, Result};
use tokio::time::Instant;
use tracing::Span;
use url::Url;

use crate::body::{Body, BoxError};
use crate::classify;
use crate::error::{ErrorKind, redacted};
use crate::exchange::{Cause, Lost, Watched, end_of, left_of, wait_until};
use crate::witness::{ExchangeId, Scope};

/// Sends the requests of a `reqwest_middleware` client again where a policy says so, by the same knowledge of what was
/// sent as a [`Client`](crate::Client).
///
/// ```
/// use httpx_client::RetryMiddleware;
/// use httpx_client::httpx_retry::Policy;
/// use httpx_client::reqwest::{self, retry};
///
/// # drop(httpx_client::Client::new()); // Chooses the cryptography.
/// // Two retriers would multiply.
/// let reqwest = reqwest::Client::builder().retry(retry::never()).build()?;
/// let client = reqwest_middleware::ClientBuilder::new(reqwest)
///     .with(RetryMiddleware::new(Policy::default()))
///     .build();
/// # Ok::<(), reqwest::Error>(())
/// ```
///
/// Middlewares added before it see a call once, those added after it see every attempt. Those must pass on the request
/// that they are given: what becomes of a copy is not known here. A body that is not in memory is a stream, and sent once.
///
/// All calls share a retry budget. The policy's deadline bounds the waits; how long an attempt may take is the timeout of
/// the request. An answer counts when its head has come: its body is read by the caller.
#[derive(Debug)]
pub struct RetryMiddleware(Repeat);

impl RetryMiddleware {
    /// Under `policy`.
    #[must_use]
    pub fn new(policy: Policy) -> Self {
        RetryMiddleware(Repeat::new(policy))
    }
}

#[async_trait::async_trait]
impl Middleware for RetryMiddleware {
    async fn handle(
        &self,
        request: reqwest::Request,
        extensions: &mut Extensions,
        next: Next<'_>,
    ) -> Result<reqwest::Response> {
        self.0.run(Passing::new(request, extensions, next)).await.map_err(|failed| failed.error)
    }
}

/// A request on its way through the middlewares that come after.
struct Passing<'a> {
    method: Method,
    url: Url,
    headers: HeaderMap,
    body: Body,
    timeout: Option<Duration>,
    extensions: &'a mut Extensions,
    next: Next<'a>,
}

/// An attempt without an answer.
struct Failed {
    failure: Failure,
    sent: Sent,
    error: Error,
}

impl<'a> Passing<'a> {
    fn new(mut request: reqwest::Request, extensions: &'a mut Extensions, next: Next<'a>) -> Self {
        let body = request.body_mut().take().map(Body::from).unwrap_or_default();
        Passing {
            method: request.method().clone(),
            url: request.url().clone(),
            headers: std::mem::take(request.headers_mut()),
            body,
            timeout: request.timeout().copied(),
            extensions,
            next,
        }
    }
}

impl Call for Passing<'_> {
    type Answer = reqwest::Response;
    type Error = Failed;

    fn request(&self) -> Request<'_> {
        Request {
            method: &self.method,
            url: self.url.as_str(),
            idempotency: Idempotency::of(self.headers.keys()),
            replay: self.body.replay(),
            timeout: self.timeout,
        }
    }

    async fn send(&mut self) -> std::result::Result<reqwest::Response, Failed> {
        let exchange = ExchangeId::new();
        let mut request = reqwest::Request::new(self.method.clone(), self.url.clone());
        request.headers_mut().clone_from(&self.headers);
        *request.timeout_mut() = self.timeout;
        let handed_out = self.body.hand_out(exchange);
        *request.body_mut() = Some(handed_out.body);
        let (next, extensions) = (self.next.clone(), &mut *self.extensions);
        let (scope, span) = (Scope::enter(exchange), Span::none());
        let future = next.run(request, extensions);
        let seen = scope.leave();
        let answer = Watched::new(future, seen, exchange, None, &span).await;
        answer.map_err(|lost| self.failed(lost, handed_out.fault.and_then(|fault| fault.take())))
    }

    fn came<'b>(&self, ended: &'b std::result::Result<reqwest::Response, Failed>) -> Came<'b> {
        match ended {
            Ok(answer) => Came::Answer(answer.status(), answer.headers()),
            Err(failed) => Came::Failure(failed.failure, failed.sent),
        }
    }

    async fn wait(&mut self, ended: std::result::Result<reqwest::Response, Failed>, wait: Duration) {
        wait_until(end_of(Instant::now(), wait), left_of(ended)).await;
    }
}

impl Passing<'_> {
    /// What a lost exchange amounts to.
    fn failed(&self, lost: Lost<Error>, of_body: Option<BoxError>) -> Failed {
        let Lost { cause, seen } = lost;
        match of_body.map_or(cause, Cause::RequestBody) {
            Cause::Error(Error::Reqwest(error)) => {
                let (failure, sent) = classify::failed(&error, seen);
                // What may be told of the URL alone; it is one as before.
                let error = match redacted(&self.url).parse() {
                    Ok(url) => error.with_url(url),
                    Err(_) => error.without_url(),
                };
                Failed { failure, sent, error: Error::Reqwest(error) }
            }
            // Another middleware's word is no matter of the network.
            Cause::Error(error @ Error::Middleware(_)) => {
                let failure = Failure { kind: FailureKind::Builder, phase: Phase::Answer };
                Failed { failure, sent: Sent::Maybe, error }
            }
            Cause::Elapsed(kind) => self.told(kind, None),
            Cause::RequestBody(source) => self.told(FailureKind::RequestBody, Some(source)),
        }
    }

    /// A failure that neither reqwest nor another middleware has an error for.
    fn told(&self, kind: FailureKind, source: Option<BoxError>) -> Failed {
        let failure = Failure { kind, phase: Phase::Answer };
        let error =
            crate::error::Error::new(ErrorKind::Failure(kind), failure.phase, Sent::Maybe, &self.method, &self.url);
        let error = source.into_iter().fold(error, crate::error::Error::with_source);
        Failed { failure, sent: Sent::Maybe, error: Error::middleware(error) }
    }
}
