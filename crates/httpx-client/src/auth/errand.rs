//! The requests that credentials themselves need: to renew a token, to fetch one.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::BoxFuture;
use http::{HeaderMap, StatusCode};
use url::Url;

use crate::credentials::Credentials;
use crate::error::Error;

/// One such request. It carries no credentials but its own, and its redirects are not followed.
pub(crate) struct Errand {
    pub(crate) url: Url,
    pub(crate) what: What,
    /// How long one attempt may take.
    pub(crate) timeout: Duration,
    /// How long all of it may take.
    pub(crate) limit: Duration,
}

/// What is asked of whom.
pub(crate) enum What {
    /// POST of this form. What it holds may be good for one use, so it is never sent again when it may have arrived.
    Form(String),
    /// GET, by somebody or by nobody.
    Get(Option<Credentials>),
}

/// What came back.
pub(crate) struct Brought {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// Runs errands over the connections, settings and policy of the client.
pub(crate) trait Errands: Send + Sync + fmt::Debug {
    fn run(&self, errand: Errand) -> BoxFuture<'_, Result<Brought, Error>>;
}
