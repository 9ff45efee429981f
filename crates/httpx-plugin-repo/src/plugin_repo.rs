//! Repositories in their order, and what can be asked of them.

use std::fmt;
use std::sync::Arc;

use futures_util::future::join_all;
use httpx_client::{Client, redacted};
use url::Url;

use crate::choice::choose;
use crate::error::{Error, ErrorKind};
use crate::model::{Plugin, Release};
use crate::reference::PluginRef;
use crate::repository::Repository;
use crate::version::NextflowVersion;

/// The repositories of a Nextflow, in their order. Clones are cheap and share what was fetched, which is kept as long as
/// one of them lives.
#[derive(Clone)]
pub struct PluginRepo {
    pub(crate) shared: Arc<Shared>,
}

pub(crate) struct Shared {
    pub(crate) client: Client,
    pub(crate) repositories: Vec<Repository>,
    pub(crate) nextflow: NextflowVersion,
}

/// The release that was asked for, and where it is from.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Found {
    /// The plugin.
    pub id: String,
    /// Its release.
    pub release: Release,
    /// The repository that has it, as it may be told.
    pub repository: String,
    /// Where its archive is.
    pub url: Url,
}

impl Found {
    /// What its archive is called: `nf-amazon-2.1.4.zip`, whatever its URL ends with.
    #[must_use]
    pub fn file_name(&self) -> String {
        format!("{}-{}.zip", self.id, self.release.version)
    }
}

impl PluginRepo {
    pub(crate) fn new(shared: Shared) -> Self {
        PluginRepo { shared: Arc::new(shared) }
    }

    /// Asks each repository for all of these at once, so that [`resolve`](PluginRepo::resolve) has not to ask for one after
    /// the other. What goes wrong ends nothing: it is returned, and asked for again when it is needed.
    pub async fn prefetch(&self, wanted: &[PluginRef]) -> Vec<Error> {
        let Shared { client, repositories, nextflow } = &*self.shared;
        let fetched = join_all(repositories.iter().map(|repository| repository.fetch(client, wanted, nextflow))).await;
        fetched.into_iter().filter_map(Result::err).collect()
    }

    /// The release that `wanted` asks for: the version it names, else the newest one that runs with this Nextflow. The first
    /// repository that has it answers; later ones are not asked.
    ///
    /// # Errors
    /// [`ErrorKind::Incompatible`] and [`ErrorKind::NoneCompatible`], [`ErrorKind::UnknownVersion`],
    /// [`ErrorKind::UnknownPlugin`], [`ErrorKind::NoNewest`], [`ErrorKind::NoArchive`], and whatever keeps a repository from being asked: what it has
    /// might come first.
    pub async fn resolve(&self, wanted: &PluginRef) -> Result<Found, Error> {
        let Shared { client, repositories, nextflow } = &*self.shared;
        let mut all: Option<Plugin> = None;
        for repository in repositories {
            let Some(plugin) = repository.plugin(client, wanted, nextflow).await? else { continue };
            if let Ok(release) = choose(&plugin, wanted, nextflow) {
                return found(wanted, release.clone(), repository);
            }
            match &mut all {
                Some(all) => all.absorb(plugin),
                None => all = Some(plugin),
            }
        }
        // Nowhere is what was asked for: why, is said of everything there is.
        let (id, repositories) = (wanted.id().to_owned(), repositories.iter().map(Repository::name).collect());
        let unknown = ErrorKind::UnknownPlugin { id, repositories };
        Err(all.and_then(|all| choose(&all, wanted, nextflow).err()).unwrap_or(unknown).into())
    }

    /// [`prefetch`](PluginRepo::prefetch), and then [`resolve`](PluginRepo::resolve) one by one; in the order of `wanted`.
    pub async fn resolve_all(&self, wanted: &[PluginRef]) -> Vec<Result<Found, Error>> {
        // What went wrong is told by those who need it.
        drop(self.prefetch(wanted).await);
        let mut all = Vec::new();
        for wanted in wanted {
            all.push(self.resolve(wanted).await);
        }
        all
    }
}

fn found(wanted: &PluginRef, release: Release, repository: &Repository) -> Result<Found, Error> {
    let told = release.url.as_deref().unwrap_or_default();
    match repository.url().join(told) {
        Ok(url) => Ok(Found { id: wanted.id().to_owned(), release, repository: repository.name(), url }),
        Err(error) => {
            let told = format!("the url of {} {} is none: {error}", wanted.id(), release.version);
            Err(ErrorKind::Unreadable { url: redacted(repository.url()), told, began: None }.into())
        }
    }
}

impl fmt::Debug for PluginRepo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The URLs as they are may hold passwords.
        let repositories: Vec<_> = self.shared.repositories.iter().map(Repository::name).collect();
        f.debug_struct("PluginRepo")
            .field("repositories", &repositories)
            .field("nextflow", &self.shared.nextflow)
            .finish_non_exhaustive()
    }
}
