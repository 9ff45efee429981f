//! Where everything is, as the command line and the environment say.

use super::index::Index;
use crate::release::facts::{Asked, Unreadable};
use anyhow::{Context, Result};
use git2::Repository;
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use std::{
    env,
    path::{Path, PathBuf},
    time::Duration,
};

/// Where to look.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// A folder of the repository.
    pub repo: PathBuf,
    /// The address of the sparse index.
    pub index_url: Option<String>,
    /// How long one attempt to read the index may take.
    pub index_timeout: Duration,
    /// The name by which cargo knows the registry.
    pub registry: Option<String>,
    /// The folder with the receipts.
    pub receipts: Option<PathBuf>,
    /// The title and the base of the pull request that is judged.
    pub proposal: Option<(String, String)>,
}

impl Place {
    /// The folder of the working tree.
    pub(crate) fn root(&self) -> Result<PathBuf> {
        let repository = Repository::discover(&self.repo).context("this is no git repository")?;
        Ok(repository.workdir().context("the repository has no working tree")?.to_owned())
    }

    /// The folder with the receipts.
    pub(crate) fn receipts(&self, root: &Path) -> Result<PathBuf> {
        match &self.receipts {
            Some(folder) => Ok(folder.clone()),
            None => crate::receipts::folder(root),
        }
    }

    /// The folder that cargo builds into.
    pub(crate) fn target(&self) -> Result<PathBuf> {
        super::packages::target(&self.root()?)
    }

    /// The index of the registry, or that nobody said where it is.
    pub(crate) fn index(&self) -> Asked<Index> {
        let url = self.index_url.clone().or_else(|| env::var(self.variable("INDEX")?).ok());
        let url = url.ok_or_else(|| Unreadable("has no address; give --index-url".to_owned()))?;
        Index::new(&url, self.index_timeout, self.token())
            .map_err(|error| Unreadable(format!("cannot be asked: {error:#}")))
    }

    /// The name of the registry as manifests state it.
    pub(crate) fn registry_name(&self) -> &str {
        self.registry.as_deref().unwrap_or("crates-io")
    }

    /// How cargo is told which registry is meant.
    pub(crate) fn cargo_registry(&self) -> Vec<String> {
        self.registry.iter().flat_map(|name| ["--registry".to_owned(), name.clone()]).collect()
    }

    /// Whether the environment holds a token.
    pub(crate) fn has_token(&self) -> bool {
        self.token().is_some()
    }

    fn token(&self) -> Option<String> {
        let name = self.variable("TOKEN").unwrap_or_else(|| "CARGO_REGISTRY_TOKEN".to_owned());
        env::var(name).ok().map(|token| token.trim().to_owned()).filter(|token| !token.is_empty())
    }

    /// The variable by which cargo is told something of a named registry.
    fn variable(&self, what: &str) -> Option<String> {
        let name = self.registry.as_ref()?.to_ascii_uppercase().replace('-', "_");
        Some(format!("CARGO_REGISTRIES_{name}_{what}"))
    }
}

/// The date in UTC; that of `XTASK_NOW`, a date or an instant, when it is set.
pub(super) fn today() -> Result<Date> {
    let Ok(text) = env::var("XTASK_NOW") else { return Ok(Timestamp::now().to_zoned(TimeZone::UTC).date()) };
    let instant = text.parse::<Timestamp>().map(|instant| instant.to_zoned(TimeZone::UTC).date());
    instant
        .or_else(|_| text.parse::<Date>())
        .with_context(|| format!("XTASK_NOW {text:?} is neither a date nor an instant"))
}
