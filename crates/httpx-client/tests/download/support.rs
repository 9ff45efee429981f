//! What the tests share: a body, answers with parts of it, and a folder to put it in.

use std::path::{Path, PathBuf};
use std::time::Duration;

use httpx_client::{Client, ClientBuilder, Digest};
use httpx_faults::{Answer, End, Server};
use tempfile::TempDir;

/// A limit that is meant to elapse.
pub(crate) const SHORT: Duration = Duration::from_millis(200);

/// The length of the body.
pub(crate) const LENGTH: usize = 1000;

/// The tag of the body.
pub(crate) const TAG: &str = "\"v1\"";

/// A client whose retries follow at once.
pub(crate) fn quick() -> ClientBuilder {
    ClientBuilder::new().delay(Duration::from_millis(1)).max_delay(Duration::from_millis(5))
}

pub(crate) fn client() -> Client {
    quick().build().unwrap()
}

/// A body in which no two places look alike.
pub(crate) fn blob() -> Vec<u8> {
    (0..LENGTH as u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).take(LENGTH).collect()
}

/// All of it, with its tag.
pub(crate) fn whole() -> Answer {
    Answer::status(200).header("etag", TAG).body(blob())
}

/// All of it is announced, and so many bytes come.
pub(crate) fn cut_after(sent: usize) -> Answer {
    whole().cut(sent, End::Fin)
}

/// What a range from `first` on is answered with.
pub(crate) fn rest_from(first: usize) -> Answer {
    let range = format!("bytes {first}-{}/{LENGTH}", LENGTH - 1);
    Answer::status(206).header("etag", TAG).header("content-range", range).body(blob()[first..].to_vec())
}

/// The range that each request asked for.
pub(crate) fn ranges(server: &Server) -> Vec<Option<String>> {
    server.journal().requests().iter().map(|request| request.header("range").map(str::to_owned)).collect()
}

/// A range from `first` on, as asked for.
pub(crate) fn from(first: usize) -> Option<String> {
    Some(format!("bytes={first}-"))
}

/// A folder of its own, and the file that is to be there.
pub(crate) fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("blob");
    (folder, target)
}

/// The names of all that is in the folder.
pub(crate) fn names(folder: &TempDir) -> Vec<String> {
    let entries = std::fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

pub(crate) fn content(path: &Path) -> Vec<u8> {
    std::fs::read(path).unwrap()
}

/// Computed by the crate itself, not by the client.
pub(crate) fn sha256(body: &[u8]) -> Digest {
    use sha2::Digest as _;
    let value = sha2::Sha256::digest(body);
    Digest::sha256(value.iter().map(|byte| format!("{byte:02x}")).collect::<String>()).unwrap()
}
