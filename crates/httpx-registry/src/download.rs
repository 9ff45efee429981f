//! Archives of crates, checked against the index.

use std::io::Write;
use std::path::{Path, PathBuf};

use http::header::AUTHORIZATION;
use httpx_client::redacted;
use sha2::{Digest, Sha256};
use tokio::task::spawn_blocking;
use url::Url;

use crate::cache::hex;
use crate::error::{Error, ErrorKind};
use crate::fetch::{Meaning, ask, unasked};
use crate::registry::Registry;
use crate::row::Row;

impl Registry {
    /// Puts the archive of `row` into the file at `to`, and returns how many bytes it has. The file appears in one step,
    /// after the checksum was found to be the one of the row; one that is there is replaced.
    ///
    /// # Errors
    /// [`ErrorKind::NoArchive`], [`ErrorKind::Checksum`], [`ErrorKind::File`], and whatever keeps a file from being
    /// fetched. `to` is then as it was.
    pub async fn download(&self, row: &Row, to: impl AsRef<Path>) -> Result<u64, Error> {
        let config = self.config().await?;
        let told = config.archive_url(row)?;
        let url = Url::parse(&told).map_err(|error| ErrorKind::Unreadable {
            url: redacted(&self.shared.index),
            told: format!("dl makes {told:?}, which is no URL: {error}"),
        })?;
        let answer = ask(&url, self.access(&url, config), |token| {
            let request = self.shared.client.get(&url);
            match token {
                Some(token) => request.header(AUTHORIZATION, token).fetch_bytes(),
                None => request.fetch_bytes(),
            }
        });
        let (meaning, answer) = answer.await?;
        match meaning {
            Meaning::There => {}
            Meaning::NotThere => {
                let (name, version) = (row.name.clone(), row.vers.clone());
                return Err(ErrorKind::NoArchive { name, version, url: redacted(&url), status: answer.status() }.into());
            }
            Meaning::Unchanged => return Err(unasked(&url)),
        }
        let archive = answer.into_body();
        let found = hex(&Sha256::digest(&archive));
        if !found.eq_ignore_ascii_case(&row.cksum) {
            return Err(ErrorKind::Checksum { url: redacted(&url), expected: row.cksum.clone(), found }.into());
        }
        let path = to.as_ref().to_owned();
        let length = archive.len() as u64;
        let written = spawn_blocking({
            let path = path.clone();
            move || write(&path, &archive)
        });
        let written = written.await.unwrap_or_else(|error| Err(std::io::Error::other(error)));
        written.map_err(|source| ErrorKind::File { path, source })?;
        Ok(length)
    }
}

fn write(file: &PathBuf, archive: &[u8]) -> std::io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut new = tempfile::NamedTempFile::new_in(folder)?;
    new.write_all(archive)?;
    new.persist(file)?;
    Ok(())
}
