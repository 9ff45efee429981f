//! Building a request, as with reqwest.

use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;

use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use httpx_retry::{FailureKind, Idempotency, Policy, Rule};
use serde::Serialize;
use serde::de::DeserializeOwned;
use url::Url;

use crate::attempt::Parts;
use crate::body::Body;
use crate::client::Client;
use crate::config::Limit;
use crate::error::{Error, redacted, redacted_text};
use crate::redirect::is_http;
use crate::response::{Response, Streaming, decode_json, decode_text};
use crate::send::{Call, Got, Read, send};
use crate::settings;

/// The field that makes any request idempotent.
const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// A request to be sent.
///
/// Mistakes in it (a bad URL, header or JSON value) are kept and reported when it is sent.
#[must_use = "nothing is sent until you call send or one of the fetch methods"]
pub struct RequestBuilder {
    client: Client,
    method: Method,
    url: Result<Url, Error>,
    headers: Vec<(HeaderName, HeaderValue)>,
    body: Body,
    idempotency: Idempotency,
    overrides: Option<Box<Overrides>>,
}

/// What this request does otherwise than its client; boxed since most do not.
#[derive(Debug, Default)]
struct Overrides {
    policy: Option<Policy>,
    timeout: Option<Limit>,
    read_timeout: Option<Limit>,
}

impl RequestBuilder {
    pub(crate) fn new(client: Client, method: Method, url: &str) -> Self {
        let url = parse(&method, url);
        let (headers, body) = (Vec::new(), Body::empty());
        RequestBuilder { client, method, url, headers, body, idempotency: Idempotency::Method, overrides: None }
    }

    /// Adds a header field; several of one name are all sent.
    pub fn header<N, V>(mut self, name: N, value: V) -> Self
    where
        N: TryInto<HeaderName>,
        N::Error: fmt::Display,
        V: TryInto<HeaderValue>,
        V::Error: fmt::Display,
    {
        match (name.try_into(), value.try_into()) {
            (Ok(name), Ok(value)) => {
                self.headers.push((name, value));
                self
            }
            (Err(error), _) => self.failed(|| format!("header name: {error}")),
            // The value may be a secret: only what is wrong with it is told.
            (Ok(name), Err(error)) => self.failed(|| format!("header {name}: {error}")),
        }
    }

    /// Sets header fields, replacing those of the same names.
    pub fn headers(mut self, headers: HeaderMap) -> Self {
        self.headers.retain(|(name, _)| !headers.contains_key(name));
        for name in headers.keys() {
            self.headers.extend(headers.get_all(name).iter().map(|value| (name.clone(), value.clone())));
        }
        self
    }

    /// Adds pairs to the URL's query.
    pub fn query<K: AsRef<str>, V: AsRef<str>>(mut self, pairs: impl IntoIterator<Item = (K, V)>) -> Self {
        if let Ok(url) = &mut self.url {
            url.query_pairs_mut().extend_pairs(pairs);
        }
        self
    }

    /// The body.
    pub fn body(mut self, body: impl Into<Body>) -> Self {
        self.body = body.into();
        self
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
        let form = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
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
    pub fn deadline(self, deadline: Duration) -> Self {
        self.changed(|policy| policy.with_deadline(deadline))
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
    pub async fn send(self) -> Result<Response, Error> {
        let Got { method, answer, limits, attempts, .. } = self.call(Read::Head).await?;
        Ok(Response::new(method, answer, Streaming::new(limits), attempts))
    }

    /// Sends it and reads the whole body; one that breaks off is a failed attempt.
    ///
    /// # Errors
    /// When no complete answer came in the end. A status is never an error here.
    pub async fn fetch_bytes(self) -> Result<Response<bytes::Bytes>, Error> {
        let Got { method, answer, body, attempts, .. } = self.call(Read::Body).await?;
        Ok(Response::new(method, answer, body, attempts))
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

    async fn call(self, read: Read) -> Result<Got, Error> {
        let RequestBuilder { client, method, url, headers, body, idempotency, overrides } = self;
        let parts = Parts { method, url: url?, headers, body };
        let inner = &*client.inner;
        let overrides = overrides.as_deref();
        let policy = overrides.and_then(|overrides| overrides.policy.as_ref()).unwrap_or(&inner.policy);
        let timeout = overrides.and_then(|overrides| overrides.timeout);
        let read_timeout = overrides.and_then(|overrides| overrides.read_timeout);
        let call = Call {
            client: inner,
            idempotency: idempotency_of(idempotency, &parts.headers),
            parts,
            policy,
            timeout: timeout.map_or(inner.timeout, |limit| settings::limit(Some(limit))),
            read_timeout: read_timeout.map_or(inner.read_timeout, |limit| settings::limit(Some(limit))),
        };
        send(call, read).await
    }

    fn typed(mut self, content_type: &'static str, body: impl Into<Body>) -> Self {
        if !self.headers.iter().any(|(name, _)| name == CONTENT_TYPE) {
            self.headers.push((CONTENT_TYPE, HeaderValue::from_static(content_type)));
        }
        self.body(body)
    }

    fn overrides(&mut self) -> &mut Overrides {
        self.overrides.get_or_insert_default()
    }

    fn changed(mut self, change: impl FnOnce(Policy) -> Policy) -> Self {
        let policy = self.overrides().policy.take().unwrap_or_else(|| self.client.policy().clone());
        self.overrides().policy = Some(change(policy));
        self
    }

    /// Keeps the first mistake.
    fn failed(mut self, told: impl FnOnce() -> String) -> Self {
        if let Ok(url) = &self.url {
            self.url = Err(Error::unbuilt(FailureKind::Builder, &self.method, redacted(url), told()));
        }
        self
    }
}

impl fmt::Debug for RequestBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Header values may be secrets.
        let names: Vec<&HeaderName> = self.headers.iter().map(|(name, _)| name).collect();
        f.debug_struct("RequestBuilder")
            .field("method", &self.method)
            .field("url", &self.url.as_ref().map(redacted))
            .field("headers", &names)
            .field("body", &self.body)
            .finish_non_exhaustive()
    }
}

fn parse(method: &Method, text: &str) -> Result<Url, Error> {
    let told = |kind, told| Error::unbuilt(kind, method, redacted_text(text), told);
    match Url::parse(text) {
        Ok(url) if is_http(&url) => Ok(url),
        Ok(url) => {
            let words = format!("{:?} is neither http nor https", url.scheme());
            Err(told(FailureKind::UnsupportedScheme, words))
        }
        Err(error) => Err(told(FailureKind::Builder, format!("{error}; a URL is like http://host/path"))),
    }
}

fn idempotency_of(declared: Idempotency, headers: &[(HeaderName, HeaderValue)]) -> Idempotency {
    match declared {
        Idempotency::Method if headers.iter().any(|(name, _)| name == IDEMPOTENCY_KEY) => Idempotency::Key,
        Idempotency::Method | Idempotency::Key | Idempotency::Declared => declared,
    }
}
