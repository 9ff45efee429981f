//! One attempt: the caller's request, sent once, redirects followed.

use http::header::PROXY_AUTHORIZATION;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use httpx_retry::{DeadlineField, Failure, FailureKind, Phase, Sent};
use smallvec::SmallVec;
use tokio::time::Instant;
use tracing::Span;
use url::Url;

use crate::auth::{Found, Guard, Overdue, Place, Visit};
use crate::body::{Body, BoxError, HandedOut, StreamFault};
use crate::classify;
use crate::error::{Error, ErrorKind, redacted};
use crate::exchange::{self, Cause, Lost};
use crate::limits::Limits;
use crate::proxies::Proxies;
use crate::proxy::Proxy;
use crate::redirect::{Direction, Hop, direction};
use crate::target::MAX_URL;
use crate::trace::Attempts;
use crate::witness::{ExchangeId, Seen};

/// Header fields in the order they were given; few requests have more than fit in place.
pub(crate) type Fields = SmallVec<[(HeaderName, HeaderValue); 4]>;

/// What every attempt is built from. Kept apart from any `reqwest::Request`, which costs more to clone than to build.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) method: Method,
    pub(crate) url: Url,
    pub(crate) headers: Fields,
    pub(crate) body: Body,
    /// What its calls have found out about credentials.
    pub(crate) found: Found,
}

/// An attempt that brought no answer, or half of one.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) failure: Failure,
    pub(crate) sent: Sent,
    /// What was seen of its last exchange, when that is what failed.
    pub(crate) seen: Option<Seen>,
    /// Bytes of the answer's body that had come.
    pub(crate) received: u64,
    /// The proxy that it went through, without secrets.
    pub(crate) proxy: Option<String>,
    pub(crate) source: Option<BoxError>,
}

/// What every attempt of a call goes by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way<'a> {
    pub(crate) http: &'a reqwest::Client,
    pub(crate) proxies: Option<&'a Proxies>,
    pub(crate) guard: Option<Guard<'a>>,
    pub(crate) max_redirects: u32,
    pub(crate) deadline_field: Option<DeadlineField>,
}

/// Sends the request and follows redirects, until there is an answer that is not one.
///
/// Each attempt starts again at the caller's URL: the target of a redirect may have expired. `range` are fields of this
/// attempt alone.
pub(crate) async fn attempt(
    way: Way<'_>,
    parts: &Parts,
    range: &[(HeaderName, HeaderValue)],
    limits: &mut Limits,
    span: &Span,
) -> Result<reqwest::Response, Failed> {
    let Way { http, proxies, guard, max_redirects, deadline_field } = way;
    // `None` is the caller's own request; it is copied into a hop only when a redirect changes it.
    let mut hop: Option<Hop> = None;
    let mut followed = 0;
    let mut reached = false;
    let mut visit = guard.map(Visit::new);
    loop {
        if let Some(kind) = limits.passed() {
            return Err(Failed::unsent(kind).once(reached));
        }
        let exchange = ExchangeId::new();
        let carries_body = hop.as_ref().is_none_or(|hop| hop.carries_body);
        let mut request = match &hop {
            None => parts.request(range, proxies),
            Some(hop) => hop.request(),
        };
        if let Some((field, deadline)) = deadline_field.zip(limits.deadline) {
            let left = deadline.saturating_duration_since(Instant::now());
            request.headers_mut().insert(field.name(), field.value(left));
        }
        let url = hop.as_ref().map_or(&parts.url, |hop| &hop.url);
        let place = Place { url, at_home: hop.as_ref().is_none_or(|hop| hop.at_home) };
        if let Some(visit) = &mut visit {
            let put = visit.authorize(request.headers_mut(), place, limits);
            put.await.map_err(|overdue| Failed::from(overdue).once(reached))?;
        }
        let none = Body::empty();
        let HandedOut { body, fault } = if carries_body { &parts.body } else { &none }.hand_out(exchange);
        *request.body_mut() = Some(body);
        // Matched where it stands: an answer is large, and every hand it passes through copies it.
        let told = |failed: Failed| Err(failed.through(proxies.and_then(|proxies| proxies.of(url))).once(reached));
        let answer = match exchange::head(http, request, exchange, limits, span).await {
            Ok(answer) if !is_of_proxy(&answer, url, proxies) => answer,
            Ok(_) => return told(Failed::at_proxy()),
            Err(lost) => return told(failed(lost, fault)),
        };
        reached = true;
        if let Some(visit) = &mut visit {
            let others = visit.has_others(&answer, place, limits);
            let has_others = others.await.map_err(|overdue| Failed::from(overdue).once(reached))?;
            // A stream that is gone cannot be sent with them; the next request can.
            if has_others && !(carries_body && parts.body.is_gone()) {
                exchange::drain(answer, LEFT_BODY_CAP, Instant::now()).await;
                continue;
            }
        }
        if max_redirects == 0 {
            return Ok(answer);
        }
        let target = match direction(answer.status(), answer.headers(), url) {
            Direction::Stay => return Ok(answer),
            Direction::Nowhere(url) => {
                let told = format!("a redirect leads to {}, and not over http or https", redacted(&url));
                return Err(Failed::redirect(told));
            }
            Direction::Follow(url) if url.as_str().len() > MAX_URL => {
                let told = format!("a redirect leads to a URL of more than the {MAX_URL} bytes that can be sent");
                return Err(Failed::redirect(told));
            }
            Direction::Follow(url) => url,
        };
        let next = hop.unwrap_or_else(|| parts.hop(range, proxies)).redirected(answer.status(), target);
        if next.carries_body && parts.body.is_gone() {
            return Ok(answer); // The redirect itself is the answer, and the call's story says why.
        }
        if followed == max_redirects {
            return Err(Failed::redirect(format!("more than {max_redirects} redirects")));
        }
        followed += 1;
        hop = Some(next);
        exchange::drain(answer, LEFT_BODY_CAP, Instant::now()).await;
    }
}

/// How much of a body that nobody wants is read, if it is there already, to keep the connection.
const LEFT_BODY_CAP: usize = 16 * 1024;

/// What an exchange that brought no answer means for the attempt.
fn failed(lost: Lost, fault: Option<StreamFault>) -> Failed {
    let lost = match fault.and_then(|fault| fault.take()) {
        Some(error) => Lost { cause: Cause::RequestBody(error), ..lost },
        None => lost,
    };
    let (failure, sent) = classify::lost(&lost);
    Failed { failure, sent, seen: Some(lost.seen), received: 0, proxy: None, source: lost.cause.into_source() }
}

/// A 407 is the word of the proxy that the request came no further (RFC 9110 §15.5.8).
///
/// For `https` it comes as a failure to connect, the answer to CONNECT.
fn is_of_proxy(answer: &reqwest::Response, here: &Url, proxies: Option<&Proxies>) -> bool {
    answer.status() == StatusCode::PROXY_AUTHENTICATION_REQUIRED
        && here.scheme() != "https"
        && proxies.and_then(|proxies| proxies.of(here)).is_some()
}

/// How many fields reqwest and hyper add; with room for them the map never grows.
const FIELDS_ADDED: usize = 3;

impl Parts {
    pub(crate) fn has(&self, name: &HeaderName) -> bool {
        self.headers.iter().any(|(known, _)| known == name)
    }

    fn request(&self, range: &[(HeaderName, HeaderValue)], proxies: Option<&Proxies>) -> reqwest::Request {
        let mut request = reqwest::Request::new(self.method.clone(), self.url.clone());
        self.fill(request.headers_mut(), range, proxies);
        request
    }

    fn hop(&self, range: &[(HeaderName, HeaderValue)], proxies: Option<&Proxies>) -> Hop {
        let mut headers = HeaderMap::new();
        self.fill(&mut headers, range, proxies);
        Hop { method: self.method.clone(), url: self.url.clone(), headers, carries_body: true, at_home: true }
    }

    fn fill(&self, map: &mut HeaderMap, range: &[(HeaderName, HeaderValue)], proxies: Option<&Proxies>) {
        map.reserve(self.headers.len() + range.len() + FIELDS_ADDED);
        for (name, value) in &self.headers {
            if *name == PROXY_AUTHORIZATION && !self.is_handed_to_proxy(proxies) {
                tracing::warn!(
                    "the field Proxy-Authorization is left out: no proxy would take it, and the server would see it"
                );
                continue;
            }
            map.append(name, value.clone());
        }
        for (name, value) in range {
            map.append(name, value.clone());
        }
    }

    /// Does a proxy get the request itself, to take out what is meant for it (RFC 9110 §11.7.2)? Through a tunnel it goes
    /// on to the server as it is.
    fn is_handed_to_proxy(&self, proxies: Option<&Proxies>) -> bool {
        self.url.scheme() == "http" && proxies.and_then(|proxies| proxies.of(&self.url)).is_some()
    }
}

impl Hop {
    fn request(&self) -> reqwest::Request {
        let mut request = reqwest::Request::new(self.method.clone(), self.url.clone());
        request.headers_mut().clone_from(&self.headers);
        request
    }
}

impl Failed {
    /// The error of a call that ended with it.
    pub(crate) fn into_error(self, method: &Method, url: &Url, attempts: Attempts) -> Error {
        let kind = ErrorKind::Failure(self.failure.kind);
        let error = Error::new(kind, self.failure.phase, self.sent, method, url)
            .with_received(self.received)
            .with_proxy(self.proxy)
            .with_attempts(attempts);
        match self.source {
            Some(source) => error.with_source(source),
            None => error,
        }
    }

    /// Nothing is known of it but this.
    pub(crate) const fn new(kind: FailureKind, phase: Phase, sent: Sent) -> Self {
        Failed { failure: Failure { kind, phase }, sent, seen: None, received: 0, proxy: None, source: None }
    }

    /// A limit has elapsed before anything could be sent.
    const fn unsent(kind: FailureKind) -> Self {
        Failed::new(kind, Phase::Prepare, Sent::No)
    }

    /// The deadline leaves no time to send anything.
    pub(crate) fn too_late(why: &'static str) -> Self {
        Failed { source: Some(why.into()), ..Failed::unsent(FailureKind::Deadline) }
    }

    const fn at_proxy() -> Self {
        Failed::new(FailureKind::ProxyAuthentication, Phase::Answer, Sent::NotProcessed)
    }

    fn redirect(told: String) -> Self {
        let source = Some(told.into());
        Failed { source, ..Failed::new(FailureKind::Redirect, Phase::Answer, Sent::Maybe) }
    }

    /// The same, once a server has seen an earlier request of the attempt. A connection that the attempt itself has used
    /// before is not what a rule calls reused.
    fn once(self, reached: bool) -> Self {
        if reached { Failed { sent: Sent::Maybe, seen: None, ..self } } else { self }
    }

    fn through(self, proxy: Option<&Proxy>) -> Self {
        Failed { proxy: proxy.map(Proxy::to_string), ..self }
    }
}

impl From<Overdue> for Failed {
    /// The deadline passed while the attempt waited for credentials.
    fn from(_: Overdue) -> Self {
        Failed::too_late("the call was waiting for credentials")
    }
}
