//! What a commit or a branch changes, so that two changes can be told to be the same.
//!
//! As in git's patch-id, the lines around a hunk count without their white space, and the place of a hunk does not: a
//! change is known again after others landed in the same file. What git's patch-id leaves out counts here: white space
//! in the lines that are added and removed, modes, and what binary files and submodules hold.

use anyhow::Result;
use git2::{DiffDelta, DiffFormat, DiffLine, DiffOptions, FileMode, ObjectType, Oid, Repository, Tree};

/// A change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Change(Oid);

impl Change {
    /// What leads from one tree to another; `None` when they are equal.
    pub(super) fn between(repository: &Repository, old: Option<&Tree<'_>>, new: &Tree<'_>) -> Result<Option<Self>> {
        // Said here, since otherwise git's settings on this machine would decide how much around a hunk counts.
        let mut options = DiffOptions::new();
        options.context_lines(3).interhunk_lines(0);
        let diff = repository.diff_tree_to_tree(old, Some(new), Some(&mut options))?;
        let mut bytes = Vec::new();
        diff.print(DiffFormat::Patch, |delta, _, line| {
            enter(&mut bytes, &delta, &line);
            true
        })?;
        Ok(if bytes.is_empty() { None } else { Some(Self(Oid::hash_object(ObjectType::Blob, &bytes)?)) })
    }
}

/// Enters what counts of one line of a diff.
fn enter(bytes: &mut Vec<u8>, delta: &DiffDelta<'_>, line: &DiffLine<'_>) {
    let origin = line.origin();
    match origin {
        'F' => {
            for file in [delta.old_file(), delta.new_file()] {
                put(bytes, 'F', file.path_bytes().unwrap_or_default());
                put(bytes, 'M', &u32::from(file.mode()).to_be_bytes());
                if file.mode() == FileMode::Commit {
                    put(bytes, 'S', file.id().as_bytes());
                }
            }
        }
        'B' => [delta.old_file(), delta.new_file()].iter().for_each(|file| put(bytes, 'B', file.id().as_bytes())),
        'H' => {}
        ' ' => {
            let content: Vec<u8> = line.content().iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
            put(bytes, origin, &content);
        }
        _ => put(bytes, origin, line.content()),
    }
}

/// Each part is told with its length, so that no two lists of parts look the same.
fn put(bytes: &mut Vec<u8>, origin: char, part: &[u8]) {
    bytes.extend_from_slice(origin.to_string().as_bytes());
    bytes.extend_from_slice(&part.len().to_be_bytes());
    bytes.extend_from_slice(part);
}
