//! From an index and what else is known of it to a registry.

use std::path::{Path, PathBuf};
use std::time::Duration;

use http::{HeaderValue, StatusCode};
use httpx_client::Client;
use tokio::sync::OnceCell;

use crate::cache::Cache;
use crate::error::{Error, ErrorKind};
use crate::index_url;
use crate::registry::{Registry, Shared};

/// How long nothing may come, unless a client is given: as cargo's `http.timeout`.
const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// Builds a [`Registry`]; all is checked in [`RegistryBuilder::build`].
#[must_use]
pub struct RegistryBuilder {
    index: String,
    client: Option<Client>,
    token: Option<String>,
    token_also_after: Vec<StatusCode>,
    trusted: Vec<String>,
    timeout: Option<Duration>,
    cache: Option<PathBuf>,
}

impl RegistryBuilder {
    fn new(index: &str) -> Self {
        RegistryBuilder {
            index: index.to_owned(),
            client: None,
            token: None,
            token_also_after: Vec::new(),
            trusted: Vec::new(),
            timeout: None,
            cache: None,
        }
    }

    /// The client that sends; by default one that waits at most 30 seconds for the next byte, as cargo does.
    pub fn client(mut self, client: Client) -> Self {
        self.client = Some(client);
        self
    }

    /// The value of `Authorization` for a registry that wants one, sent as it is: no `Bearer ` is added.
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.token = Some(token.into());
        self
    }

    /// Statuses beside 401 after which `config.json` is asked for again with the token, once: some servers hide what is
    /// private behind 403, 404 or 400.
    pub fn token_also_after(mut self, statuses: impl IntoIterator<Item = StatusCode>) -> Self {
        self.token_also_after = statuses.into_iter().collect();
        self
    }

    /// Another origin that may see the token, as `https://static.example.test`, for archives that are not where the index
    /// is.
    ///
    /// Where archives are is the word of `config.json`: whoever can write that file could have every token sent to a server
    /// of their own. So a registry that keeps private archives elsewhere is met with [`ErrorKind::TokenWithheld`] until
    /// somebody who knows that server says this. cargo is less strict, and sends the token wherever `dl` leads.
    pub fn trust(mut self, origin: impl Into<String>) -> Self {
        self.trusted.push(origin.into());
        self
    }

    /// How long one attempt at a file of the index may take. Archives may take longer.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// A folder that keeps what was fetched for the next program too; without one it is kept in memory. Registries may
    /// share a folder.
    pub fn cache(mut self, folder: impl AsRef<Path>) -> Self {
        self.cache = Some(folder.as_ref().to_owned());
        self
    }

    /// The registry. Nothing is sent yet.
    ///
    /// # Errors
    /// [`ErrorKind::IndexUrl`] (of a trusted origin too), [`ErrorKind::Token`] and [`ErrorKind::Client`].
    pub fn build(self) -> Result<Registry, Error> {
        let index = index_url::parse(&self.index)?;
        let mut trusted = vec![index.origin()];
        for origin in &self.trusted {
            trusted.push(index_url::parse(origin)?.origin());
        }
        let client = match self.client {
            Some(client) => client,
            None => Client::builder().read_timeout(READ_TIMEOUT).build().map_err(ErrorKind::Client)?,
        };
        let cache = match &self.cache {
            Some(folder) => Cache::folder(folder, &index),
            None => Cache::memory(),
        };
        Ok(Registry::new(Shared {
            client,
            token: self.token.as_deref().map(secret).transpose()?,
            token_also_after: self.token_also_after,
            trusted,
            timeout: self.timeout,
            cache,
            config: OnceCell::new(),
            index,
        }))
    }
}

impl Registry {
    /// The registry whose index is at `index`: `sparse+https://host/index/`, or the same without `sparse+` or the slash at
    /// its end. Nothing is sent yet.
    ///
    /// # Errors
    /// [`ErrorKind::IndexUrl`] and [`ErrorKind::Client`].
    pub fn open(index: &str) -> Result<Self, Error> {
        Self::builder(index).build()
    }

    /// A builder, for a registry that wants a token, a cache or a client of its own; `index` as for [`Registry::open`].
    pub fn builder(index: &str) -> RegistryBuilder {
        RegistryBuilder::new(index)
    }
}

fn secret(token: &str) -> Result<HeaderValue, Error> {
    let mut value = HeaderValue::from_str(token).map_err(|_| ErrorKind::Token)?;
    value.set_sensitive(true);
    Ok(value)
}

impl std::fmt::Debug for RegistryBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Not the token, nor what a URL may hold.
        f.debug_struct("RegistryBuilder")
            .field("timeout", &self.timeout)
            .field("cache", &self.cache)
            .finish_non_exhaustive()
    }
}
