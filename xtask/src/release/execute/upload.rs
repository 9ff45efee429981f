//! One crate: `cargo publish`, then the raw index until it shows the checksum.

use super::fault::reach;
use crate::release::{
    edge::{index::Index, last_line, target},
    facts::{Asked, Row},
    plan::Upload,
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
    Broken(String),
    /// It failed before that.
    Unsent(String),
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
        let (name, version) = (&self.upload.name, self.version);
        // A killed run may have uploaded what a slow index does not show yet. Wait for it before uploading again.
        if self.was_attempted()? && self.appears(self.upload, Index::rows, self.wait).is_ok() {
            return Ok(Ok(()));
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
        let wait = if matches!(ended, Ended::Unsent(_)) { Duration::ZERO } else { self.wait };
        let seen = self.appears(self.upload, Index::rows, wait);
        if seen.is_err() && !matches!(ended, Ended::Uploaded) {
            // Refused, and not there after all: nothing to wait for the next time.
            fs::remove_file(self.note()?).context("the attempt cannot be forgotten")?;
        }
        let outcome = seen.map_err(|seen| match ended {
            Ended::Uploaded => format!("{name} {version} was uploaded, and {seen}"),
            Ended::Broken(error) | Ended::Unsent(error) => {
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
            (false, error) if began => Ended::Broken(error),
            (false, error) => Ended::Unsent(error),
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

    /// Whether an earlier run on this machine began to upload these bytes.
    fn was_attempted(&self) -> Result<bool> {
        Ok(fs::read_to_string(self.note()?).is_ok_and(|checksum| checksum == self.upload.checksum))
    }

    /// Where the attempt is noted.
    fn note(&self) -> Result<PathBuf> {
        let folder = target(self.root)?.join("release-attempts");
        fs::create_dir_all(&folder)?;
        Ok(folder.join(format!("{}-{}", self.upload.name, self.version)))
    }
}
