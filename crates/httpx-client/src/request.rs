//! Building a request, as with reqwest.

mod adopted;
#[cfg(feature = "json")]
mod json;
#[cfg(feature = "auth")]
mod session;
mod who;

use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;

use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Version};
use httpx_retry::{FailureKind, Idempotency, Policy, Rule};

use crate::auth::Found;
use crate::body::Body;
use crate::call::{Call, Overrides};
use crate::config::Limit;
use crate::error::{Error, redacted, shortened};
use crate::parts::{Fields, Parts};
use crate::read::Read;
use crate::response::{Response, Streaming, decode_text};
use crate::run::Sending;
use crate::send::send;
use crate::shared::Shared;
use crate::target::{IntoUrl, MAX_URL};

/// A request to be sent.
///
/// Mistakes in it (a bad URL, header or JSON value) are kept and reported when it is sent.
#[must_use = "nothing is sent until you call send or one of the fetch methods"]
pub struct RequestBuilder {
    /// Boxed, since a builder is moved by each of its methods. The first mistake takes the place of the call.
    sending: Result<Box<Sending>, Error>,
}

impl RequestBuilder {
    pub(crate) fn new(shared: Arc<Shared>, method: Method, url: impl IntoUrl) -> Self {
        let mut url = match url.into_url(&method) {
            Ok(url) => url,
            Err(mistake) => return RequestBuilder { sending: Err(mistake) },
        };
        let user = who::user_of(&mut url);
        let parts = Parts {
            method,
            url,
            headers: Fields::new(),
            body: Body::empty(),
            version: Version::default(),
            found: Found::default(),
        };
        let call = Call { shared, parts, idempotency: Idempotency::Method, overrides: None };
        // Written where it stays: it is too large to be moved there.
        let sending = Box::write(Box::new_uninit(), Sending { call, run: None });
        let request = RequestBuilder { sending: Ok(sending) };
        match user {
            None => request,
            Some(credentials) => request.credentials(credentials),
        }
    }

    /// Adds a header field; several of one name are all sent, but of `Authorization` only the last.
    pub fn header<N, V>(self, name: N, value: V) -> Self
    where
        N: TryInto<HeaderName>,
        N::Error: fmt::Display,
        V: TryInto<HeaderValue>,
        V::Error: fmt::Display,
    {
        match (name.try_into(), value.try_into()) {
            (Ok(name), Ok(value)) => self.with(|parts| who::push(&mut parts.headers, name, value)),
            (Err(error), _) => self.failed(|| format!("header name: {error}")),
            // The value may be a secret: only what is wrong with it is told.
            (Ok(name), Err(error)) => self.failed(|| format!("header {name}: {error}")),
        }
    }

    /// Sets header fields, replacing those of the same names.
    pub fn headers(self, headers: HeaderMap) -> Self {
        self.with(|parts| {
            parts.headers.retain(|(name, _)| !headers.contains_key(&*name));
            for (name, value) in &headers {
                who::push(&mut parts.headers, name.clone(), value.clone());
            }
        })
    }

    /// Adds pairs to the URL's query.
    pub fn query<K: AsRef<str>, V: AsRef<str>>(self, pairs: impl IntoIterator<Item = (K, V)>) -> Self {
        self.with(|parts| {
            parts.url.query_pairs_mut().extend_pairs(pairs);
        })
    }

    /// The body.
    pub fn body(self, body: impl Into<Body>) -> Self {
        self.with(|parts| parts.body = body.into())
    }

    /// Pairs as a form, with its `Content-Type` unless one is set.
    pub fn form<K: AsRef<str>, V: AsRef<str>>(self, pairs: impl IntoIterator<Item = (K, V)>) -> Self {
        self.encoded_form(url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish())
    }

    pub(crate) fn encoded_form(self, form: String) -> Self {
        self.typed("application/x-www-form-urlencoded", form)
    }

    /// Declares that repeating this request does no harm, whatever its method.
    pub fn idempotent(self) -> Self {
        self.with_call(|call| call.idempotency = Idempotency::Declared)
    }

    /// Another policy for this request.
    pub fn policy(self, policy: Policy) -> Self {
        self.otherwise(|overrides| overrides.policy = Some(policy))
    }

    /// Another rule for this request.
    pub fn rule(self, rule: Rule) -> Self {
        self.changed(|policy| policy.with_rule(rule))
    }

    /// How many sends at most, the first included.
    pub fn max_attempts(self, max_attempts: NonZeroU32) -> Self {
        self.changed(|policy| policy.with_max_attempts(max_attempts))
    }

    /// How long the whole call may take.
    pub fn deadline(self, deadline: impl Into<Limit>) -> Self {
        let deadline = deadline.into();
        self.changed(|policy| match deadline {
            Limit::Off => policy.without_deadline(),
            Limit::After(deadline) => policy.with_deadline(deadline),
        })
    }

    /// How long one attempt may take, body included.
    pub fn timeout(self, timeout: impl Into<Limit>) -> Self {
        self.otherwise(|overrides| overrides.timeout = Some(timeout.into()))
    }

    /// How long nothing may come.
    pub fn read_timeout(self, timeout: impl Into<Limit>) -> Self {
        self.otherwise(|overrides| overrides.read_timeout = Some(timeout.into()))
    }

    /// Sends it; the body of the answer is the caller's to read.
    ///
    /// # Errors
    /// When no answer came in the end, with every attempt's story. A status is never an error here.
    pub async fn send(self) -> Result<Response, Error> {
        let mut sending = self.sending()?;
        let answer = send(&mut sending, Read::Head).await?;
        Ok(Response::new(answer, Streaming, sending))
    }

    /// Sends it and reads the whole body; one that breaks off is a failed attempt.
    ///
    /// # Errors
    /// When no complete answer came in the end, or its body is longer than [`max_body`](crate::Config::max_body). A status
    /// is never an error here.
    pub async fn fetch_bytes(self) -> Result<Response<bytes::Bytes>, Error> {
        let mut sending = self.sending()?;
        let mut body = bytes::Bytes::new();
        let answer = send(&mut sending, Read::Body(&mut body)).await?;
        Response::new(answer, body, sending).held()
    }

    /// [`RequestBuilder::fetch_bytes`] as text, by the charset of `Content-Type` with the feature `charset`, else
    /// UTF-8; what is malformed is replaced by U+FFFD.
    ///
    /// # Errors
    /// As [`RequestBuilder::fetch_bytes`].
    pub async fn fetch_text(self) -> Result<Response<String>, Error> {
        Ok(decode_text(self.fetch_bytes().await?))
    }

    /// The call, ready to be sent.
    pub(crate) fn sending(self) -> Result<Box<Sending>, Error> {
        let sending = self.sending?;
        let Parts { method, url, .. } = &sending.call.parts;
        let length = url.as_str().len();
        if length > MAX_URL {
            let told = format!("the URL has {length} bytes, and at most {MAX_URL} can be sent");
            return Err(Error::unbuilt(FailureKind::Builder, method, shortened(redacted(url)), told));
        }
        Ok(sending)
    }

    fn call(&self) -> Option<&Call> {
        self.sending.as_ref().ok().map(|sending| &sending.call)
    }

    fn typed(self, content_type: &'static str, body: impl Into<Body>) -> Self {
        self.with(|parts| {
            if !parts.has(&CONTENT_TYPE) {
                parts.headers.push((CONTENT_TYPE, HeaderValue::from_static(content_type)));
            }
            parts.body = body.into();
        })
    }

    /// Is there such a field?
    #[cfg(feature = "download")]
    pub(crate) fn has(&self, name: &HeaderName) -> bool {
        self.call().is_some_and(|call| call.parts.has(name))
    }

    fn changed(self, change: impl FnOnce(Policy) -> Policy) -> Self {
        self.with_call(|call| {
            let policy = call.policy().clone();
            call.overrides.get_or_insert_default().policy = Some(change(policy));
        })
    }

    fn otherwise(self, change: impl FnOnce(&mut Overrides)) -> Self {
        self.with_call(|call| change(call.overrides.get_or_insert_default()))
    }

    fn with(self, change: impl FnOnce(&mut Parts)) -> Self {
        self.with_call(|call| change(&mut call.parts))
    }

    fn with_call(mut self, change: impl FnOnce(&mut Call)) -> Self {
        if let Ok(sending) = &mut self.sending {
            change(&mut sending.call);
        }
        self
    }

    /// Keeps the first mistake.
    pub(crate) fn failed(mut self, told: impl FnOnce() -> String) -> Self {
        if let Some(Call { parts, .. }) = self.call() {
            self.sending = Err(Error::unbuilt(FailureKind::Builder, &parts.method, redacted(&parts.url), told()));
        }
        self
    }
}

impl fmt::Debug for RequestBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("RequestBuilder");
        match &self.sending {
            // Header values may be secrets.
            Ok(sending) => {
                let Parts { method, url, headers, body, .. } = &sending.call.parts;
                debug
                    .field("method", method)
                    .field("url", &redacted(url))
                    .field("headers", &headers.iter().map(|(name, _)| name).collect::<Vec<_>>())
                    .field("body", body)
            }
            Err(mistake) => debug.field("mistake", mistake),
        };
        debug.finish_non_exhaustive()
    }
}
