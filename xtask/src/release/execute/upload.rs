//! One crate: `cargo publish`, then the raw index until it shows the checksum.

use super::fault::reach;
use crate::release::{
    edge::{index::Index, last_line, target},
    facts::{Asked, Row},
    plan::Upload,
    version::same_coordinates,
};
use anyhow::{Context, Result};
use git2::Repository;
use semver::Version;
use std::{
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// The upload of one crate.
#[derive(Debug)]
pub(super) struct Attempt<'a> {
    pub(super) root: &'a Path,
    /// The commit that is released.
    pub(super) head: &'a str,
    pub(super) index: &'a Index,
    pub(super) version: &'a Version,
    pub(super) registry: &'a [String],
    pub(super) wait: Duration,
    /// The crate.
    pub(super) upload: &'a Upload,
    /// The crates that are out, which it may need.
    pub(super) below: &'a [&'a Upload],
}

/// How `cargo publish` ended. Only the index says whether the crate is out.
#[derive(Debug)]
enum Ended {
    /// It says that it uploaded.
    Uploaded,
    /// It failed after it began to upload, which may have arrived all the same.
    Lost(String),
    /// It failed before that, or the registry refused it.
    Refused(String),
}

/// What the note about an earlier run says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Noted {
    Nothing,
    /// It began to upload.
    Begun,
    /// The registry confirmed the upload.
    Uploaded,
}

/// How the note of a confirmed upload ends.
const UPLOADED: &str = "uploaded";

/// What cargo says when the registry refuses an upload; anything else may have arrived.
const REFUSAL: &str = "responded with an error (status 4";

/// What the index shows of the version.
#[derive(Debug)]
enum Seen {
    Nothing,
    Ours,
    Other(String),
    Unreadable(String),
}

const POLL: Duration = Duration::from_millis(250);

impl Attempt<'_> {
    /// Uploads the crate, and waits until the index shows it.
    ///
    /// # Errors
    /// When cargo cannot be started. That the crate is not out is the inner error: why.
    pub(super) fn run(&self) -> Result<Result<(), String>> {
        let (name, version) = (&self.upload.name, self.version);
        if !self.is_at_head()? {
            return Ok(Err(format!("HEAD is no longer {}, from which {name} was judged", self.head)));
        }
        // A killed run may have uploaded what a slow index does not show yet. Wait for it before uploading again, and never
        // do what the registry has confirmed.
        let noted = self.noted()?;
        if noted != Noted::Nothing {
            match self.appears(self.upload, Index::rows, self.wait) {
                Ok(()) => return Ok(Ok(())),
                Err(seen) if noted == Noted::Uploaded => {
                    let note = self.note()?;
                    return Ok(Err(format!(
                        "{name} {version} was uploaded before, and {seen}; should the registry have lost it, remove {}",
                        note.display()
                    )));
                }
                Err(_) => {}
            }
        }
        for below in self.below {
            if let Err(why) = self.appears(below, Index::rows_for_cargo, self.wait) {
                return Ok(Err(format!("{} {version} is out, and cargo cannot see it yet: {why}", below.name)));
            }
        }
        reach(&format!("before-upload:{name}"));
        fs::write(self.note()?, &self.upload.checksum).context("the attempt cannot be noted")?;
        reach(&format!("after-attempt:{name}"));
        let ended = self.publish()?;
        reach(&format!("after-upload:{name}"));
        if let Ended::Uploaded = ended {
            fs::write(self.note()?, format!("{} {UPLOADED}", self.upload.checksum))
                .context("the upload cannot be noted")?;
        }
        let wait = if matches!(ended, Ended::Refused(_)) { Duration::ZERO } else { self.wait };
        let seen = self.appears(self.upload, Index::rows, wait);
        if seen.is_err() && matches!(ended, Ended::Refused(_)) {
            // Not there after all: nothing to wait for the next time.
            fs::remove_file(self.note()?).context("the attempt cannot be forgotten")?;
        }
        let outcome = seen.map_err(|seen| match ended {
            Ended::Uploaded => format!("{name} {version} was uploaded, and {seen}"),
            Ended::Lost(error) | Ended::Refused(error) => {
                format!("cargo publish of {name} {version} failed ({error}), and {seen}")
            }
        });
        if outcome.is_ok() {
            reach(&format!("after-seen:{name}"));
        }
        Ok(outcome)
    }

    /// Runs `cargo publish`, and stops it once the upload is done: it would wait for the index by its own lights.
    fn publish(&self) -> Result<Ended> {
        let mut child = Command::new("cargo")
            // These very bytes were built when the release was judged; building again would wait for a slow index.
            .args(["publish", "--package", &self.upload.name, "--locked", "--no-verify", "--color", "never"])
            .args(self.registry)
            .current_dir(self.root)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .context("cargo cannot be started")?;
        let stderr = child.stderr.take().context("cargo has no stderr")?;
        let mut told = String::new();
        let mut began = false;
        for line in BufReader::new(stderr).split(b'\n') {
            let line = String::from_utf8_lossy(&line?).into_owned();
            eprintln!("{line}");
            told.push_str(&line);
            told.push('\n');
            began |= line.trim_start().starts_with("Uploading ");
            if line.trim_start().starts_with("Uploaded ") {
                // It may have ended by itself; both are fine.
                let _ = child.kill();
                child.wait()?;
                return Ok(Ended::Uploaded);
            }
        }
        Ok(match (child.wait()?.success(), last_line(told.as_bytes())) {
            (true, _) => Ended::Uploaded,
            (false, error) if began && !told.contains(REFUSAL) => Ended::Lost(error),
            (false, error) => Ended::Refused(error),
        })
    }

    /// Polls the index until it shows the checksum of an upload.
    fn appears(
        &self,
        upload: &Upload,
        read: fn(&Index, &str) -> Asked<Vec<Row>>,
        wait: Duration,
    ) -> Result<(), String> {
        let end = Instant::now() + wait;
        loop {
            let seen = self.seen(upload, read(self.index, &upload.name));
            match &seen {
                Seen::Ours => return Ok(()),
                Seen::Other(checksum) => return Err(format!("the registry holds other bytes, {checksum}")),
                Seen::Nothing | Seen::Unreadable(_) if Instant::now() < end => thread::sleep(POLL),
                Seen::Nothing => return Err(format!("the index does not show it after {} s", wait.as_secs())),
                Seen::Unreadable(error) => return Err(format!("the registry {error}")),
            }
        }
    }

    fn seen(&self, upload: &Upload, rows: Asked<Vec<Row>>) -> Seen {
        let rows = match rows {
            Ok(rows) => rows,
            Err(error) => return Seen::Unreadable(error.0),
        };
        let taken: Vec<_> = rows.iter().filter(|row| same_coordinates(&row.version, self.version)).collect();
        match taken.iter().find(|row| row.checksum != upload.checksum) {
            Some(row) => Seen::Other(row.checksum.clone()),
            None if taken.is_empty() => Seen::Nothing,
            None => Seen::Ours,
        }
    }

    /// What an earlier run on this machine did about these bytes.
    fn noted(&self) -> Result<Noted> {
        let note = fs::read_to_string(self.note()?).unwrap_or_default();
        Ok(match note.strip_prefix(&self.upload.checksum).map(str::trim) {
            Some(UPLOADED) => Noted::Uploaded,
            Some("") => Noted::Begun,
            Some(_) | None => Noted::Nothing,
        })
    }

    fn is_at_head(&self) -> Result<bool> {
        let head = Repository::open(self.root)?.head()?.peel_to_commit()?.id();
        Ok(head.to_string() == self.head)
    }

    /// Where the attempt is noted.
    fn note(&self) -> Result<PathBuf> {
        let folder = target(self.root)?.join("release-attempts");
        fs::create_dir_all(&folder)?;
        Ok(folder.join(format!("{}-{}", self.upload.name, self.version)))
    }
}
