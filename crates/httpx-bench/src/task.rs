//! The work of one run.

use crate::{
    counts::Counts,
    heap::Look,
    scenario::{Ability, Scenario},
};
use anyhow::{Context, Result, ensure};
use bytes::Bytes;
use reqwest::{
    Method, Url,
    header::{HeaderName, HeaderValue},
};
use std::{collections::BTreeMap, path::PathBuf, pin::Pin};

/// What a peer has to do.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// The kind of work.
    pub(crate) scenario: Scenario,
    /// How many calls.
    pub(crate) count: u64,
    /// The address of `httpx-bench-server`, as in `http://127.0.0.1:4000/`.
    pub(crate) url: Url,
    /// Where the server is asked what it saw: its address without TLS.
    pub(crate) counts: Url,
    /// The certificate to trust, as PEM.
    pub(crate) cacert: Option<PathBuf>,
    /// Looks at the heap of this program.
    pub(crate) heap: Look,
}

/// What a run found out, by name.
pub(crate) type Told = BTreeMap<&'static str, f64>;

/// Does the work of a run.
pub(crate) type Work = fn(Task) -> Pin<Box<dyn Future<Output = Result<Told>>>>;

/// Who can be asked to do some work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Worker {
    /// The name that the tables show.
    pub(crate) name: &'static str,
    pub(crate) ability: Ability,
    pub(crate) work: Work,
}

/// A request, made ready once for the whole run. A client that parses any of it again for each call pays for that.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    pub(crate) method: Method,
    pub(crate) url: Url,
    /// On top of what a client adds by itself.
    pub(crate) fields: [(HeaderName, HeaderValue); 3],
    pub(crate) body: Option<Bytes>,
}

impl Task {
    pub(crate) fn ask(&self) -> Result<Ask> {
        let body = self.scenario.body();
        Ok(Ask {
            method: if body.is_some() { Method::POST } else { Method::GET },
            url: self.place(self.scenario.path())?,
            fields: FIELDS.map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value))),
            body,
        })
    }

    /// A place on the server.
    pub(crate) fn place(&self, path: &str) -> Result<Url> {
        self.url.join(path).with_context(|| format!("{} has no place {path}", self.url))
    }

    /// What the server saw so far.
    pub(crate) fn counts(&self) -> Result<Counts> {
        Counts::ask(&self.counts, "/counts")
    }
}

const FIELDS: [(&str, &str); 3] =
    [("accept", "application/json"), ("x-request-source", "bench"), ("x-request-trace", "00-4bf92f3577b34da6")];

/// Refuses an answer that is not the server's, so that no count is ever taken of failures.
///
/// # Errors
/// When `status` is not 200 or `length`, the bytes of the body, is not `due`.
pub(crate) fn check(status: u16, length: usize, due: usize) -> Result<()> {
    ensure!(status == 200, "the server answered {status} where 200 is due");
    ensure!(length == due, "the body has {length} bytes where {due} are due");
    Ok(())
}
