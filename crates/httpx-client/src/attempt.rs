//! One attempt: the caller's request, sent once, redirects followed.

use http::header::{AUTHORIZATION, PROXY_AUTHORIZATION};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Version};
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
    pub(crate) version: Version,
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
/// attempt alone. What most attempts do without is boxed, so that they are not the larger for it.
pub(crate) async fn attempt(
    way: &Way<'_>,
    parts: &Parts,
    range: &[(HeaderName, HeaderValue)],
    limits: &mut Limits,
    span: &Span,
) -> Result<reqwest::Response, Failed> {
    let Way { proxies, max_redirects, .. } = *way;
    // `None` is the caller's own request; it is copied into a hop only when a redirect changes it.
    let mut hop: Option<Box<Hop>> = None;
    let mut followed = 0;
    let mut reached = false;
    let mut visit = way.guard.map(|guard| Box::new(Visit::new(guard)));
    loop {
        if let Some(kind) = limits.passed() {
            return Err(Failed::unsent(kind).once(reached));
        }
        let url = hop.as_ref().map_or(&parts.url, |hop| &hop.url);
        let place = Place { url, at_home: hop.as_ref().is_none_or(|hop| hop.at_home) };
        let shown = match &mut visit {
            Some(visit) => {
                let shown = Box::pin(visit.credentials(place, limits)).await;
                shown.map_err(|overdue| Failed::from(overdue).once(reached))?
            }
            None => None,
        };
        let (head, fault) = way.depart(parts, hop.as_deref(), range, shown, limits, span);
        let came = match head.await {
            Ok(answer) => Came::of(answer, url, way),
            Err(lost) => Err(failed(lost, fault).through(proxies.and_then(|proxies| proxies.of(url)))),
        };
        let beyond = match came {
            Ok(Came::Answer(answer)) => return Ok(answer),
            Ok(Came::Beyond(beyond)) => beyond,
            Err(failed) => return Err(failed.once(reached)),
        };
        reached = true;
        match *beyond {
            Beyond::Refusal(answer) => {
                let Some(visit) = &mut visit else { return Ok(answer) };
                let asked = Box::pin(other_credentials(visit, answer, place, limits)).await;
                let (answer, found) = asked.map_err(|overdue| Failed::from(overdue).once(reached))?;
                // A stream that is gone cannot be sent with them; the next request can.
                if !found || (hop.as_ref().is_none_or(|hop| hop.carries_body) && parts.body.is_gone()) {
                    return Ok(answer);
                }
                Box::pin(exchange::drain(answer, LEFT_BODY_CAP, Instant::now())).await;
            }
            Beyond::Redirect { answer, status, target } => {
                let next = match hop {
                    None => parts.hop(range, proxies),
                    Some(hop) => *hop,
                };
                let next = next.redirected(status, target);
                if next.carries_body && parts.body.is_gone() {
                    return Ok(answer); // The redirect itself is the answer, and the call's story says why.
                }
                if followed == max_redirects {
                    return Err(Failed::redirect(format!("more than {max_redirects} redirects")));
                }
                followed += 1;
                hop = Some(Box::new(next));
                Box::pin(exchange::drain(answer, LEFT_BODY_CAP, Instant::now())).await;
            }
        }
    }
}

impl Way<'_> {
    /// Sends the caller's request, or that of `hop`: what waits for the answer's head, and where a failure of the body would
    /// be found.
    ///
    /// It is built where it is handed over, since a request is large: every hand it passes through copies it.
    #[inline]
    fn depart<'a>(
        &self,
        parts: &Parts,
        hop: Option<&Hop>,
        range: &[(HeaderName, HeaderValue)],
        shown: Option<HeaderValue>,
        limits: &Limits,
        span: &'a Span,
    ) -> (impl Future<Output = Result<reqwest::Response, Lost>> + use<'a>, Option<StreamFault>) {
        let (method, url) = hop.map_or((&parts.method, &parts.url), |hop| (&hop.method, &hop.url));
        let mut request = reqwest::Request::new(method.clone(), url.clone());
        *request.version_mut() = parts.version;
        let headers = request.headers_mut();
        match hop {
            None => parts.fill(headers, range, self.proxies),
            Some(hop) => headers.clone_from(&hop.headers),
        }
        if let Some((field, deadline)) = self.deadline_field.zip(limits.deadline) {
            let left = deadline.saturating_duration_since(Instant::now());
            headers.insert(field.name(), field.value(left));
        }
        if let Some(shown) = shown {
            headers.insert(AUTHORIZATION, shown);
        }
        let exchange = ExchangeId::new();
        let none = Body::empty();
        let carries_body = hop.is_none_or(|hop| hop.carries_body);
        let HandedOut { body, fault } = if carries_body { &parts.body } else { &none }.hand_out(exchange);
        *request.body_mut() = Some(body);
        (exchange::head(self.http, request, exchange, limits, span), fault)
    }
}

/// What the head of an answer asks for.
enum Came {
    /// Nothing more.
    Answer(reqwest::Response),
    Beyond(Box<Beyond>),
}

/// What makes an attempt of more than one exchange.
enum Beyond {
    /// Other credentials are wanted, and there may be some.
    Refusal(reqwest::Response),
    /// The same is to be asked of another URL.
    Redirect { answer: reqwest::Response, status: StatusCode, target: Url },
}

impl Came {
    #[inline]
    fn of(answer: reqwest::Response, url: &Url, way: &Way<'_>) -> Result<Self, Failed> {
        let status = answer.status();
        if is_of_proxy(status, url, way.proxies) {
            return Err(Failed::at_proxy().through(way.proxies.and_then(|proxies| proxies.of(url))));
        }
        if status == StatusCode::UNAUTHORIZED && way.guard.is_some() {
            return Ok(Came::Beyond(Box::new(Beyond::Refusal(answer))));
        }
        if way.max_redirects == 0 {
            return Ok(Came::Answer(answer));
        }
        match direction(status, answer.headers(), url) {
            Direction::Stay => Ok(Came::Answer(answer)),
            Direction::Nowhere(url) => {
                let told = format!("a redirect leads to {}, and not over http or https", redacted(&url));
                Err(Failed::redirect(told))
            }
            Direction::Follow(url) if url.as_str().len() > MAX_URL => {
                let told = format!("a redirect leads to a URL of more than the {MAX_URL} bytes that can be sent");
                Err(Failed::redirect(told))
            }
            Direction::Follow(target) => Ok(Came::Beyond(Box::new(Beyond::Redirect { answer, status, target }))),
        }
    }
}

/// After a 401: the answer itself, and whether there are other credentials now to send the request with.
async fn other_credentials(
    visit: &mut Visit<'_>,
    answer: reqwest::Response,
    place: Place<'_>,
    limits: &mut Limits,
) -> Result<(reqwest::Response, bool), Overdue> {
    let found = visit.has_others(&answer, place, limits).await?;
    Ok((answer, found))
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
fn is_of_proxy(status: StatusCode, here: &Url, proxies: Option<&Proxies>) -> bool {
    status == StatusCode::PROXY_AUTHENTICATION_REQUIRED
        && here.scheme() != "https"
        && proxies.and_then(|proxies| proxies.of(here)).is_some()
}

/// How many fields reqwest and hyper add; with room for them the map never grows.
const FIELDS_ADDED: usize = 3;

impl Parts {
    pub(crate) fn has(&self, name: &HeaderName) -> bool {
        self.headers.iter().any(|(known, _)| known == name)
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
