//! The client: cheap to clone, shared by all tasks.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::Method;
use httpx_retry::Policy;

use crate::budgets::Budgets;
use crate::builder::ClientBuilder;
use crate::config::Config;
use crate::events::RetryEvent;
use crate::request::RequestBuilder;

pub(crate) type OnRetry = Arc<dyn Fn(&RetryEvent<'_>) + Send + Sync>;

/// Sends requests, and sends them again where that is safe.
///
/// Clones share connections and retry budgets. See the [crate's page](crate) for what is retried.
#[derive(Clone, Debug)]
#[doc(alias = "HxClient")]
pub struct Client {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) http: reqwest::Client,
    pub(crate) policy: Policy,
    pub(crate) timeout: Option<Duration>,
    pub(crate) read_timeout: Option<Duration>,
    pub(crate) max_redirects: u32,
    pub(crate) budgets: Budgets,
    pub(crate) on_retry: Option<OnRetry>,
    pub(crate) config: Config,
}

impl fmt::Debug for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("policy", &self.policy).field("config", &self.config).finish_non_exhaustive()
    }
}

impl Default for Client {
    fn default() -> Self {
        Client::new()
    }
}

impl Client {
    /// A client with every default.
    ///
    /// # Panics
    /// When TLS cannot be set up, as `reqwest::Client::new` does; [`ClientBuilder::build`] returns the error instead.
    #[must_use]
    pub fn new() -> Self {
        ClientBuilder::new().build().expect("the defaults are valid; only a broken TLS set-up comes here")
    }

    /// A builder with every default.
    pub fn builder() -> ClientBuilder {
        ClientBuilder::new()
    }

    /// A client around one of reqwest's, with its pool and settings, under the default policy.
    ///
    /// Its own retries should be off ([`reqwest::retry::never`]) or they are not counted. Redirects are its own
    /// business: what it hands back, such as a 307 for a body, is the answer, unless
    /// [`max_redirects`](ClientBuilder::max_redirects) is set on a builder from [`ClientBuilder::from_reqwest`].
    #[must_use]
    pub fn from_reqwest(client: reqwest::Client) -> Self {
        ClientBuilder::from_reqwest(client).build().expect("nothing is set that an adopted client could refuse")
    }

    /// The settings it was built from.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.inner.config
    }

    /// What it retries, and how.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.inner.policy
    }

    /// A GET of `url`.
    pub fn get(&self, url: impl AsRef<str>) -> RequestBuilder {
        self.request(Method::GET, url)
    }

    /// A HEAD of `url`.
    pub fn head(&self, url: impl AsRef<str>) -> RequestBuilder {
        self.request(Method::HEAD, url)
    }

    /// A POST to `url`.
    pub fn post(&self, url: impl AsRef<str>) -> RequestBuilder {
        self.request(Method::POST, url)
    }

    /// A PUT to `url`.
    pub fn put(&self, url: impl AsRef<str>) -> RequestBuilder {
        self.request(Method::PUT, url)
    }

    /// A PATCH of `url`.
    pub fn patch(&self, url: impl AsRef<str>) -> RequestBuilder {
        self.request(Method::PATCH, url)
    }

    /// A DELETE of `url`.
    pub fn delete(&self, url: impl AsRef<str>) -> RequestBuilder {
        self.request(Method::DELETE, url)
    }

    /// A request with any method. A bad URL is reported when it is sent.
    pub fn request(&self, method: Method, url: impl AsRef<str>) -> RequestBuilder {
        RequestBuilder::new(self.clone(), method, url.as_ref())
    }
}
