//! What the registry says: its raw sparse index, read past every cache.
//!
//! Only 404, 410 and 451 mean that a crate is not there. Whatever else is not an answer that can be read.

use crate::release::facts::{Asked, Row, Unreadable};
use httpx_client::{Client, reqwest::StatusCode};
use serde::Deserialize;
use std::{num::NonZeroU32, time::Duration};
use tokio::runtime::{Builder, Runtime};

/// A registry, reached through its sparse index.
#[derive(Debug)]
pub(crate) struct Index {
    url: String,
    client: Client,
    runtime: Runtime,
}

/// The file `config.json` of an index.
#[derive(Debug, Deserialize)]
struct Config {
    dl: String,
}

#[derive(Deserialize)]
struct Line {
    name: String,
    vers: String,
    cksum: String,
    #[serde(default)]
    yanked: bool,
}

impl Index {
    /// The index at `url`, as cargo writes it: `sparse+http://…/`.
    pub(crate) fn new(url: &str) -> anyhow::Result<Self> {
        let client = Client::builder().timeout(Duration::from_secs(10)).max_attempts(ATTEMPTS).build()?;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let url = format!("{}/", url.trim_start_matches("sparse+").trim_end_matches('/'));
        Ok(Self { url, client, runtime })
    }

    /// Whether `config.json` can be read. An address that is not an index is not an empty registry.
    pub(crate) fn ready(&self) -> Asked<()> {
        self.config().map(|_| ())
    }

    /// Every version of a crate; none when the registry knows no such crate.
    pub(crate) fn rows(&self, name: &str) -> Asked<Vec<Row>> {
        let (status, body) = self.get(&format!("{}{}", self.url, path(name)))?;
        match status.as_u16() {
            200 => rows(name, &body),
            404 | 410 | 451 => Ok(Vec::new()),
            _ => Err(Unreadable(format!("answered {status} for {name}"))),
        }
    }

    /// The published package of a crate.
    pub(crate) fn package(&self, name: &str, row: &Row) -> Asked<Vec<u8>> {
        let url = download(&self.config()?.dl, name, row);
        match self.get(&url)? {
            (StatusCode::OK, body) => Ok(body),
            (status, _) => Err(Unreadable(format!("answered {status} for the package of {name}"))),
        }
    }

    fn config(&self) -> Asked<Config> {
        let (status, body) = self.get(&format!("{}config.json", self.url))?;
        if status != StatusCode::OK {
            return Err(Unreadable(format!("answered {status} for config.json")));
        }
        serde_json::from_slice(&body)
            .map_err(|error| Unreadable(format!("has a config.json that cannot be read: {error}")))
    }

    fn get(&self, url: &str) -> Asked<(StatusCode, Vec<u8>)> {
        let request = || self.client.get(url).header("cache-control", "no-cache").fetch_bytes();
        let mut answer = self.runtime.block_on(request());
        // The client does not repeat what timed out. Reading an index twice does no harm.
        for _ in 1..ATTEMPTS.get() {
            if answer.is_ok() {
                break;
            }
            answer = self.runtime.block_on(request());
        }
        match answer {
            Ok(answer) => Ok((answer.status(), answer.into_body().to_vec())),
            Err(error) => Err(Unreadable(format!("did not answer: {error}"))),
        }
    }
}

const ATTEMPTS: NonZeroU32 = NonZeroU32::new(3).expect("three is not zero");

/// Where an index keeps a crate: `1/a`, `2/ab`, `3/a/abc`, `ab/cd/abcd`.
fn path(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    match name.len() {
        1 => format!("1/{name}"),
        2 => format!("2/{name}"),
        3 => format!("3/{}/{name}", &name[..1]),
        _ => format!("{}/{}/{name}", name.get(..2).unwrap_or_default(), name.get(2..4).unwrap_or_default()),
    }
}

fn rows(name: &str, body: &[u8]) -> Asked<Vec<Row>> {
    let text = String::from_utf8_lossy(body);
    let lines: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    if lines.is_empty() {
        return Err(Unreadable(format!("answered 200 and nothing for {name}")));
    }
    let row = |line: &&str| match serde_json::from_str::<Line>(line) {
        Ok(line) if line.name == name => Ok(Row { version: line.vers, checksum: line.cksum, yanked: line.yanked }),
        Ok(line) => Err(Unreadable(format!("answered with {} for {name}", line.name))),
        Err(error) => Err(Unreadable(format!("answered with a row of {name} that cannot be read: {error}"))),
    };
    lines.iter().map(row).collect()
}

/// Where a package is kept. Source: "Registry index", section "Index configuration", of the cargo book.
fn download(template: &str, name: &str, row: &Row) -> String {
    const MARKERS: [&str; 5] = ["{crate}", "{version}", "{prefix}", "{lowerprefix}", "{sha256-checksum}"];
    if !MARKERS.iter().any(|marker| template.contains(marker)) {
        return format!("{}/{name}/{}/download", template.trim_end_matches('/'), row.version);
    }
    let place = path(name);
    let prefix = place.rsplit_once('/').map_or("", |(prefix, _)| prefix);
    template
        .replace("{crate}", name)
        .replace("{version}", &row.version)
        .replace("{prefix}", prefix)
        .replace("{lowerprefix}", prefix)
        .replace("{sha256-checksum}", &row.checksum)
}
