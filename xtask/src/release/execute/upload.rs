//! One crate: `cargo publish`, then the raw index until it shows the checksum.

use super::{
    fault::reach,
    note::{Note, Noted},
    say,
    stop::Stop,
};
use crate::release::{
    edge::{index::Index, last_line},
    facts::{Asked, Row},
    plan::Upload,
    version::same_coordinates,
};
use anyhow::Result;
use git2::Repository;
use semver::Version;
use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
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
    /// How cargo is told which registry is meant.
    pub(super) registry: &'a [String],
    pub(super) wait: Duration,
    /// The crate.
    pub(super) upload: &'a Upload,
    /// The crates that are out, which it may need.
    pub(super) below: &'a [&'a Upload],
    /// What is remembered of it.
    pub(super) note: Note<'a>,
}

/// Whether a crate is to be uploaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    Yes,
    /// An earlier run did it, and the index shows it by now.
    IsOut,
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

/// What cargo says when the registry refuses an upload; anything else may have arrived.
const REFUSAL: &str = "responded with an error (status 4";

/// What a registry says of a version that it has. It may be the one that an earlier run uploaded.
const TAKEN: &str = "already";

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
    /// Whether the crate is to be uploaded now. Nothing is, before it is known what an earlier run did, and before cargo
    /// sees every crate below.
    pub(super) fn due(&self) -> Result<Due, Stop> {
        let (name, version) = (&self.upload.name, self.version);
        let is_at_head =
            self.is_at_head().map_err(|error| Stop::resumable(format!("HEAD cannot be read: {error:#}")))?;
        if !is_at_head {
            return Err(Stop::moved(format!("HEAD is no longer {}, from which {name} was judged", self.head)));
        }
        let note = self.note.path().display();
        // A killed run may have uploaded what a slow index does not show yet. Wait for it before uploading again, and never
        // do what the registry has confirmed.
        let noted = self.note.read().map_err(|error| Stop::resumable(format!("{note} cannot be read: {error}")))?;
        if noted != Noted::Nothing {
            match self.appears(self.upload, Index::rows, self.wait) {
                Ok(()) => return Ok(Due::IsOut),
                Err(stop) if noted == Noted::Uploaded || stop.is_final() => {
                    return Err(stop.because(|seen| {
                        format!("{name} {version} was uploaded before, and {seen}; should the registry have lost it, remove {note}")
                    }));
                }
                Err(_) => {}
            }
        }
        for below in self.below {
            self.appears(below, Index::rows_for_cargo, self.wait).map_err(|stop| {
                stop.because(|why| format!("{} {version} is out, and cargo cannot see it yet: {why}", below.name))
            })?;
        }
        reach(&format!("before-upload:{name}"));
        self.note.begin().map_err(|error| Stop::resumable(format!("{note} cannot be written: {error}")))?;
        reach(&format!("after-attempt:{name}"));
        Ok(Due::Yes)
    }

    /// Uploads the crate, and waits until the index shows it. Whatever fails from here on may have come too late to keep it
    /// from being out, so that the index decides.
    pub(super) fn run(&self) -> Result<(), Stop> {
        let (name, version) = (&self.upload.name, self.version);
        let ended = self.publish();
        reach(&format!("after-upload:{name}"));
        let mut forgotten = None;
        if let Ended::Uploaded = ended {
            forgotten = self.note.confirm().err();
            reach(&format!("after-confirmation:{name}"));
        }
        let is_refused = matches!(ended, Ended::Refused(_));
        let seen = self.appears(self.upload, Index::rows, if is_refused { Duration::ZERO } else { self.wait });
        let Err(stop) = seen else {
            reach(&format!("after-seen:{name}"));
            return Ok(());
        };
        if is_refused {
            forgotten = self.note.forget().err();
        }
        let note = forgotten.map(|error| format!(" ({} cannot be changed: {error})", self.note.path().display()));
        let note = note.unwrap_or_default();
        Err(stop.because(|seen| match ended {
            Ended::Uploaded => format!("{name} {version} was uploaded, and {seen}{note}"),
            Ended::Lost(error) | Ended::Refused(error) => {
                format!("cargo publish of {name} {version} failed ({error}), and {seen}{note}")
            }
        }))
    }

    /// Runs `cargo publish`.
    fn publish(&self) -> Ended {
        let child = Command::new("cargo")
            // These very bytes were built when the release was judged; building again would wait for a slow index.
            .args(["publish", "--package", &self.upload.name, "--locked", "--no-verify", "--color", "never"])
            .args(self.registry)
            .current_dir(self.root)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        match child {
            Ok(child) => self.follow(child),
            Err(error) => Ended::Refused(format!("cargo cannot be started: {error}")),
        }
    }

    /// Follows what cargo says, and stops it once the upload is done: it would wait for the index by its own lights.
    fn follow(&self, mut child: Child) -> Ended {
        let mut told = String::new();
        let mut began = false;
        let stderr = child.stderr.take().map(BufReader::new);
        // When no more can be read, cargo's exit says the rest.
        for line in stderr.into_iter().flat_map(|stderr| stderr.split(b'\n')).map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line).into_owned() + "\n";
            say(&line);
            told.push_str(&line);
            if line.trim_start().starts_with("Uploading ") {
                began = true;
                reach(&format!("while-uploading:{}", self.upload.name));
            }
            if line.trim_start().starts_with("Uploaded ") {
                // It may have ended by itself; both are fine.
                let _ = child.kill();
                let _ = child.wait();
                return Ended::Uploaded;
            }
        }
        let is_refused = !began || (told.contains(REFUSAL) && !told.contains(TAKEN));
        match (child.wait(), last_line(told.as_bytes())) {
            (Ok(status), _) if status.success() => Ended::Uploaded,
            (Ok(_), error) if is_refused => Ended::Refused(error),
            (Ok(_), error) => Ended::Lost(error),
            (Err(error), _) => Ended::Lost(error.to_string()),
        }
    }

    /// Polls the index until it shows the checksum of an upload.
    fn appears(&self, upload: &Upload, read: fn(&Index, &str) -> Asked<Vec<Row>>, wait: Duration) -> Result<(), Stop> {
        let end = Instant::now() + wait;
        loop {
            let seen = self.seen(upload, read(self.index, &upload.name));
            match &seen {
                Seen::Ours => return Ok(()),
                Seen::Other(checksum) => {
                    return Err(Stop::taken(format!("the registry holds other bytes, {checksum}")));
                }
                Seen::Nothing | Seen::Unreadable(_) if Instant::now() < end => thread::sleep(POLL),
                Seen::Nothing => {
                    return Err(Stop::resumable(format!("the index does not show it after {} s", wait.as_secs())));
                }
                Seen::Unreadable(error) => return Err(Stop::resumable(format!("the registry {error}"))),
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

    fn is_at_head(&self) -> Result<bool> {
        let head = Repository::open(self.root)?.head()?.peel_to_commit()?.id();
        Ok(head.to_string() == self.head)
    }
}
