//! Building a request, as with reqwest.

mod adopted;
mod who;

use std::fmt;
use std::num::NonZeroU32;
use std::sync::Arc;

use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Version};
use httpx_retry::{FailureKind, Idempotency, Policy, Rule};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::attempt::{Fields, Parts, Way};
use crate::auth::Found;
use crate::body::Body;
use crate::call::{Call, Got, Read};
use crate::config::Limit;
use crate::error::{Error, redacted, shortened};
use crate::response::{Response, Streaming, decode_json, decode_text};
use crate::send::send;
use crate::settings;
use crate::shared::Shared;
use crate::target::{IntoUrl, MAX_URL};
use who::Who;

/// A request to be sent.
///
/// Mistakes in it (a bad URL, header or JSON value) are kept and reported when it is sent.
#[must_use = "nothing is sent until you call send or one of the fetch methods"]
pub struct RequestBuilder {
    shared: Arc<Shared>,
    /// Boxed, since a builder is moved by each of its methods. The first mistake takes the place of the request, and is
    /// taken out when it is told.
    parts: Result<Box<Parts>, Option<Error>>,
    idempotency: Idempotency,
    overrides: Option<Box<Overrides>>,
}

/// What this request does otherwise than its client; boxed since most do not.
#[derive(Debug, Default)]
struct Overrides {
    who: Who,
    policy: Option<Policy>,
    timeout: Option<Limit>,
    read_timeout: Option<Limit>,
}

impl RequestBuilder {
    pub(crate) fn new(shared: Arc<Shared>, method: Method, url: impl IntoUrl) -> Self {
        let mut user = None;
        let parts = match url.into_url(&method) {
            Ok(mut url) => {
                user = who::user_of(&mut url);
                Ok(Box::new(Parts {
                    method,
                    url,
                    headers: Fields::new(),
                    body: Body::empty(),
                    version: Version::default(),
                    found: Found::default(),
                }))
            }
            Err(mistake) => Err(Some(mistake)),
        };
        let request = RequestBuilder { shared, parts, idempotency: Idempotency::Method, overrides: None };
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

    /// `value` as JSON, with its `Content-Type` unless one is set.
    pub fn json<T: Serialize + ?Sized>(self, value: &T) -> Self {
        match serde_json::to_vec(value) {
            Ok(json) => self.typed("application/json", json),
            Err(error) => self.failed(|| format!("JSON body: {error}")),
        }
    }

    /// Pairs as a form, with its `Content-Type` unless one is set.
    pub fn form<K: AsRef<str>, V: AsRef<str>>(self, pairs: impl IntoIterator<Item = (K, V)>) -> Self {
        self.encoded_form(url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish())
    }

    pub(crate) fn encoded_form(self, form: String) -> Self {
        self.typed("application/x-www-form-urlencoded", form)
    }

    /// Declares that repeating this request does no harm, whatever its method.
    pub fn idempotent(mut self) -> Self {
        self.idempotency = Idempotency::Declared;
        self
    }

    /// Another policy for this request.
    pub fn policy(mut self, policy: Policy) -> Self {
        self.overrides().policy = Some(policy);
        self
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
    pub fn timeout(mut self, timeout: impl Into<Limit>) -> Self {
        self.overrides().timeout = Some(timeout.into());
        self
    }

    /// How long nothing may come.
    pub fn read_timeout(mut self, timeout: impl Into<Limit>) -> Self {
        self.overrides().read_timeout = Some(timeout.into());
        self
    }

    /// Sends it; the body of the answer is the caller's to read.
    ///
    /// # Errors
    /// When no answer came in the end, with every attempt's story. A status is never an error here.
    pub async fn send(mut self) -> Result<Response, Error> {
        let (call, parts) = self.call()?;
        let Got { method, answer, limits, at, attempts, .. } = send(&call, parts, Read::Head).await?;
        Ok(Response::new(method, answer, Streaming::new(limits, at), attempts))
    }

    /// Sends it and reads the whole body; one that breaks off is a failed attempt.
    ///
    /// # Errors
    /// When no complete answer came in the end, or its body is longer than [`max_body`](crate::Config::max_body). A status
    /// is never an error here.
    pub async fn fetch_bytes(mut self) -> Result<Response<bytes::Bytes>, Error> {
        let (call, parts) = self.call()?;
        let Got { method, answer, body, limits, attempts, .. } = send(&call, parts, Read::Body).await?;
        let held = limits.hold(body.len());
        let response = Response::new(method, answer, body, attempts);
        match held {
            Ok(()) => Ok(response),
            Err(too_large) => Err(response.too_large(too_large)),
        }
    }

    /// [`RequestBuilder::fetch_bytes`] as text, by the charset of `Content-Type`, else UTF-8; what is malformed is
    /// replaced by U+FFFD.
    ///
    /// # Errors
    /// As [`RequestBuilder::fetch_bytes`].
    pub async fn fetch_text(self) -> Result<Response<String>, Error> {
        Ok(decode_text(self.fetch_bytes().await?))
    }

    /// [`RequestBuilder::fetch_bytes`] decoded from JSON.
    ///
    /// # Errors
    /// As [`RequestBuilder::fetch_bytes`]; [`ErrorKind::Status`](crate::ErrorKind::Status) when the status is not 2xx;
    /// [`FailureKind::Decode`] when the body is not that JSON, which is never retried.
    pub async fn fetch_json<T: DeserializeOwned>(self) -> Result<Response<T>, Error> {
        decode_json(self.fetch_bytes().await?)
    }

    pub(crate) fn call(&mut self) -> Result<(Call<'_>, &Parts), Error> {
        let RequestBuilder { shared, parts, idempotency, overrides } = self;
        let parts = match parts {
            Ok(parts) => parts,
            Err(mistake) => return Err(mistake.take().expect("a request is sent once")),
        };
        let length = parts.url.as_str().len();
        if length > MAX_URL {
            let told = format!("the URL has {length} bytes, and at most {MAX_URL} can be sent");
            return Err(Error::unbuilt(FailureKind::Builder, &parts.method, shortened(redacted(&parts.url)), told));
        }
        let overrides = overrides.as_deref();
        let timeout = overrides.and_then(|overrides| overrides.timeout);
        let read_timeout = overrides.and_then(|overrides| overrides.read_timeout);
        let policy = overrides.and_then(|overrides| overrides.policy.as_ref()).unwrap_or(&shared.policy);
        let call = Call {
            shared,
            policy,
            way: Way {
                http: &shared.http,
                proxies: shared.proxies.as_ref(),
                guard: who::guard(shared, overrides.map(|overrides| &overrides.who), parts),
                max_redirects: shared.max_redirects,
                deadline_field: policy.deadline_field(),
            },
            idempotency: idempotency_of(*idempotency, &parts.headers),
            timeout: timeout.map_or(shared.timeout, |limit| settings::limit(Some(limit))),
            read_timeout: read_timeout.map_or(shared.read_timeout, |limit| settings::limit(Some(limit))),
        };
        Ok((call, parts))
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
    pub(crate) fn has(&self, name: &HeaderName) -> bool {
        self.parts.as_ref().is_ok_and(|parts| parts.has(name))
    }

    fn overrides(&mut self) -> &mut Overrides {
        self.overrides.get_or_insert_default()
    }

    fn changed(mut self, change: impl FnOnce(Policy) -> Policy) -> Self {
        let policy = self.overrides().policy.take().unwrap_or_else(|| self.shared.policy.clone());
        self.overrides().policy = Some(change(policy));
        self
    }

    fn with(mut self, change: impl FnOnce(&mut Parts)) -> Self {
        if let Ok(parts) = &mut self.parts {
            change(parts);
        }
        self
    }

    /// Keeps the first mistake.
    pub(crate) fn failed(mut self, told: impl FnOnce() -> String) -> Self {
        if let Ok(parts) = &self.parts {
            let mistake = Error::unbuilt(FailureKind::Builder, &parts.method, redacted(&parts.url), told());
            self.parts = Err(Some(mistake));
        }
        self
    }
}

impl fmt::Debug for RequestBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("RequestBuilder");
        match self.parts.as_deref() {
            // Header values may be secrets.
            Ok(Parts { method, url, headers, body, .. }) => debug
                .field("method", method)
                .field("url", &redacted(url))
                .field("headers", &headers.iter().map(|(name, _)| name).collect::<Vec<_>>())
                .field("body", body),
            Err(mistake) => debug.field("mistake", mistake),
        };
        debug.finish_non_exhaustive()
    }
}

fn idempotency_of(declared: Idempotency, headers: &[(HeaderName, HeaderValue)]) -> Idempotency {
    match declared {
        Idempotency::Method => Idempotency::of(headers.iter().map(|(name, _)| name)),
        Idempotency::Key | Idempotency::Declared => declared,
    }
}
