//! What was fetched before, to be confirmed by the server before it is used.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use http::header::{ETAG, LAST_MODIFIED};
use http::{HeaderMap, HeaderValue};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::task::spawn_blocking;
use url::Url;

/// One file of an index as it came, and how to ask whether it changed.
#[derive(Clone, Debug)]
pub(crate) struct Cached {
    pub(crate) validators: Validators,
    pub(crate) body: Bytes,
}

/// What the server calls this state of the file (RFC 9110 §8.8).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Validators {
    pub(crate) etag: Option<String>,
    pub(crate) last_modified: Option<String>,
}

impl Validators {
    /// Those of an answer; `None` when it has none, so that nothing can be asked by them.
    pub(crate) fn of(headers: &HeaderMap) -> Option<Self> {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let validators = Validators { etag: text(ETAG), last_modified: text(LAST_MODIFIED) };
        (validators.etag.is_some() || validators.last_modified.is_some()).then_some(validators)
    }

    /// Whether they can stand in a request: what is read from a file may have been spoilt there.
    fn can_be_sent(&self) -> bool {
        [&self.etag, &self.last_modified].into_iter().flatten().all(|text| HeaderValue::from_str(text).is_ok())
    }
}

/// Where it is kept.
#[derive(Debug)]
pub(crate) enum Cache {
    /// As long as the registry lives.
    Memory(Mutex<HashMap<String, Cached>>),
    /// In this folder, for everyone who is given it.
    Folder(PathBuf),
}

impl Cache {
    pub(crate) fn memory() -> Self {
        Cache::Memory(Mutex::default())
    }

    /// A folder of its own for each index, below `root`.
    pub(crate) fn folder(root: &Path, index: &Url) -> Self {
        Cache::Folder(root.join(hex(&Sha256::digest(index.as_str()))))
    }

    /// What is kept of the file at `path`. One that cannot be read is as good as none.
    pub(crate) async fn get(&self, path: &str) -> Option<Cached> {
        match self {
            Cache::Memory(files) => files.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned(),
            Cache::Folder(folder) => {
                let file = folder.join(path);
                spawn_blocking(move || read(&file)).await.ok().flatten()
            }
        }
    }

    /// Keeps it, or does not: a cache that cannot be written costs time only.
    pub(crate) async fn put(&self, path: &str, cached: Cached) {
        match self {
            Cache::Memory(files) => {
                files.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned(), cached);
            }
            Cache::Folder(folder) => {
                let file = folder.join(path);
                drop(spawn_blocking(move || write(&file, &cached)).await);
            }
        }
    }
}

/// A kept file is a line of JSON, the validators, and then the body as it came.
fn read(file: &Path) -> Option<Cached> {
    let bytes = fs::read(file).ok()?;
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let validators = serde_json::from_slice(&bytes[..end]).ok().filter(Validators::can_be_sent)?;
    Some(Cached { validators, body: Bytes::from(bytes).slice(end + 1..) })
}

/// In one step, so that nobody reads half of it.
fn write(file: &Path, cached: &Cached) -> std::io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut new = tempfile::NamedTempFile::new_in(folder)?;
    serde_json::to_writer(&mut new, &cached.validators)?;
    new.write_all(b"\n")?;
    new.write_all(&cached.body)?;
    new.persist(file)?;
    Ok(())
}

fn hex(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
