//! The evidence that a branch is already in HEAD: ancestry, an empty merge, or the same change under another hash.

use super::ancestry::{Ancestry, Base};
use crate::release::facts::{Absorption, Branch};
use anyhow::Result;
use git2::{Oid, Repository, Tree};
use std::collections::{HashMap, HashSet};

/// Compares branches with the first-parent chain of HEAD, and remembers what it computed.
pub(super) struct Absorptions<'a> {
    repository: &'a Repository,
    ancestry: &'a Ancestry<'a>,
    /// The patch-ids of the first commits of the chain, as far as they were needed.
    patches: HashMap<Patch, Oid>,
    computed: usize,
}

/// What makes two changes the same. A patch-id knows of a binary file only that it changed.
#[derive(PartialEq, Eq, Hash)]
struct Patch {
    text: Oid,
    binaries: Vec<Oid>,
}

impl<'a> Absorptions<'a> {
    pub(super) fn new(repository: &'a Repository, ancestry: &'a Ancestry<'a>) -> Self {
        Self { repository, ancestry, patches: HashMap::new(), computed: 0 }
    }

    /// Why the branch at `tip` is in HEAD, when it is. Without `thorough` only its ancestry is looked at.
    pub(super) fn of(&mut self, tip: Oid, base: Option<Base>, thorough: bool) -> Result<Option<Absorption>> {
        let Some(base) = base else { return Ok(None) };
        if base.id == tip {
            return Ok(Some(Absorption::Ancestor));
        }
        if !thorough {
            return Ok(None);
        }
        if self.merge_changes_nothing(tip, base)? {
            return Ok(Some(Absorption::MergeChangesNothing));
        }
        self.compute_patches_down_to(base.id)?;
        let whole = self.patch(Some(&self.tree(base.id)?), &self.tree(tip)?)?;
        if let Some(twin) = self.patches.get(&whole) {
            return Ok(Some(Absorption::Squashed(twin.to_string())));
        }
        Ok(self.each_commit_has_a_twin(tip)?.then_some(Absorption::EachCommit))
    }

    /// Enters for each branch that is not absorbed which absorbed branches hold its tip.
    pub(super) fn name_what_is_below(&self, branches: &mut [Branch], tips: &[Oid]) -> Result<()> {
        let mut holders: Vec<(String, HashSet<Oid>)> = Vec::new();
        for (branch, tip) in branches.iter().zip(tips).filter(|(branch, _)| branch.absorbed.is_some()) {
            holders.push((branch.name.clone(), self.ancestry.beyond_head(*tip)?.into_iter().collect()));
        }
        for (branch, tip) in branches.iter_mut().zip(tips).filter(|(branch, _)| branch.absorbed.is_none()) {
            let above = holders.iter().filter(|(_, commits)| commits.contains(tip));
            branch.below = above.map(|(name, _)| name.clone()).collect();
        }
        Ok(())
    }

    fn merge_changes_nothing(&self, tip: Oid, base: Base) -> Result<bool> {
        let Some(head) = self.ancestry.chain().first() else { return Ok(false) };
        let (ours, theirs) = (self.repository.find_commit(*head)?, self.repository.find_commit(tip)?);
        let merged = if base.is_only {
            self.repository.merge_trees(&self.tree(base.id)?, &ours.tree()?, &theirs.tree()?, None)?
        } else {
            self.repository.merge_commits(&ours, &theirs, None)?
        };
        if merged.has_conflicts() {
            return Ok(false);
        }
        let difference = self.repository.diff_tree_to_index(Some(&ours.tree()?), Some(&merged), None)?;
        Ok(difference.deltas().len() == 0)
    }

    /// Computes the patch-ids of the commits of the chain that are newer than `fork`.
    fn compute_patches_down_to(&mut self, fork: Oid) -> Result<()> {
        // A fork beside the chain was merged into it: the chain down to where the fork left it is enough.
        let mut id = fork;
        while self.ancestry.place(id).is_none() {
            match self.repository.find_commit(id)?.parent_id(0) {
                Ok(parent) => id = parent,
                Err(_) => break,
            }
        }
        let chain = self.ancestry.chain();
        let end = self.ancestry.place(id).unwrap_or(chain.len());
        for id in &chain[self.computed.min(end)..end] {
            let commit = self.repository.find_commit(*id)?;
            let parent = commit.parent(0).ok().map(|parent| parent.tree()).transpose()?;
            let patch = self.patch(parent.as_ref(), &commit.tree()?)?;
            self.patches.entry(patch).or_insert(*id);
        }
        self.computed = self.computed.max(end);
        Ok(())
    }

    fn each_commit_has_a_twin(&self, tip: Oid) -> Result<bool> {
        for id in self.ancestry.beyond_head(tip)? {
            let commit = self.repository.find_commit(id)?;
            // What a merge changed by hand has no twin.
            if commit.parent_count() != 1 {
                return Ok(false);
            }
            let patch = self.patch(Some(&commit.parent(0)?.tree()?), &commit.tree()?)?;
            if !self.patches.contains_key(&patch) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn tree(&self, id: Oid) -> Result<Tree<'a>> {
        Ok(self.repository.find_commit(id)?.tree()?)
    }

    fn patch(&self, old: Option<&Tree<'_>>, new: &Tree<'_>) -> Result<Patch> {
        let diff = self.repository.diff_tree_to_tree(old, Some(new), None)?;
        let text = diff.patchid(None)?;
        // Asked after it: which files are binary is known once they were compared.
        let binaries = diff.deltas().filter(|delta| delta.flags().is_binary());
        Ok(Patch { text, binaries: binaries.map(|delta| delta.new_file().id()).collect() })
    }
}
