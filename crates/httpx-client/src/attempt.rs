//! One attempt: the caller's request, sent once, redirects followed.

use http::{HeaderMap, HeaderName, HeaderValue, Method};
use httpx_retry::{Failure, FailureKind, Phase, Sent};
use tokio::time::Instant;
use tracing::Span;
use url::Url;

use crate::body::{Body, BoxError, HandedOut};
use crate::classify;
use crate::exchange::{self, Cause, Lost};
use crate::limits::Limits;
use crate::redirect::{Direction, Hop, direction};
use crate::witness::ExchangeId;

/// What every attempt is built from. Kept apart from any `reqwest::Request`, which costs more to clone than to build.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    pub(crate) body: Body,
}

/// An attempt that brought no answer, or half of one.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) failure: Failure,
    pub(crate) sent: Sent,
    /// Bytes of the answer's body that had come.
    pub(crate) received: u64,
    pub(crate) source: Option<BoxError>,
}

/// Sends the request and follows redirects, until there is an answer that is not one.
///
/// Each attempt starts again at the caller's URL: the target of a redirect may have expired.
pub(crate) async fn attempt(
    http: &reqwest::Client,
    parts: &mut Parts,
    max_redirects: u32,
    limits: &Limits,
    span: &Span,
) -> Result<reqwest::Response, Failed> {
    // `None` is the caller's own request; it is copied into a hop only when a redirect changes it.
    let mut hop: Option<Hop> = None;
    let mut followed = 0;
    loop {
        let answer = match &hop {
            None => exchange_with(http, parts.request(), &mut parts.body, limits, span).await?,
            Some(hop) => {
                let mut none = Body::empty();
                let body = if hop.carries_body { &mut parts.body } else { &mut none };
                exchange_with(http, hop.request(), body, limits, span).await.map_err(Failed::after_redirect)?
            }
        };
        if max_redirects == 0 {
            return Ok(answer);
        }
        let here = hop.as_ref().map_or(&parts.url, |hop| &hop.url);
        let target = match direction(answer.status(), answer.headers(), here) {
            Direction::Stay => return Ok(answer),
            Direction::Nowhere(url) => {
                return Err(Failed::redirect(format!("a redirect leads to the scheme {:?}", url.scheme())));
            }
            Direction::Follow(url) => url,
        };
        let next = hop.unwrap_or_else(|| parts.hop()).redirected(answer.status(), target);
        if next.carries_body && parts.body.is_gone() {
            return Ok(answer); // The redirect itself is the answer.
        }
        if followed == max_redirects {
            return Err(Failed::redirect(format!("more than {max_redirects} redirects")));
        }
        followed += 1;
        hop = Some(next);
        exchange::drain(answer, REDIRECT_BODY_CAP, Instant::now()).await;
    }
}

/// How much of a redirect's body is read, if it is there already, to keep the connection.
const REDIRECT_BODY_CAP: usize = 16 * 1024;

async fn exchange_with(
    http: &reqwest::Client,
    mut request: reqwest::Request,
    body: &mut Body,
    limits: &Limits,
    span: &Span,
) -> Result<reqwest::Response, Failed> {
    let exchange = ExchangeId::new();
    let HandedOut { body, fault } = body.hand_out(exchange);
    *request.body_mut() = Some(body);
    exchange::head(http, request, exchange, limits, span).await.map_err(|lost| {
        let lost = match fault.and_then(|fault| fault.take()) {
            Some(error) => Lost { cause: Cause::RequestBody(error), ..lost },
            None => lost,
        };
        let (failure, sent) = classify::lost(&lost);
        Failed { failure, sent, received: 0, source: lost.cause.into_source() }
    })
}

impl Parts {
    fn request(&self) -> reqwest::Request {
        build(&self.method, &self.url, self.headers.iter().cloned().collect())
    }

    fn hop(&self) -> Hop {
        let headers = self.headers.iter().cloned().collect();
        Hop { method: self.method.clone(), url: self.url.clone(), headers, carries_body: true }
    }
}

impl Hop {
    fn request(&self) -> reqwest::Request {
        build(&self.method, &self.url, self.headers.clone())
    }
}

/// The version stays as it is, HTTP/1.1, or 2 by ALPN: over HTTP/3 the witness would prove nothing.
fn build(method: &Method, url: &Url, headers: HeaderMap) -> reqwest::Request {
    let mut request = reqwest::Request::new(method.clone(), url.clone());
    *request.headers_mut() = headers;
    request
}

impl Failed {
    fn redirect(told: String) -> Self {
        let failure = Failure { kind: FailureKind::Redirect, phase: Phase::Answer };
        Failed { failure, sent: Sent::Maybe, received: 0, source: Some(told.into()) }
    }

    /// An earlier hop of this attempt did reach a server.
    fn after_redirect(self) -> Self {
        Failed { sent: Sent::Maybe, ..self }
    }
}
