//! A file that is being written, beside the one that it is to become.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, SeekFrom};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tempfile::TempPath;
use tokio::io::{AsyncReadExt as _, AsyncSeekExt as _, AsyncWriteExt as _};

use crate::digest::Hasher;
use crate::range::Validator;

/// What becomes of an unfinished file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Unfinished {
    /// It is removed.
    #[default]
    Removed,
    /// It stays, as `NAME.part`, with `NAME.part.json` that tells what it is a part of.
    Kept,
}

/// What a kept file is a part of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Origin {
    /// Without secrets, for people.
    pub(crate) url: String,
    /// The SHA-256 of the whole URL: the validators of different bodies are often the same.
    pub(crate) of: String,
    pub(crate) validator: Validator,
    pub(crate) total: Option<u64>,
}

/// Bytes on their way to a file, which stands there whole or not at all.
#[derive(Debug)]
pub(crate) struct Partial {
    file: tokio::fs::File,
    place: Place,
    target: PathBuf,
}

#[derive(Debug)]
enum Place {
    /// Removed when dropped.
    Temporary(TempPath),
    Kept {
        part: PathBuf,
        note: PathBuf,
    },
}

impl Partial {
    /// Opens what is to become `target`.
    pub(crate) fn open(target: &Path, unfinished: Unfinished) -> io::Result<Self> {
        if target.as_os_str().as_encoded_bytes().last().is_some_and(|end| std::path::is_separator(char::from(*end))) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it ends like a folder; name a file in it"));
        }
        // A link stays a link: what it leads to is replaced.
        let target = if target.exists() { target.canonicalize()? } else { target.to_owned() };
        if target.exists() && !target.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is there and not a regular file"));
        }
        let (file, place) = match unfinished {
            Unfinished::Removed => temporary(&target)?,
            Unfinished::Kept => kept(&target)?,
        };
        Ok(Partial { file: tokio::fs::File::from_std(file), place, target })
    }

    /// The file that it is to become.
    pub(crate) fn target(&self) -> &Path {
        &self.target
    }

    /// What an earlier download left: how many bytes, and of what.
    pub(crate) async fn left(&self) -> Option<(u64, Origin)> {
        let Place::Kept { note, .. } = &self.place else { return None };
        let origin = serde_json::from_slice(&tokio::fs::read(note).await.ok()?).ok()?;
        Some((self.file.metadata().await.ok()?.len(), origin))
    }

    /// Forgets what is there from `length` on.
    pub(crate) async fn shorten(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length).await
    }

    /// Goes to the end of what is there, through `hasher`.
    pub(crate) async fn pass_over(&mut self, hasher: Option<&mut Hasher>) -> io::Result<()> {
        if let Some(hasher) = hasher {
            let mut piece = vec![0; 64 * 1024];
            loop {
                match self.file.read(&mut piece).await? {
                    0 => break,
                    read => hasher.update(&piece[..read]),
                }
            }
        }
        self.file.seek(SeekFrom::End(0)).await.map(drop)
    }

    /// Forgets what is there, and notes what comes instead; without a validator nothing can be told of it.
    pub(crate) async fn begin(&mut self, origin: Option<&Origin>) -> io::Result<()> {
        self.file.set_len(0).await?;
        self.file.seek(SeekFrom::Start(0)).await?;
        match (&self.place, origin) {
            (Place::Temporary(_), _) => Ok(()),
            (Place::Kept { note, .. }, Some(origin)) => tokio::fs::write(note, serde_json::to_vec(origin)?).await,
            (Place::Kept { note, .. }, None) => remove(note),
        }
    }

    pub(crate) async fn write(&mut self, piece: &[u8]) -> io::Result<()> {
        self.file.write_all(piece).await
    }

    /// Waits until the system has taken everything: a full disk is told here at the latest.
    pub(crate) async fn flush(&mut self) -> io::Result<()> {
        self.file.flush().await
    }

    /// Puts the file in its place. When this returns it is there whole, also after a power cut.
    pub(crate) async fn persist(self) -> io::Result<()> {
        self.file.sync_all().await?;
        match self.place {
            Place::Temporary(path) => path.persist(&self.target)?,
            Place::Kept { part, note } => {
                tokio::fs::rename(part, &self.target).await?;
                remove(&note)?;
            }
        }
        sync_folder(&self.target).await
    }

    /// Removes what is there, although it would be kept.
    pub(crate) fn discard(self) -> io::Result<()> {
        match &self.place {
            Place::Temporary(_) => Ok(()),
            Place::Kept { part, note } => remove(note).and_then(|()| remove(part)),
        }
    }
}

fn temporary(target: &Path) -> io::Result<(File, Place)> {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Asked first: a temporary file's own error would tell of a name that nobody gave.
    folder.metadata()?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(".httpx-");
    as_open_as_any_file(&mut builder);
    // Nor has anybody to know the name of this one.
    let made = builder.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
    let (file, path) = made.into_parts();
    Ok((file, Place::Temporary(path)))
}

fn kept(target: &Path) -> io::Result<(File, Place)> {
    let beside = |ending: &str| {
        let mut name = target.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    let (part, note) = (beside(".part"), beside(".part.json"));
    // A link would be written through, and then stand in the place of the file.
    if part.symlink_metadata().is_ok_and(|there| !there.is_file()) {
        let name = part.file_name().unwrap_or_default().display();
        return Err(io::Error::new(io::ErrorKind::InvalidInput, format!("{name} is there and not a regular file")));
    }
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&part)?;
    let busy = || io::Error::new(io::ErrorKind::ResourceBusy, "another download is writing it");
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => busy(),
        TryLockError::Error(error) => error,
    })?;
    // Whoever held the lock before may have put the file in its place meanwhile.
    if !part.exists() {
        return Err(busy());
    }
    Ok((file, Place::Kept { part, note }))
}

fn remove(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
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

/// A new name is kept by its folder, which has to be written too.
#[cfg(unix)]
async fn sync_folder(target: &Path) -> io::Result<()> {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    tokio::fs::File::open(folder).await?.sync_all().await
}

#[cfg(not(unix))]
async fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}
