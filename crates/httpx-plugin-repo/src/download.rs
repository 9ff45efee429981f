//! Archives of plugins, checked against what their repository says.

use std::path::Path;

use httpx_client::{Digest, Downloaded, Progress, redacted};

use crate::error::{Error, ErrorKind};
use crate::plugin_repo::{Found, PluginRepo};

impl PluginRepo {
    /// Puts the archive of `found` into `folder`, as [`Found::file_name`].
    ///
    /// The file appears in one step, after its SHA-512 was found to be the one of the release. An archive that breaks off
    /// is gone on with, and what has come when a download fails is there for the next one
    /// ([`httpx_client::Download::resumable`]).
    ///
    /// # Errors
    /// [`ErrorKind::NoDigest`], [`ErrorKind::Digest`], [`ErrorKind::File`], [`ErrorKind::Status`] and
    /// [`ErrorKind::NoAnswer`].
    pub async fn download(&self, found: &Found, folder: impl AsRef<Path>) -> Result<Downloaded, Error> {
        self.download_with(found, folder, drop).await
    }

    /// The same, and `on_progress` is called whenever something has come.
    ///
    /// # Errors
    /// As [`PluginRepo::download`].
    pub async fn download_with(
        &self,
        found: &Found,
        folder: impl AsRef<Path>,
        on_progress: impl FnMut(Progress) + Send + 'static,
    ) -> Result<Downloaded, Error> {
        let digest = digest(found)?;
        let path = folder.as_ref().join(found.file_name());
        let request = self.shared.client.get(&found.url);
        let saved = request.download_to(&path).verify(digest).resumable().on_progress(on_progress).await;
        let saved = saved.map_err(|source| match source.kind() {
            httpx_client::ErrorKind::Digest => ErrorKind::Digest { url: redacted(&found.url), source },
            httpx_client::ErrorKind::File => ErrorKind::File { path, source },
            httpx_client::ErrorKind::Status(status) => {
                ErrorKind::Status { url: redacted(&found.url), status, told: None }
            }
            _ => ErrorKind::NoAnswer(source),
        })?;
        Ok(saved.into_body())
    }
}

fn digest(found: &Found) -> Result<Digest, Error> {
    let Found { id, release, .. } = found;
    let digest = match release.sha512sum.as_deref() {
        None => Err("its repository names no sha512sum".to_owned()),
        Some(hex) => Digest::sha512(hex.trim()).map_err(|error| format!("its sha512sum is none: {error}")),
    };
    digest.map_err(|told| ErrorKind::NoDigest { id: id.clone(), version: release.version.clone(), told }.into())
}
