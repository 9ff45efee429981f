//! The release itself: upload, wait until the registry shows it, and tag last.
//!
//! The registry has the last word, not an exit code. A stop between any two steps leaves a state that `--resume`
//! finishes: what is out is known by its checksum, and the tag is made only when all is out.

mod fault;
mod tag;
mod upload;

pub use fault::POINTS;

use super::{
    edge::{Place, index::Index},
    facts::Unreadable,
    gates::gate,
    options::Options,
    plan::{Plan, TagStep, Upload},
    refusal::Refusal,
};
use anyhow::{Context, Result};
use fault::reach;
use std::{fs, path::PathBuf, time::Duration};

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
    /// Why no more was done.
    pub(super) stopped: Option<Refusal>,
}

impl Execution<'_> {
    /// Carries out a plan.
    ///
    /// # Errors
    /// When the machine fails; that a registry or a remote refuses is told in the outcome.
    pub(super) fn run(&self, plan: &Plan) -> Result<Outcome> {
        let mut outcome = Outcome::default();
        let index = match self.place.index() {
            Ok(index) => index,
            Err(Unreadable(error)) => anyhow::bail!("the registry {error}"),
        };
        if let Err(refusal) = self.upload_all(plan, &index, &mut outcome.done)? {
            outcome.stopped = Some(refusal);
            return Ok(outcome);
        }
        if let Err(error) = self.finish(plan, &mut outcome.done) {
            let refusal = told("E-POST", format!("every crate is out at {}; {error:#}", plan.version));
            outcome.stopped = Some(refusal);
        }
        Ok(outcome)
    }

    fn upload_all(&self, plan: &Plan, index: &Index, done: &mut Vec<String>) -> Result<Result<(), Refusal>> {
        let root = self.place.root()?;
        let registry = self.place.cargo_registry();
        let (mut out, missing): (Vec<_>, Vec<_>) = plan.uploads.iter().partition(|upload| upload.is_out);
        for (at, upload) in missing.iter().enumerate() {
            let attempt = upload::Attempt {
                root: &root,
                head: &plan.head.sha,
                index,
                version: &plan.version,
                registry: &registry,
                wait: self.wait,
                upload,
                below: &out,
            };
            if let Err(why) = attempt.run()? {
                let text = format!(
                    "{why}; published: {}; missing: {}; rerun with --resume",
                    names(&out),
                    names(&missing[at..])
                );
                return Ok(Err(told("E-PUBLISH", text)));
            }
            done.push(format!("published {} {}", upload.name, plan.version));
            out.push(upload);
        }
        Ok(Ok(()))
    }

    fn finish(&self, plan: &Plan, done: &mut Vec<String>) -> Result<()> {
        let root = self.place.root()?;
        let name = plan.tag_name();
        reach("before-tag");
        if plan.tag == TagStep::Make {
            tag::make(&root, &name, &plan.head.sha, &plan.message)?;
            done.push(format!("tagged {name}"));
        }
        reach("after-tag");
        if plan.tag != TagStep::Keep {
            tag::push(&root, &self.options.remote, &name, &plan.head.sha)?;
            done.push(format!("pushed {name}"));
        }
        reach("after-push");
        let notes = self.notes(plan)?;
        done.push(format!("wrote {}", notes.strip_prefix(&root).unwrap_or(&notes).display()));
        reach("after-notes");
        Ok(())
    }

    /// Writes the notes that the host's release page shows.
    fn notes(&self, plan: &Plan) -> Result<PathBuf> {
        let folder = self.place.target()?.join("release-notes");
        fs::create_dir_all(&folder)?;
        let path = folder.join(format!("{}.md", plan.tag_name()));
        fs::write(&path, &plan.message).with_context(|| format!("the notes {} cannot be written", path.display()))?;
        Ok(path)
    }
}

fn names(uploads: &[&Upload]) -> String {
    let names: Vec<_> = uploads.iter().map(|upload| upload.name.as_str()).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

fn told(code: &str, message: String) -> Refusal {
    let gate = gate(code).expect("the code is in the table");
    gate.refusal(super::gates::Finding::new(message))
}
