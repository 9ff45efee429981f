//! The tag: made last, never moved.

use crate::release::edge::last_line;
use anyhow::{Context, Result, bail};
use git2::{ErrorCode, ObjectType, Oid, Repository};
use std::path::Path;
use xshell::{Shell, cmd};

/// Sees to it that the annotated tag of a commit is here. A tag without a message that leads to that commit says nothing
/// that the annotated one does not, and gives way to it.
pub(super) fn make(root: &Path, name: &str, sha: &str, message: &str) -> Result<Oid> {
    let repository = Repository::open(root)?;
    let commit = repository.find_commit(Oid::from_str(sha)?)?;
    let is_bare = match repository.find_reference(&format!("refs/tags/{name}")) {
        Err(error) if error.code() == ErrorCode::NotFound => false,
        Err(error) => return Err(error).with_context(|| format!("the tag {name} cannot be read")),
        Ok(found) => {
            let leads_to = found.peel_to_commit().map(|commit| commit.id().to_string());
            if leads_to.as_ref().ok().map(String::as_str) != Some(sha) {
                let leads_to = leads_to.unwrap_or_else(|_| "no commit".to_owned());
                bail!("the tag {name} leads to {leads_to} and not to {sha}, which was released; it is not pushed");
            }
            let object = found.target().with_context(|| format!("the tag {name} names another reference"))?;
            if repository.find_object(object, None)?.kind() == Some(ObjectType::Tag) {
                return Ok(object);
            }
            true
        }
    };
    // A machine that releases may have no identity of its own; then it speaks for who landed the commit.
    let tagger = repository.signature().unwrap_or_else(|_| commit.committer().to_owned());
    let made = repository.tag(name, commit.as_object(), &tagger, message, is_bare);
    made.with_context(|| format!("the tag {name} cannot be made"))
}

/// Pushes this very tag, and nothing else: neither another one nor what its name was moved to meanwhile.
pub(super) fn push(root: &Path, remote: &str, name: &str, object: Oid) -> Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(root);
    shell.set_var("GIT_TERMINAL_PROMPT", "0");
    let tag = format!("{object}:refs/tags/{name}");
    // Settings of this machine may send more than what is named.
    let alone = ["--no-follow-tags", "--recurse-submodules=no"];
    let output = cmd!(shell, "git push --quiet {alone...} {remote} {tag}").quiet().ignore_status().output()?;
    if !output.status.success() {
        bail!("the tag {name} cannot be pushed: {}", last_line(&output.stderr));
    }
    Ok(())
}
