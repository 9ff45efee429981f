//! One attempt: the caller's request, sent once, redirects followed.

use http::header::AUTHORIZATION;
use http::{HeaderName, HeaderValue, StatusCode};
use tokio::time::Instant;
use tracing::Span;
use url::Url;

use crate::auth::{Place, Visit};
use crate::body::{Body, HandedOut, StreamFault};
use crate::call::Call;
use crate::error::redacted;
use crate::exchange::{self, Lost};
use crate::failed::{Ending, Failed};
use crate::limits::Limits;
use crate::redirect::{Direction, Hop, direction};
use crate::shared::Shared;
use crate::target::MAX_URL;
use crate::witness::ExchangeId;

/// Sends the request and follows redirects, until there is an answer that is not one.
///
/// Each attempt starts again at the caller's URL: the target of a redirect may have expired. `range` are fields of this
/// attempt alone.
pub(crate) fn attempt<'a>(
    call: &'a Call,
    range: &'a [(HeaderName, HeaderValue)],
    limits: &'a mut Limits,
    span: &'a Span,
) -> impl Future<Output = Result<reqwest::Response, Failed>> + use<'a> {
    let visit = call.guard().map(|guard| Box::new(Visit::new(guard)));
    let mut trip = Trip { call, range, limits, span, hop: None, followed: 0, reached: false, visit };
    async move {
        loop {
            trip.in_time()?;
            // What most attempts do without is boxed, so that they are not the larger for it.
            let shown = match trip.visit {
                Some(_) => Box::pin(trip.credentials()).await?,
                None => None,
            };
            let (head, fault) = trip.depart(shown);
            // An answer that is not handed out is not kept here either while the attempt goes on.
            let going_on = {
                let answer = match head.await {
                    Ok(answer) => answer,
                    Err(lost) => return Err(trip.lost(lost, fault)),
                };
                match trip.asks_for(&answer)? {
                    None => return Ok(answer),
                    Some(beyond) => Box::pin(trip.go_on(answer, *beyond)),
                }
            };
            if let Some(answer) = going_on.await? {
                return Ok(answer);
            }
        }
    }
}

/// An attempt on its way: usually one exchange, and more of them after a redirect or with other credentials.
struct Trip<'a> {
    call: &'a Call,
    range: &'a [(HeaderName, HeaderValue)],
    limits: &'a mut Limits,
    span: &'a Span,
    /// `None` is the caller's own request; it is copied into a hop only when a redirect changes it.
    hop: Option<Box<Hop>>,
    followed: u32,
    reached: bool,
    visit: Option<Box<Visit<'a>>>,
}

impl<'a> Trip<'a> {
    fn url(&self) -> &Url {
        self.hop.as_ref().map_or(&self.call.parts.url, |hop| &hop.url)
    }

    /// Does the next request have a body, which was a stream and is gone?
    fn lacks_body(&self) -> bool {
        self.hop.as_ref().is_none_or(|hop| hop.carries_body) && self.call.parts.body.is_gone()
    }

    /// Once a limit has passed nothing more is done for it, credentials included.
    fn in_time(&self) -> Result<(), Failed> {
        match self.limits.passed() {
            None => Ok(()),
            Some(kind) => Err(Failed::unsent(kind).once(self.reached)),
        }
    }

    /// The `Authorization` that the next request is to have.
    async fn credentials(&mut self) -> Result<Option<HeaderValue>, Failed> {
        let place = place(self.call, self.hop.as_deref());
        let Some(visit) = &mut self.visit else { return Ok(None) };
        visit.credentials(place, self.limits).await.map_err(|overdue| Failed::from(overdue).once(self.reached))
    }

    /// Sends the caller's request, or that of the hop: what waits for the answer's head, and where a failure of the body
    /// would be found.
    ///
    /// It is built where it is handed over, since a request is large: every hand it passes through copies it. Apart, so that a
    /// profile tells what the building costs.
    #[inline(never)]
    fn depart(
        &self,
        shown: Option<HeaderValue>,
    ) -> (impl Future<Output = Result<reqwest::Response, Lost>> + use<'a>, Option<StreamFault>) {
        let Trip { call, range, span, .. } = *self;
        let Call { shared, parts, .. } = call;
        let hop = self.hop.as_deref();
        let method = hop.map_or(&parts.method, |hop| &hop.method);
        let mut request = reqwest::Request::new(method.clone(), self.url().clone());
        *request.version_mut() = parts.version;
        let headers = request.headers_mut();
        match hop {
            None => parts.fill(headers, range, shared.proxies.as_ref()),
            Some(hop) => headers.clone_from(&hop.headers),
        }
        if let Some((field, deadline)) = call.policy().deadline_field().zip(self.limits.deadline) {
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
        (exchange::head(&shared.http, request, exchange, self.limits, span), fault)
    }

    /// What an exchange that brought no answer means.
    #[cold]
    fn lost(&self, lost: Lost, fault: Option<StreamFault>) -> Failed {
        Failed::of(lost, fault).through(self.call.shared.proxy_of(self.url())).once(self.reached)
    }

    /// What the head of an answer asks for, when it is not the one to hand out.
    fn asks_for(&self, answer: &reqwest::Response) -> Result<Option<Box<Beyond>>, Failed> {
        let (status, url, Call { shared, .. }) = (answer.status(), self.url(), self.call);
        let failed = |failed: Failed| Err(failed.once(self.reached));
        if is_of_proxy(status, url, shared) {
            return failed(Failed::at_proxy().through(shared.proxy_of(url)));
        }
        if status == StatusCode::UNAUTHORIZED && self.visit.is_some() {
            return Ok(Some(Box::new(Beyond::Refusal)));
        }
        if shared.max_redirects == 0 {
            return Ok(None);
        }
        match direction(status, answer.headers(), url) {
            Direction::Stay => Ok(None),
            Direction::Nowhere(url) => {
                let told = format!("a redirect leads to {}, and not over http or https", redacted(&url));
                failed(Failed::redirect(told))
            }
            Direction::Follow(url) if url.as_str().len() > MAX_URL => {
                let told = format!("a redirect leads to a URL of more than the {MAX_URL} bytes that can be sent");
                failed(Failed::redirect(told))
            }
            Direction::Follow(target) => Ok(Some(Box::new(Beyond::Redirect(target)))),
        }
    }

    /// Makes ready for one more exchange; the answer is there when none can follow it.
    async fn go_on(
        &mut self,
        mut answer: reqwest::Response,
        beyond: Beyond,
    ) -> Result<Option<reqwest::Response>, Failed> {
        self.reached = true;
        let Call { shared, parts, .. } = self.call;
        match beyond {
            Beyond::Refusal => {
                let place = place(self.call, self.hop.as_deref());
                let Some(visit) = &mut self.visit else { return Ok(Some(answer)) };
                let found = visit.has_others(&answer, place, self.limits).await;
                let found = found.map_err(|overdue| Failed::from(overdue).once(true))?;
                // A stream that is gone cannot be sent with them; the next request can.
                if !found || self.lacks_body() {
                    return Ok(Some(answer));
                }
            }
            Beyond::Redirect(target) => {
                let next = match self.hop.take() {
                    None => parts.hop(self.range, shared.proxies.as_ref()),
                    Some(hop) => *hop,
                };
                let next = next.redirected(answer.status(), target);
                if next.carries_body && parts.body.is_gone() {
                    return Ok(Some(answer)); // The redirect itself is the answer, and the call's story says why.
                }
                if self.followed == shared.max_redirects {
                    return Err(Failed::redirect(format!("more than {} redirects", shared.max_redirects)));
                }
                self.followed += 1;
                self.hop = Some(Box::new(next));
            }
        }
        exchange::read_ready(&mut answer, LEFT_BODY_CAP);
        Ok(None)
    }
}

/// Where the next request goes.
fn place<'b>(call: &'b Call, hop: Option<&'b Hop>) -> Place<'b> {
    hop.map_or(Place { url: &call.parts.url, at_home: true }, |hop| Place { url: &hop.url, at_home: hop.at_home })
}

/// What makes an attempt of more than one exchange.
enum Beyond {
    /// Other credentials are wanted, and there may be some.
    Refusal,
    /// The same is to be asked of another URL.
    Redirect(Url),
}

/// How much of a body that nobody wants is read, if it is there already, to keep the connection.
const LEFT_BODY_CAP: usize = 16 * 1024;

/// A 407 is the word of the proxy that the request came no further (RFC 9110 §15.5.8).
///
/// For `https` it comes as a failure to connect, the answer to CONNECT.
fn is_of_proxy(status: StatusCode, here: &Url, shared: &Shared) -> bool {
    status == StatusCode::PROXY_AUTHENTICATION_REQUIRED && here.scheme() != "https" && shared.proxy_of(here).is_some()
}

/// An attempt when it is its turn; its timeout begins then.
pub(crate) async fn in_turn(
    call: &Call,
    range: &[(HeaderName, HeaderValue)],
    limits: &mut Limits,
    span: &Span,
) -> Ending {
    let rates = &call.shared.rates;
    if rates.turn(&call.parts.url, limits.deadline).await.is_err() {
        return Err(Failed::too_late("the server throttles, and the call's turn comes after its deadline"));
    }
    limits.attempt = call.timeout().and_then(|timeout| Instant::now().checked_add(timeout));
    let end = attempt(call, range, limits, span).await;
    rates.ended(&call.parts.url, end.as_ref().is_ok_and(|answer| call.policy().is_throttled(answer.status())));
    end
}
