//! The body of the answer, saved to a file.

use std::path::Path;

use httpx_client::{Digest, Download, RequestBuilder};
use indicatif::ProgressBar;

use crate::{progress, values};

/// What the file is to be.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(super) struct Saving {
    /// The file must have this digest, or there is none
    #[arg(long, value_name = "HEX", requires = "output", conflicts_with = "sha512", value_parser = values::sha256)]
    sha256: Option<Digest>,
    /// The file must have this digest, or there is none
    #[arg(long, value_name = "HEX", requires = "output", value_parser = values::sha512)]
    sha512: Option<Digest>,
    /// Keep what has come beside the file when the call fails, and go on from there the next time
    #[arg(long, requires = "output")]
    resume: bool,
}

impl Saving {
    /// Whether only a regular file will do.
    pub(super) fn needs_file(&self) -> bool {
        self.sha256.is_some() || self.sha512.is_some() || self.resume
    }

    /// The download, whose progress `bar` shows.
    pub(super) fn download(&self, request: RequestBuilder, path: &Path, bar: ProgressBar) -> Download {
        let mut download = request.download_to(path);
        if let Some(digest) = self.sha256.as_ref().or(self.sha512.as_ref()) {
            download = download.verify(digest.clone());
        }
        if self.resume {
            download = download.resumable();
        }
        download.on_progress(progress::shown_by(bar))
    }
}
