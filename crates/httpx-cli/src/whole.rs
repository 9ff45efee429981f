//! Files that are there whole or not at all.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

use crate::exit::Trouble;

/// A file that will be written at the end of long work; that it can be is found out before.
#[derive(Debug)]
pub(crate) struct Whole {
    flag: &'static str,
    target: PathBuf,
    /// `None` for a device, which nothing can take the place of.
    draft: Option<NamedTempFile>,
}

impl Whole {
    /// For the file that `flag` names.
    pub(crate) fn at(flag: &'static str, target: &Path) -> Result<Self, Trouble> {
        Self::drafted(flag, target, ordinary())
    }

    /// The same for a file that nobody else may read.
    pub(crate) fn secret(flag: &'static str, target: &Path) -> Result<Self, Trouble> {
        // So is a temporary file by default.
        Self::drafted(flag, target, Builder::new())
    }

    fn drafted(flag: &'static str, target: &Path, builder: Builder<'_, '_>) -> Result<Self, Trouble> {
        let cannot = |error| Trouble::usage(format!("{flag}: cannot write {}: {error}", target.display()));
        if target.is_dir() {
            return Err(cannot(io::ErrorKind::IsADirectory.into()));
        }
        let is_device = target.exists() && !target.is_file();
        let draft = if is_device { None } else { Some(draft(target, builder).map_err(cannot)?) };
        Ok(Whole { flag, target: target.to_owned(), draft })
    }

    /// Writes it, and puts it in its place.
    pub(crate) fn write(self, bytes: &[u8]) -> Result<(), Trouble> {
        let Whole { flag, target, draft } = self;
        let written = match draft {
            Some(mut draft) => {
                draft.write_all(bytes).and_then(|()| draft.persist(&target).map(drop).map_err(|error| error.error))
            }
            None => OpenOptions::new().write(true).open(&target).and_then(|mut device| device.write_all(bytes)),
        };
        written.map_err(|error| Trouble::failed(format!("{flag}: cannot write {}: {error}", target.display())))
    }
}

/// A file within the umask.
fn ordinary() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder
}

fn draft(target: &Path, mut builder: Builder<'_, '_>) -> io::Result<NamedTempFile> {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Asked first: a temporary file's own error would tell of a name that nobody gave.
    folder.metadata()?;
    builder.prefix(".httpx-").tempfile_in(folder)
}
