//! How tokens are renewed: the settings.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::Method;
use url::Url;

use super::grant::{Accept, Cookies};
use super::memory::MemoryStore;
use super::store::TokenStore;
use crate::error::{Error, redacted};
use crate::target::IntoUrl;

/// How long one request to the endpoint may take when nothing is said.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a renewal may take when nothing is said: its attempts and waits.
const DEFAULT_LIMIT: Duration = Duration::from_secs(30);

/// Where and how access tokens are renewed.
///
/// A request that is answered 401 has its token renewed by `grant_type=refresh_token` (RFC 6749 §6) and is sent again
/// within the same attempt. However many calls of a session fail at once, one renewal is made, and it goes on when they
/// are all given up: a refresh token may be good for one use, and its successor must not get lost. For the same reason a
/// renewal that may have been sent is never sent again; it is retried under the client's policy only while nothing was
/// sent or when the endpoint answers with a transient status.
///
/// The new tokens may come as cookies (`JWT`, `JWT_REFRESH_TOKEN`) or as JSON (`access_token`, `refresh_token`). When the
/// endpoint refuses for good, every later call gets its 401 at once, until the session has other tokens.
#[derive(Clone)]
pub struct Refresh {
    pub(crate) url: Url,
    pub(crate) store: Arc<dyn TokenStore>,
    pub(crate) accept: Accept,
    pub(crate) cookies: Cookies,
    pub(crate) timeout: Duration,
    pub(crate) limit: Duration,
    pub(crate) ahead: Option<Duration>,
}

impl Refresh {
    /// At this endpoint, with tokens kept in memory.
    ///
    /// # Errors
    /// When it is no http or https URL.
    pub fn at(url: impl IntoUrl) -> Result<Self, Error> {
        Ok(Refresh {
            url: url.into_url(&Method::POST)?,
            store: Arc::new(MemoryStore::default()),
            accept: Accept::Any,
            cookies: Cookies::OwnHost,
            timeout: DEFAULT_TIMEOUT,
            limit: DEFAULT_LIMIT,
            ahead: None,
        })
    }

    /// Keeps tokens there, perhaps shared with other clients and processes.
    #[must_use]
    pub fn store(mut self, store: Arc<impl TokenStore + 'static>) -> Self {
        self.store = store;
        self
    }

    /// Which access tokens are taken.
    #[must_use]
    pub fn accept(mut self, accept: Accept) -> Self {
        self.accept = accept;
        self
    }

    /// Which cookies are read.
    #[must_use]
    pub fn cookies(mut self, cookies: Cookies) -> Self {
        self.cookies = cookies;
        self
    }

    /// How long one request to the endpoint may take.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// How long a renewal may take, its attempts and waits together; a call waits no longer than its own deadline.
    ///
    /// In a shared store it is also how long others wait for a process that died while it renewed.
    #[must_use]
    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Renews a JWT so long before it expires (RFC 7519 §4.1.4), when a call needs it. When that fails the call goes on
    /// with the token it has.
    #[must_use]
    pub fn ahead(mut self, time: Duration) -> Self {
        self.ahead = Some(time);
        self
    }
}

impl fmt::Debug for Refresh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Refresh").field("url", &redacted(&self.url)).field("store", &self.store).finish_non_exhaustive()
    }
}
