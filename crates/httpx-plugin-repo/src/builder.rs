//! From URLs to repositories.

use std::fmt;
use std::time::Duration;

use httpx_client::{Auth, Challenges, Client, redacted_text};

use crate::error::{Error, ErrorKind};
use crate::plugin_repo::{PluginRepo, Shared};
use crate::repository::Repository;
use crate::version::NextflowVersion;

/// How long nothing may come, unless a client is given.
const READ_TIMEOUT: Duration = Duration::from_secs(30);

/// Builds a [`PluginRepo`]; all is checked in [`PluginRepoBuilder::build`].
#[must_use]
pub struct PluginRepoBuilder {
    nextflow: NextflowVersion,
    repositories: Vec<String>,
    client: Option<Client>,
}

impl PluginRepoBuilder {
    /// A repository, asked after those named before: a registry, such as `https://host/api`, or an index, whose path ends
    /// with `.json`.
    pub fn repository(mut self, url: impl Into<String>) -> Self {
        self.repositories.push(url.into());
        self
    }

    /// The client that sends; by default one that waits at most 30 seconds for the next byte, and answers challenges with a
    /// token for nobody, as registries that keep archives like container images want it.
    pub fn client(mut self, client: Client) -> Self {
        self.client = Some(client);
        self
    }

    /// The repositories. Nothing is sent yet.
    ///
    /// # Errors
    /// [`ErrorKind::Repository`], [`ErrorKind::NoRepository`] and [`ErrorKind::Client`].
    pub fn build(self) -> Result<PluginRepo, Error> {
        let repositories = self.repositories.iter().map(|url| Repository::open(url)).collect::<Result<Vec<_>, _>>()?;
        if repositories.is_empty() {
            return Err(ErrorKind::NoRepository.into());
        }
        let client = match self.client {
            Some(client) => client,
            None => {
                let auth = Auth::challenges(Challenges::anonymous());
                Client::builder().read_timeout(READ_TIMEOUT).auth(auth).build().map_err(ErrorKind::Client)?
            }
        };
        Ok(PluginRepo::new(Shared { client, repositories, nextflow: self.nextflow }))
    }
}

impl PluginRepo {
    /// The repositories at `urls`, in this order, asked for what runs with `nextflow`. Nothing is sent yet.
    ///
    /// # Errors
    /// [`ErrorKind::Repository`], [`ErrorKind::NoRepository`] and [`ErrorKind::Client`].
    pub fn open<U: Into<String>>(nextflow: NextflowVersion, urls: impl IntoIterator<Item = U>) -> Result<Self, Error> {
        urls.into_iter().fold(Self::builder(nextflow), PluginRepoBuilder::repository).build()
    }

    /// A builder, for a client of your own.
    pub fn builder(nextflow: NextflowVersion) -> PluginRepoBuilder {
        PluginRepoBuilder { nextflow, repositories: Vec::new(), client: None }
    }
}

impl fmt::Debug for PluginRepoBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let repositories: Vec<_> = self.repositories.iter().map(|url| redacted_text(url)).collect();
        f.debug_struct("PluginRepoBuilder")
            .field("nextflow", &self.nextflow)
            .field("repositories", &repositories)
            .finish_non_exhaustive()
    }
}
