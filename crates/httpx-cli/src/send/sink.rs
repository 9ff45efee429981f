//! Where the body of the answer goes, when it is not saved to a file.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::exit::Trouble;

/// Takes the body, in pieces or at once.
#[derive(Debug)]
pub(super) enum Sink {
    /// Its length is all that matters.
    Nowhere,
    /// Standard output.
    Stdout,
    /// What is no regular file, such as a pipe.
    Device(File, PathBuf),
}

/// Is there something that is written to directly, since nothing can take its place?
pub(super) fn is_device(path: &Path) -> bool {
    path.exists() && !path.is_file() && !path.is_dir()
}

impl Sink {
    /// Opens a device before anything is sent.
    pub(super) fn device(path: &Path) -> Result<Self, Trouble> {
        let opened = OpenOptions::new().write(true).open(path);
        let device =
            opened.map_err(|error| Trouble::usage(format!("--output: cannot write {}: {error}", path.display())))?;
        Ok(Sink::Device(device, path.to_owned()))
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
        };
        taken.map_err(|error| Trouble::failed(format!("cannot write {}: {error}", self.name())))
    }

    fn name(&self) -> String {
        match self {
            Sink::Nowhere | Sink::Stdout => "to standard output".to_owned(),
            Sink::Device(_, path) => path.display().to_string(),
        }
    }
}
