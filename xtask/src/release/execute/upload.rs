//! One crate: `cargo publish`, then the raw index until it shows the checksum.

use super::fault::reach;
use crate::release::{
    edge::{index::Index, last_line, target},
    version::same_coordinates,
};
use anyhow::{Context, Result};
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
    pub(super) index: &'a Index,
    pub(super) name: &'a str,
    pub(super) version: &'a Version,
    pub(super) checksum: &'a str,
    pub(super) registry: &'a [String],
    pub(super) wait: Duration,
}

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
        // A killed run may have uploaded what a slow index does not show yet. Wait for it before uploading again.
        if self.was_attempted()? && self.appears().is_ok() {
            return Ok(Ok(()));
        }
        reach(&format!("before-upload:{}", self.name));
        fs::write(self.note()?, self.checksum).context("the attempt cannot be noted")?;
        reach(&format!("after-attempt:{}", self.name));
        let uploaded = self.publish()?;
        reach(&format!("after-upload:{}", self.name));
        let seen = self.appears();
        if seen.is_err() && uploaded.is_err() {
            // Refused, and not there after all: nothing to wait for the next time.
            fs::remove_file(self.note()?).context("the attempt cannot be forgotten")?;
        }
        let outcome = match (seen, uploaded) {
            (Ok(()), _) => Ok(()),
            (Err(seen), Ok(())) => Err(format!("{} {} was uploaded, and {seen}", self.name, self.version)),
            (Err(seen), Err(error)) => {
                Err(format!("cargo publish of {} {} failed ({error}), and {seen}", self.name, self.version))
            }
        };
        if outcome.is_ok() {
            reach(&format!("after-seen:{}", self.name));
        }
        Ok(outcome)
    }

    /// Runs `cargo publish`, and stops it once the upload is done: it would wait for the index by its own lights.
    fn publish(&self) -> Result<Result<(), String>> {
        let mut child = Command::new("cargo")
            // These very bytes were built when the release was judged; building again would wait for a slow index.
            .args(["publish", "--package", self.name, "--locked", "--no-verify", "--color", "never"])
            .args(self.registry)
            .current_dir(self.root)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .context("cargo cannot be started")?;
        let stderr = child.stderr.take().context("cargo has no stderr")?;
        let mut told = String::new();
        for line in BufReader::new(stderr).lines() {
            let line = line?;
            eprintln!("{line}");
            told.push_str(&line);
            told.push('\n');
            if line.trim_start().starts_with("Uploaded ") {
                // It may have ended by itself; both are fine.
                let _ = child.kill();
                child.wait()?;
                return Ok(Ok(()));
            }
        }
        let status = child.wait()?;
        Ok(if status.success() { Ok(()) } else { Err(last_line(told.as_bytes())) })
    }

    /// Polls the index until it shows the checksum.
    fn appears(&self) -> Result<(), String> {
        let end = Instant::now() + self.wait;
        loop {
            let seen = self.seen();
            match &seen {
                Seen::Ours => return Ok(()),
                Seen::Other(checksum) => return Err(format!("the registry holds other bytes, {checksum}")),
                Seen::Nothing | Seen::Unreadable(_) if Instant::now() < end => thread::sleep(POLL),
                Seen::Nothing => {
                    return Err(format!("the index does not show it after {} s", self.wait.as_secs()));
                }
                Seen::Unreadable(error) => return Err(format!("the registry {error}")),
            }
        }
    }

    fn seen(&self) -> Seen {
        let rows = match self.index.rows(self.name) {
            Ok(rows) => rows,
            Err(error) => return Seen::Unreadable(error.0),
        };
        let taken: Vec<_> = rows.iter().filter(|row| same_coordinates(&row.version, self.version)).collect();
        match taken.iter().find(|row| row.checksum != self.checksum) {
            Some(row) => Seen::Other(row.checksum.clone()),
            None if taken.is_empty() => Seen::Nothing,
            None => Seen::Ours,
        }
    }

    /// Whether an earlier run on this machine began to upload these bytes.
    fn was_attempted(&self) -> Result<bool> {
        Ok(fs::read_to_string(self.note()?).is_ok_and(|checksum| checksum == self.checksum))
    }

    /// Where the attempt is noted.
    fn note(&self) -> Result<PathBuf> {
        let folder = target(self.root)?.join("release-attempts");
        fs::create_dir_all(&folder)?;
        Ok(folder.join(format!("{}-{}", self.name, self.version)))
    }
}
