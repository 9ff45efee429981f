//! The client: cheap to clone, shared by all tasks.

use std::sync::Arc;

use http::Method;
use httpx_retry::Policy;
use url::Url;

use crate::config::Config;
use crate::error::Error;
use crate::proxy::Proxy;
use crate::request::RequestBuilder;
use crate::response::Response;
use crate::shared::Shared;
use crate::target::IntoUrl;

/// Sends requests, and sends them again where that is safe.
///
/// Clones share connections and retry budgets. See the [crate's page](crate) for what is retried.
#[derive(Clone, Debug)]
#[doc(alias = "HxClient")]
pub struct Client {
    shared: Arc<Shared>,
}

impl Client {
    pub(crate) fn sharing(shared: Shared) -> Self {
        Client { shared: Arc::new(shared) }
    }

    /// The settings it was built from.
    #[must_use]
    pub fn config(&self) -> &Config {
        &self.shared.config
    }

    /// What it retries, and how.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.shared.policy
    }

    /// The proxy that `url` is asked through; `None` when it is asked directly.
    #[must_use]
    pub fn proxy_for(&self, url: &Url) -> Option<&Proxy> {
        self.shared.proxies.as_ref()?.of(url)
    }

    /// A GET of `url`.
    pub fn get(&self, url: impl IntoUrl) -> RequestBuilder {
        self.request(Method::GET, url)
    }

    /// A HEAD of `url`.
    pub fn head(&self, url: impl IntoUrl) -> RequestBuilder {
        self.request(Method::HEAD, url)
    }

    /// A POST to `url`.
    pub fn post(&self, url: impl IntoUrl) -> RequestBuilder {
        self.request(Method::POST, url)
    }

    /// A PUT to `url`.
    pub fn put(&self, url: impl IntoUrl) -> RequestBuilder {
        self.request(Method::PUT, url)
    }

    /// A PATCH of `url`.
    pub fn patch(&self, url: impl IntoUrl) -> RequestBuilder {
        self.request(Method::PATCH, url)
    }

    /// A DELETE of `url`.
    pub fn delete(&self, url: impl IntoUrl) -> RequestBuilder {
        self.request(Method::DELETE, url)
    }

    /// A request with any method. A bad URL is reported when it is sent.
    pub fn request(&self, method: Method, url: impl IntoUrl) -> RequestBuilder {
        RequestBuilder::new(Arc::clone(&self.shared), method, url)
    }

    /// A request that was built with reqwest: its method, URL, header fields, body, HTTP version and timeout. A body of
    /// bytes can be sent again and is not copied; one that is a stream is sent once.
    ///
    /// ```no_run
    /// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
    /// use httpx_client::{Client, reqwest};
    ///
    /// let request = reqwest::Request::new(reqwest::Method::GET, "https://example.test/jobs".parse()?);
    /// let answer = Client::new().adopt(request).fetch_text().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn adopt(&self, request: reqwest::Request) -> RequestBuilder {
        RequestBuilder::adopting(Arc::clone(&self.shared), request)
    }

    /// Sends a request that was built with reqwest: [`Client::adopt`] and [`RequestBuilder::send`].
    ///
    /// # Errors
    /// As [`RequestBuilder::send`].
    pub fn execute(&self, request: reqwest::Request) -> impl Future<Output = Result<Response, Error>> + Send + use<> {
        self.adopt(request).send()
    }
}
