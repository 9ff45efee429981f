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
    registry: Registry,
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
        Ok(Self { registry: builder.build()?.fresh(), runtime: Builder::new_current_thread().enable_all().build()? })
    }

    /// Whether `config.json` can be read. An address that is not an index is not an empty registry.
    pub(crate) fn ready(&self) -> Asked<()> {
        self.runtime.block_on(self.registry.config()).map(drop).map_err(unreadable)
    }

    /// Every version of a crate; none when the registry knows no such crate.
    pub(crate) fn rows(&self, name: &str) -> Asked<Vec<Row>> {
        match self.versions(name)? {
            None => Ok(Vec::new()),
            Some(versions) => rows(name, &versions),
        }
    }

    /// The published package of a crate, with the checksum that its row states.
    pub(crate) fn package(&self, name: &str, version: &Version) -> Asked<Vec<u8>> {
        self.download(name, version).map_err(unreadable)
    }

    fn download(&self, name: &str, version: &Version) -> anyhow::Result<Vec<u8>> {
        let row = self.runtime.block_on(self.registry.exact(name, version))?;
        let row = row.with_context(|| format!("the index lists no {name} {version}"))?;
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("package");
        self.runtime.block_on(self.registry.download(&row, &file))?;
        Ok(fs::read(file)?)
    }

    fn versions(&self, name: &str) -> Asked<Option<Versions>> {
        self.runtime.block_on(self.registry.versions(name)).map_err(unreadable)
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
