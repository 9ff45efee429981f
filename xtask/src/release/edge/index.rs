//! What the registry says: every row of its raw index, read past the caches on the way.
//!
//! `httpx-registry` knows the protocol and fails closed; here its answers become facts. A line that it cannot use may be
//! the very version in question, so that one such line makes the whole entry unreadable.

use crate::release::facts::{Asked, Row, Unreadable};
use anyhow::Context;
use httpx_client::Client;
use httpx_registry::{Registry, Skipped, Versions};
use httpx_retry::Rule;
use semver::Version;
use std::{fs, num::NonZeroU32, time::Duration};
use tokio::runtime::{Builder, Runtime};

/// A registry, reached through its sparse index.
#[derive(Debug)]
pub(crate) struct Index {
    /// As cargo asks it: the caches on the way may answer.
    usual: Registry,
    /// Past those caches.
    fresh: Registry,
    runtime: Runtime,
}

/// How often is asked what does not answer.
const ATTEMPTS: NonZeroU32 = NonZeroU32::new(3).expect("three is not zero");

impl Index {
    /// The index at `url`, as cargo writes it: `sparse+http://…/`; one attempt takes at most `timeout`. A token is sent only
    /// where one is wanted.
    pub(crate) fn new(url: &str, timeout: Duration, token: Option<String>) -> anyhow::Result<Self> {
        // Reading twice does no harm, whatever the first reader may still be told.
        let rule = Rule::idempotent_only_with_timeouts();
        let client = Client::builder().rule(rule).max_attempts(ATTEMPTS).read_timeout(timeout).build()?;
        let builder = Registry::builder(url).client(client).timeout(timeout);
        let builder = match token {
            Some(token) => builder.token(token),
            None => builder,
        };
        let usual = builder.build()?;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        Ok(Self { fresh: usual.fresh(), usual, runtime })
    }

    /// Whether `config.json` can be read. An address that is not an index is not an empty registry.
    pub(crate) fn ready(&self) -> Asked<()> {
        self.runtime.block_on(self.fresh.config()).map(drop).map_err(unreadable)
    }

    /// Every version of a crate; none when the registry knows no such crate.
    pub(crate) fn rows(&self, name: &str) -> Asked<Vec<Row>> {
        self.read(&self.fresh, name)
    }

    /// The same as cargo will see it: an old answer of a cache on the way may hide what is out.
    pub(crate) fn rows_for_cargo(&self, name: &str) -> Asked<Vec<Row>> {
        self.read(&self.usual, name)
    }

    /// The published package of a crate, with the checksum that its row states.
    pub(crate) fn package(&self, name: &str, version: &Version) -> Asked<Vec<u8>> {
        self.download(name, version).map_err(unreadable)
    }

    fn download(&self, name: &str, version: &Version) -> anyhow::Result<Vec<u8>> {
        let row = self.runtime.block_on(self.fresh.exact(name, version))?;
        let row = row.with_context(|| format!("the index lists no {name} {version}"))?;
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("package");
        self.runtime.block_on(self.fresh.download(&row, &file))?;
        Ok(fs::read(file)?)
    }

    fn read(&self, registry: &Registry, name: &str) -> Asked<Vec<Row>> {
        match self.runtime.block_on(registry.versions(name)).map_err(unreadable)? {
            None => Ok(Vec::new()),
            Some(versions) => rows(name, &versions),
        }
    }
}

fn rows(name: &str, versions: &Versions) -> Asked<Vec<Row>> {
    if let Some(Skipped { line, why, .. }) = versions.skipped().first() {
        return Err(Unreadable(format!("cannot be read: line {line} of {name}: {why}")));
    }
    let row =
        |row: &httpx_registry::Row| Row { version: row.vers.clone(), checksum: row.cksum.clone(), yanked: row.yanked };
    Ok(versions.rows().iter().map(row).collect())
}

fn unreadable(error: impl Into<anyhow::Error>) -> Unreadable {
    Unreadable(format!("cannot be read: {:#}", error.into()))
}
