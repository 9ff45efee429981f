//! Where the body of the answer goes.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::exit::Trouble;

/// Takes the body, in pieces or at once.
#[derive(Debug)]
pub(super) enum Sink {
    /// Its length is all that matters.
    Nowhere,
    /// Standard output.
    Stdout,
    /// What is not a regular file, such as a pipe, is written to directly.
    Device(File, PathBuf),
    /// A file beside the real one, which it replaces in the end. Without an end it is removed.
    File(NamedTempFile, PathBuf),
}

impl Sink {
    /// Opens `path` before anything is sent, so that an answer is not lost for want of a place.
    pub(super) fn to(path: &Path) -> Result<Self, Trouble> {
        let wrong = |error: io::Error| Trouble::usage(format!("--output: cannot write {}: {error}", path.display()));
        // A link stays a link: what it leads to is replaced.
        let path = if path.exists() { path.canonicalize().map_err(wrong)? } else { path.to_owned() };
        if path.is_dir() {
            return Err(wrong(io::ErrorKind::IsADirectory.into()));
        }
        if path.exists() && !path.is_file() {
            let device = OpenOptions::new().write(true).open(&path).map_err(wrong)?;
            return Ok(Sink::Device(device, path));
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // Asked first: a temporary file's own error would tell of a name that nobody gave.
        folder.metadata().map_err(wrong)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".httpx-");
        as_open_as_any_file(&mut builder);
        builder.tempfile_in(folder).map(|file| Sink::File(file, path.clone())).map_err(wrong)
    }

    /// Takes a piece, and passes it on at once.
    pub(super) fn take(&mut self, piece: &[u8]) -> Result<(), Trouble> {
        let taken = match self {
            Sink::Nowhere => Ok(()),
            Sink::Stdout => {
                let mut stdout = io::stdout().lock();
                stdout.write_all(piece).and_then(|()| stdout.flush())
            }
            Sink::Device(file, _) => file.write_all(piece),
            Sink::File(file, _) => file.write_all(piece),
        };
        taken.map_err(|error| Trouble::failed(format!("cannot write {}: {error}", self.name())))
    }

    /// The body is complete.
    pub(super) fn finish(self) -> Result<(), Trouble> {
        match self {
            Sink::Nowhere | Sink::Stdout | Sink::Device(..) => Ok(()),
            Sink::File(file, path) => {
                let place = path.display().to_string();
                let told = |error| Trouble::failed(format!("cannot write {place}: {error}"));
                file.persist(path).map(drop).map_err(|error| told(error.error))
            }
        }
    }

    fn name(&self) -> String {
        match self {
            Sink::Nowhere | Sink::Stdout => "to standard output".to_owned(),
            Sink::Device(_, path) | Sink::File(_, path) => path.display().to_string(),
        }
    }
}

/// Temporary files are private by default; this one is to become an ordinary one, within the umask.
#[cfg(unix)]
fn as_open_as_any_file(builder: &mut tempfile::Builder<'_, '_>) {
    use std::os::unix::fs::PermissionsExt as _;
    builder.permissions(std::fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn as_open_as_any_file(_: &mut tempfile::Builder<'_, '_>) {}
