//! The tag: made last, never moved.

use crate::release::edge::last_line;
use anyhow::{Context, Result, bail};
use git2::{Oid, Repository};
use std::path::Path;
use xshell::{Shell, cmd};

/// Makes an annotated tag on a commit.
pub(super) fn make(root: &Path, name: &str, sha: &str, message: &str) -> Result<()> {
    let repository = Repository::open(root)?;
    let commit = repository.find_commit(Oid::from_str(sha)?)?;
    // A machine that releases may have no identity of its own; then it speaks for who landed the commit.
    let tagger = repository.signature().unwrap_or_else(|_| commit.committer().to_owned());
    repository
        .tag(name, commit.as_object(), &tagger, message, false)
        .with_context(|| format!("the tag {name} cannot be made"))?;
    Ok(())
}

/// Pushes a tag of the commit `sha`, and nothing else: neither another tag nor one that was moved meanwhile.
pub(super) fn push(root: &Path, remote: &str, name: &str, sha: &str) -> Result<()> {
    let repository = Repository::open(root)?;
    let reference = repository.find_reference(&format!("refs/tags/{name}"))?;
    let found = reference.peel_to_commit()?.id().to_string();
    if found != sha {
        bail!("the tag {name} leads to {found} and not to {sha}, which was released; it is not pushed");
    }
    let object = reference.target().with_context(|| format!("the tag {name} names another reference"))?.to_string();
    let shell = Shell::new()?;
    shell.change_dir(root);
    shell.set_var("GIT_TERMINAL_PROMPT", "0");
    let tag = format!("{object}:refs/tags/{name}");
    let output = cmd!(shell, "git push --quiet {remote} {tag}").quiet().ignore_status().output()?;
    if !output.status.success() {
        bail!("the tag {name} cannot be pushed: {}", last_line(&output.stderr));
    }
    Ok(())
}
