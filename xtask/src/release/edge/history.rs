//! What the objects of the local repository say.

use crate::release::{
    facts::{Checkout, Commit},
    version,
};
use anyhow::{Context, Result};
use git2::{
    AttrCheckFlags, IndexEntry, IndexEntryExtendedFlag, IndexEntryFlag, ObjectType, Oid, Repository, RepositoryState,
    Sort, StatusOptions, SubmoduleIgnore, SubmoduleStatus,
};
use std::path::Path;

/// HEAD and the working tree.
pub(super) fn checkout(repository: &Repository) -> Result<Checkout> {
    let head = repository.head().context("HEAD cannot be read")?;
    let branch = if repository.head_detached()? { None } else { head.shorthand().ok().map(str::to_owned) };
    Ok(Checkout {
        head: commit(repository, head.peel_to_commit()?.id())?,
        branch,
        dirty: dirty(repository)?,
        shallow: repository.is_shallow(),
        partial: is_partial(repository)?,
        in_progress: in_progress(repository.state()),
    })
}

/// One commit with the text of its VERSION.
pub(super) fn commit(repository: &Repository, id: Oid) -> Result<Commit> {
    let commit = repository.find_commit(id).with_context(|| format!("commit {id} cannot be read"))?;
    Ok(Commit {
        sha: id.to_string(),
        tree: commit.tree_id().to_string(),
        message: String::from_utf8_lossy(commit.message_bytes()).into_owned(),
        version: text(repository, id, "VERSION")?,
    })
}

/// The text of the file at `path` in a commit; `None` when it has none.
pub(super) fn text(repository: &Repository, id: Oid, path: &str) -> Result<Option<String>> {
    let tree = repository.find_commit(id)?.tree()?;
    let Ok(entry) = tree.get_path(Path::new(path)) else { return Ok(None) };
    let blob = repository.find_blob(entry.id()).with_context(|| format!("{path} of {id} cannot be read"))?;
    Ok(Some(String::from_utf8_lossy(blob.content()).into_owned()))
}

/// The commits from `tip` by first parents.
pub(super) fn first_parents(repository: &Repository, tip: Oid) -> Result<Vec<Oid>> {
    let mut walk = repository.revwalk()?;
    walk.set_sorting(Sort::NONE)?;
    walk.simplify_first_parent()?;
    walk.push(tip)?;
    Ok(walk.collect::<Result<_, _>>()?)
}

/// The beginning of `chain` that has the VERSION of its first commit, however it is spelled.
pub(super) fn run(repository: &Repository, chain: &[Oid]) -> Result<Vec<Commit>> {
    let Some(head) = chain.first() else { return Ok(Vec::new()) };
    let stated = commit(repository, *head)?.version;
    let version = stated.as_deref().and_then(|text| version::parse(text).ok());
    let mut run = Vec::new();
    for id in chain {
        let commit = commit(repository, *id)?;
        let belongs = match &version {
            Some(version) => version::states(commit.version.as_deref(), version),
            None => commit.version == stated,
        };
        if !belongs {
            break;
        }
        run.push(commit);
    }
    Ok(run)
}

/// The commit that a tag leads to.
pub(super) fn tag(repository: &Repository, name: &str) -> Option<String> {
    let tag = repository.find_reference(&format!("refs/tags/{name}")).ok()?;
    Some(match tag.peel_to_commit() {
        Ok(commit) => commit.id().to_string(),
        // A tag of something else is in the way all the same.
        Err(_) => "something that is no commit".to_owned(),
    })
}

/// Whether the clone was made with `--filter`. What it left out git fetches when asked for it; libgit2 does not.
fn is_partial(repository: &Repository) -> Result<bool> {
    let config = repository.config()?;
    let mut filters = config.entries(Some(r"^remote\..*\.partialclonefilter$"))?;
    Ok(filters.next().is_some())
}

fn dirty(repository: &Repository) -> Result<Vec<String>> {
    let mut options = StatusOptions::new();
    options.include_untracked(true).include_ignored(false).exclude_submodules(false);
    let statuses = repository.statuses(Some(&mut options)).context("the working tree cannot be read")?;
    let mut paths: Vec<_> =
        statuses.iter().map(|entry| String::from_utf8_lossy(entry.path_bytes()).into_owned()).collect();
    for path in moved_submodules(repository)? {
        if !paths.contains(&path) {
            paths.push(path);
        }
    }
    let index = repository.index().context("the index cannot be read")?;
    for entry in index.iter() {
        let path = String::from_utf8_lossy(&entry.path).into_owned();
        // Cargo packages what is on the disk, whatever git says of it.
        let hidden = if is_unwatched(&entry) {
            "git was told not to look"
        } else if is_converted(repository, &entry, &path) {
            "git changes its line ends here"
        } else {
            continue;
        };
        if !paths.contains(&path) {
            paths.push(format!("{path} ({hidden})"));
        }
    }
    Ok(paths)
}

/// The submodules that hold something else than HEAD says. Asked one by one, since `diff.ignoreSubmodules` and .gitmodules
/// can hide them from the status of the repository.
fn moved_submodules(repository: &Repository) -> Result<Vec<String>> {
    let unmoved =
        SubmoduleStatus::IN_HEAD | SubmoduleStatus::IN_INDEX | SubmoduleStatus::IN_CONFIG | SubmoduleStatus::IN_WD;
    let mut moved = Vec::new();
    for module in repository.submodules().context("the submodules cannot be read")? {
        let path = module.path().to_string_lossy().into_owned();
        let status = repository.submodule_status(&path, SubmoduleIgnore::None);
        let status = status.with_context(|| format!("the submodule {path} cannot be read"))?;
        // One that is not checked out holds nothing.
        if !(unmoved | SubmoduleStatus::WD_UNINITIALIZED).contains(status) {
            moved.push(path);
        }
    }
    Ok(moved)
}

fn is_unwatched(entry: &IndexEntry) -> bool {
    let unchanged = IndexEntryFlag::from_bits_truncate(entry.flags).contains(IndexEntryFlag::VALID);
    let skipped = IndexEntryExtendedFlag::from_bits_truncate(entry.flags_extended);
    unchanged || skipped.contains(IndexEntryExtendedFlag::SKIP_WORKTREE)
}

/// Whether a file that git calls unchanged has line ends of this machine, so that its package would have other bytes than
/// one made elsewhere. Those that the repository itself asks for are the same everywhere.
fn is_converted(repository: &Repository, entry: &IndexEntry, path: &str) -> bool {
    let is_file = entry.mode & 0o170_000 == 0o100_000;
    let on_disk = repository.workdir().and_then(|root| std::fs::read(root.join(path)).ok());
    let Some(on_disk) = on_disk.filter(|_| is_file) else { return false };
    if Oid::hash_object(ObjectType::Blob, &on_disk).is_ok_and(|found| found == entry.id) {
        return false;
    }
    let asked = repository.get_attr_bytes(Path::new(path), "eol", AttrCheckFlags::FILE_THEN_INDEX);
    let plain = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("\r\n", "\n");
    let committed = repository.find_blob(entry.id).ok();
    let is_alike = committed.is_some_and(|blob| plain(blob.content()) == plain(&on_disk));
    is_alike && asked.ok().flatten().is_none()
}

fn in_progress(state: RepositoryState) -> Option<String> {
    let name = match state {
        RepositoryState::Clean => return None,
        RepositoryState::Merge => "merge",
        RepositoryState::Revert | RepositoryState::RevertSequence => "revert",
        RepositoryState::CherryPick | RepositoryState::CherryPickSequence => "cherry-pick",
        RepositoryState::Bisect => "bisect",
        RepositoryState::Rebase | RepositoryState::RebaseInteractive | RepositoryState::RebaseMerge => "rebase",
        RepositoryState::ApplyMailbox | RepositoryState::ApplyMailboxOrRebase => "patch mailbox",
    };
    Some(name.to_owned())
}
