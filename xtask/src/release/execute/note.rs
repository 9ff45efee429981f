//! What is remembered of an upload, for a run after this one was killed: a slow index may not show yet what was uploaded.

use std::{
    fs::{self, File},
    io::{self, ErrorKind, Write},
    path::{Path, PathBuf},
};

/// The note about one crate, and about these very bytes only.
#[derive(Debug)]
pub(super) struct Note<'a> {
    path: PathBuf,
    checksum: &'a str,
}

/// What the note says of an earlier run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Noted {
    Nothing,
    /// It began to upload.
    Begun,
    /// The registry confirmed the upload.
    Uploaded,
}

/// How the note of a confirmed upload ends.
const UPLOADED: &str = " uploaded";

impl<'a> Note<'a> {
    pub(super) fn new(folder: &Path, of: &str, checksum: &'a str) -> Self {
        Self { path: folder.join(of), checksum }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the note. One that cannot be read is not taken for none.
    pub(super) fn read(&self) -> io::Result<Noted> {
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Noted::Nothing),
            Err(error) => return Err(error),
        };
        Ok(match text.strip_prefix(self.checksum) {
            None => Noted::Nothing,
            Some(UPLOADED) => Noted::Uploaded,
            // Also when a kill cut the rest short.
            Some(_) => Noted::Begun,
        })
    }

    /// Remembers that the upload begins.
    pub(super) fn begin(&self) -> io::Result<()> {
        let mut file = File::create(&self.path)?;
        file.write_all(self.checksum.as_bytes())?;
        file.sync_all()
    }

    /// Remembers that the registry confirmed it. Appends: at no moment does the note say less than before.
    pub(super) fn confirm(&self) -> io::Result<()> {
        let mut file = File::options().append(true).open(&self.path)?;
        file.write_all(UPLOADED.as_bytes())?;
        file.sync_all()
    }

    /// Forgets an upload that was refused: there is nothing to wait for.
    pub(super) fn forget(&self) -> io::Result<()> {
        fs::remove_file(&self.path)
    }
}
