//! From an endpoint to a client.

use std::fmt;
use std::time::Duration;

use httpx_client::{Client, redacted_text};
use url::Url;

use crate::cache::Cache;
use crate::client::{CloudInfo, Shared};
use crate::error::{Error, ErrorKind};

/// Builds a [`CloudInfo`]; all is checked in [`CloudInfoBuilder::build`].
#[must_use]
pub struct CloudInfoBuilder {
    endpoint: String,
    client: Option<Client>,
    timeout: Option<Duration>,
}

impl CloudInfoBuilder {
    /// The client that sends.
    pub fn client(mut self, client: Client) -> Self {
        self.client = Some(client);
        self
    }

    /// How long one attempt may take; by default 30 seconds for regions and 60 for all else, as lib-cloudinfo has it.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// The client. Nothing is sent yet.
    ///
    /// # Errors
    /// [`ErrorKind::Endpoint`] and [`ErrorKind::Client`].
    pub fn build(self) -> Result<CloudInfo, Error> {
        let endpoint = endpoint(&self.endpoint)?;
        let client = match self.client {
            Some(client) => client,
            None => Client::builder().build().map_err(ErrorKind::Client)?,
        };
        Ok(CloudInfo::new(Shared { client, endpoint, timeout: self.timeout, cache: Cache::default() }))
    }
}

impl CloudInfo {
    /// The server at `endpoint`, such as `https://host`; a path in it is kept. Nothing is sent yet.
    ///
    /// # Errors
    /// [`ErrorKind::Endpoint`] and [`ErrorKind::Client`].
    pub fn open(endpoint: &str) -> Result<Self, Error> {
        Self::builder(endpoint).build()
    }

    /// A builder, for a client or a time limit of your own; `endpoint` as for [`CloudInfo::open`].
    pub fn builder(endpoint: &str) -> CloudInfoBuilder {
        CloudInfoBuilder { endpoint: endpoint.to_owned(), client: None, timeout: None }
    }
}

fn endpoint(given: &str) -> Result<Url, Error> {
    let wrong = |told: String| ErrorKind::Endpoint { given: redacted_text(given), told };
    let url = Url::parse(given.trim()).map_err(|error| wrong(error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong(format!("{:?} is neither http nor https", url.scheme())).into());
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong("paths cannot be joined to a query or fragment".to_owned()).into());
    }
    Ok(url)
}

impl fmt::Debug for CloudInfoBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let endpoint = redacted_text(&self.endpoint);
        f.debug_struct("CloudInfoBuilder")
            .field("endpoint", &endpoint)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}
