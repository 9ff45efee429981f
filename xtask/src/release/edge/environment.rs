//! Where everything is, as the command line and the environment say.

use super::{
    destination::{Destination, Said},
    index::Index,
};
use crate::release::facts::{Asked, Unreadable};
use anyhow::{Context, Result};
use git2::Repository;
use jiff::{Timestamp, civil::Date, tz::TimeZone};
use std::{
    env, fs,
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
    /// Who else releases from this clone.
    pub holder: Option<String>,
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

    /// Where a release leaves notes for the next one: in the folder of the repository, which its worktrees share and
    /// `cargo clean` leaves alone.
    pub(crate) fn notes(&self) -> Result<PathBuf> {
        let repository = Repository::discover(&self.repo).context("this is no git repository")?;
        let folder = repository.commondir().join("release");
        fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
        Ok(folder)
    }

    /// The folder that cargo builds into.
    pub(crate) fn target(&self) -> Result<PathBuf> {
        super::packages::target(&self.root()?)
    }

    /// Where the release goes.
    pub(crate) fn destination(&self, root: &Path) -> Destination {
        Destination::find(root, Said { name: self.registry.as_deref(), index: self.index_url.as_deref() })
    }

    /// The index of the registry that the release goes to.
    pub(crate) fn index(&self, destination: &Destination) -> Asked<Index> {
        let url = destination.index.as_ref().map_err(Clone::clone)?;
        Index::new(url, self.index_timeout, destination.token())
            .map_err(|error| Unreadable(format!("cannot be asked: {error:#}")))
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
