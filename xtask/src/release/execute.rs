//! The release itself: upload, wait until the registry shows it, and tag last.
//!
//! The registry has the last word, not an exit code. A stop between any two steps leaves a state that `--resume`
//! finishes: what is out is known by its checksum, and the tag is made only when all is out.

mod fault;
mod lock;
mod note;
mod stop;
mod tag;
mod upload;

pub use fault::POINTS;
pub(super) use lock::Lock;

use super::{
    edge::Place,
    facts::Unreadable,
    gates::{Finding, gate},
    options::{Options, Resume},
    plan::{Plan, TagStep, Upload},
    refusal::Refusal,
};
use anyhow::{Context, Result, bail};
use fault::reach;
use note::{Note, Noted};
use std::{fs, io::Write, path::Path, path::PathBuf, time::Duration};
use stop::{Stop, WayOn};
use upload::{Attempt, Due};

/// How a release is carried out.
#[derive(Clone, Debug)]
pub(super) struct Execution<'a> {
    /// Where everything is.
    pub(super) place: &'a Place,
    /// What was asked.
    pub(super) options: &'a Options,
    /// How long an uploaded crate may take to be seen.
    pub(super) wait: Duration,
}

/// What was done, and why it was not finished.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// The steps that were done.
    pub(super) done: Vec<String>,
    /// What is known by now of the crates that were not out before, as [`CrateLine::registry`](super::CrateLine).
    pub(super) crates: Vec<(String, &'static str)>,
    /// Why no more was done.
    pub(super) stopped: Option<Refusal>,
}

/// Tells a person something. That nobody listens any more is no reason to stop between two steps.
pub(super) fn say(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

impl Execution<'_> {
    /// Carries out a plan.
    ///
    /// # Errors
    /// When nothing was uploaded and the machine fails. All that goes wrong later is told in the outcome.
    pub(super) fn run(&self, plan: &Plan) -> Result<Outcome> {
        let root = self.place.root()?;
        let mut outcome = Outcome::default();
        outcome.stopped = self.upload_all(plan, &root, &mut outcome)?;
        if outcome.stopped.is_none() {
            outcome.stopped = self.finish(plan, &root, &mut outcome.done).err();
        }
        Ok(outcome)
    }

    fn upload_all(&self, plan: &Plan, root: &Path, outcome: &mut Outcome) -> Result<Option<Refusal>> {
        let destination = self.place.destination(root);
        let index = match self.place.index(&destination) {
            Ok(index) => index,
            Err(Unreadable(error)) => bail!("the registry {error}"),
        };
        let notes = self.place.notes()?;
        let registry = destination.arguments();
        let (mut out, missing): (Vec<_>, Vec<_>) = plan.uploads.iter().partition(|upload| upload.is_out);
        let mut attempted = !out.is_empty();
        for (at, upload) in missing.iter().enumerate() {
            let attempt = Attempt {
                root,
                head: &plan.head.sha,
                index: &index,
                version: &plan.version,
                registry: &registry,
                wait: self.wait,
                upload,
                below: &out,
                note: Note::new(&notes, &format!("{}-{}", upload.name, plan.version), &upload.checksum),
            };
            let due = attempt.due();
            // What was begun before, or may have been, is told as begun.
            attempted |= due.is_ok() || !matches!(attempt.note.read(), Ok(Noted::Nothing));
            let done = due.and_then(|due| match due {
                Due::Yes => attempt.run(),
                Due::IsOut => Ok(()),
            });
            match done {
                Ok(()) => {
                    outcome.done.push(format!("published {} {}", upload.name, plan.version));
                    outcome.crates.push((upload.name.clone(), "same"));
                    out.push(upload);
                }
                Err(stop) if !attempted => bail!("nothing was uploaded: {}", stop.why),
                Err(stop) => {
                    let now = if stop.way_on == WayOn::Bump { "other" } else { "unknown" };
                    outcome.crates.push((upload.name.clone(), now));
                    return Ok(Some(self.stopped(plan, stop, &out, &missing[at..])));
                }
            }
        }
        Ok(None)
    }

    fn stopped(&self, plan: &Plan, Stop { why, way_on }: Stop, out: &[&Upload], missing: &[&Upload]) -> Refusal {
        let state = format!("{why}; published: {}; missing: {}", names(out), names(missing));
        match way_on {
            WayOn::Resume => told("E-PUBLISH", format!("{state}; rerun with --resume"), self.resume()),
            WayOn::Return => {
                let sha = &plan.head.sha;
                let again = self.options.again(&["--resume", "--at", sha]);
                told("E-PUBLISH", state, format!("`git switch --detach {sha} && {again}`"))
            }
            WayOn::Bump => {
                told("E-PUBLISH", state, format!("bump VERSION; {} cannot be finished any more", plan.version))
            }
        }
    }

    /// The command that finishes this release from where it stands, in backquotes.
    fn resume(&self) -> String {
        let at = match &self.options.resume {
            Resume::At(sha) => ["--at", sha].as_slice().to_vec(),
            Resume::AtTip | Resume::No => Vec::new(),
        };
        format!("`{}`", self.options.again(&[vec!["--resume"], at].concat()))
    }

    fn finish(&self, plan: &Plan, root: &Path, done: &mut Vec<String>) -> Result<(), Refusal> {
        let name = plan.tag_name();
        let failed = |error: anyhow::Error, fix: String| {
            told("E-POST", format!("every crate is out at {}; {error:#}", plan.version), fix)
        };
        reach("before-tag");
        if plan.tag != TagStep::Keep {
            let made = tag::make(root, &name, &plan.head.sha, &plan.message);
            let without = || format!("should {name} be a mistake: git tag --delete {name}; then {}", self.resume());
            let tag = made.map_err(|error| failed(error, without()))?;
            done.extend((plan.tag == TagStep::Make).then(|| format!("tagged {name}")));
            reach("after-tag");
            let pushed = tag::push(root, &self.options.remote, &name, tag);
            pushed.map_err(|error| failed(error, self.resume()))?;
            done.push(format!("pushed {name}"));
        }
        reach("after-push");
        let notes = self.notes(plan).map_err(|error| {
            failed(error, format!("nothing more is to be done; `{}` prints them", self.options.notes()))
        })?;
        done.push(format!("wrote {}", notes.strip_prefix(root).unwrap_or(&notes).display()));
        reach("after-notes");
        Ok(())
    }

    /// Writes the notes that the host's release page shows.
    fn notes(&self, plan: &Plan) -> Result<PathBuf> {
        let folder = self.place.target()?.join("release-notes");
        let path = folder.join(format!("{}.md", plan.tag_name()));
        let written = fs::create_dir_all(&folder).and_then(|()| fs::write(&path, &plan.message));
        written.with_context(|| format!("the notes {} cannot be written", path.display()))?;
        Ok(path)
    }
}

fn names(uploads: &[&Upload]) -> String {
    let names: Vec<_> = uploads.iter().map(|upload| upload.name.as_str()).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

fn told(code: &str, message: String, fix: String) -> Refusal {
    let gate = gate(code).expect("the code is in the table");
    gate.refusal(Finding::new(message).fix(fix))
}
