//! Archives of crates, checked against the index.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use http::StatusCode;
use http::header::AUTHORIZATION;
use httpx_client::{Digest, Progress, redacted, redacted_text};
use url::Url;

use crate::error::{Error, ErrorKind};
use crate::fetch::{Answer, ask, unasked};
use crate::registry::Registry;
use crate::row::Row;

impl Registry {
    /// Puts the archive of `row` into the file at `to`, and returns how many bytes it has.
    ///
    /// The file appears in one step, after the checksum was found to be the one of the row; one that is there is replaced
    /// then. An archive that breaks off is gone on with ([`httpx_client::Download`]).
    ///
    /// # Errors
    /// [`ErrorKind::NoArchive`], [`ErrorKind::Checksum`], [`ErrorKind::File`], [`ErrorKind::Unreadable`] when the row has no
    /// checksum or `dl` makes no URL, and whatever keeps a file from being fetched. `to` is then as it was.
    pub async fn download(&self, row: &Row, to: impl AsRef<Path>) -> Result<u64, Error> {
        self.download_with(row, to, drop).await
    }

    /// The same, and `on_progress` is called whenever something has come.
    ///
    /// # Errors
    /// As [`Registry::download`].
    pub async fn download_with(
        &self,
        row: &Row,
        to: impl AsRef<Path>,
        on_progress: impl FnMut(Progress) + Send + 'static,
    ) -> Result<u64, Error> {
        let config = self.config().await?;
        let unreadable = |told: String| ErrorKind::Unreadable { url: redacted(self.index()), told };
        let told = config.archive_url(row)?;
        let url = Url::parse(&told)
            .map_err(|error| unreadable(format!("dl makes {:?}, which is no URL: {error}", redacted_text(&told))))?;
        let digest = Digest::sha256(&row.cksum)
            .map_err(|error| unreadable(format!("cksum of {} {}: {error}", row.name, row.vers)))?;
        let to = to.as_ref();
        // Shared, since the archive may be asked for again with the token.
        let on_progress = Arc::new(Mutex::new(on_progress));
        // 206 is the answer of an archive that broke off once and was gone on with.
        let answer = ask(&url, self.access(&url, config), &[StatusCode::OK, StatusCode::PARTIAL_CONTENT], |token| {
            let request = self.shared.client.get(&url);
            let request = match token {
                Some(token) => request.header(AUTHORIZATION, token),
                None => request,
            };
            let on_progress = Arc::clone(&on_progress);
            let told = move |progress| on_progress.lock().unwrap_or_else(PoisonError::into_inner)(progress);
            request.download_to(to).verify(digest.clone()).on_progress(told).into_future()
        });
        match answer.await.map_err(|error| unsaved(error, &url, to))? {
            Answer::There(saved) => Ok(saved.body().bytes),
            Answer::NotThere(status) => {
                let (name, version) = (row.name.clone(), row.vers.clone());
                Err(ErrorKind::NoArchive { name, version, url: redacted(&url), status }.into())
            }
            Answer::Unchanged => Err(unasked(&url)),
        }
    }
}

/// Tells an archive that came and was not kept from one that did not come.
fn unsaved(error: Error, url: &Url, to: &Path) -> Error {
    match error.into_kind() {
        ErrorKind::NoAnswer(source) => match source.kind() {
            httpx_client::ErrorKind::Digest => ErrorKind::Checksum { url: redacted(url), source },
            httpx_client::ErrorKind::File => ErrorKind::File { path: to.to_owned(), source },
            _ => ErrorKind::NoAnswer(source),
        },
        other => other,
    }
    .into()
}
