//! The evidence that a branch is already in HEAD: ancestry, an empty merge, or the same change under another hash.

use super::{
    ancestry::{Ancestry, Base},
    change::Change,
};
use crate::release::facts::{Absorption, Branch};
use anyhow::Result;
use git2::{Commit, Index, Oid, Repository, Tree};
use std::collections::{HashMap, HashSet};

/// Compares branches with the first-parent chain of HEAD, and remembers what it computed.
pub(super) struct Absorptions<'a> {
    repository: &'a Repository,
    ancestry: &'a Ancestry<'a>,
    /// The places on the chain where each change was made, newest first, as far down as was needed.
    places: HashMap<Change, Vec<usize>>,
    computed: usize,
}

impl<'a> Absorptions<'a> {
    pub(super) fn new(repository: &'a Repository, ancestry: &'a Ancestry<'a>) -> Self {
        Self { repository, ancestry, places: HashMap::new(), computed: 0 }
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
        self.compute_changes_down_to(base.upon)?;
        let (before, after) = (self.tree(base.id)?, self.tree(tip)?);
        let whole = Change::between(self.repository, Some(&before), &after)?;
        if let Some(&twin) = whole.and_then(|whole| self.twins(whole, base).first()) {
            let undone = self.undone(twin, &before, &after)?;
            return Ok(Some(Absorption::Squashed { by: self.sha(twin), undone }));
        }
        let Some(landed) = self.each_with_its_twin(tip, base)? else { return Ok(None) };
        Ok(Some(Absorption::EachCommit { undone: self.any_undone(&landed, &before, &after)? }))
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
        self.holds(&merged, &ours.tree()?)
    }

    /// Whether a merge succeeded and made this tree.
    fn holds(&self, merged: &Index, tree: &Tree<'_>) -> Result<bool> {
        let is_alike = || self.repository.diff_tree_to_index(Some(tree), Some(merged), None);
        Ok(!merged.has_conflicts() && is_alike()?.deltas().len() == 0)
    }

    /// Computes what the commits of the chain above the place `end` change.
    fn compute_changes_down_to(&mut self, end: usize) -> Result<()> {
        for (at, id) in self.ancestry.chain().iter().enumerate().take(end).skip(self.computed) {
            let commit = self.repository.find_commit(*id)?;
            let parent = commit.parent(0).ok().map(|parent| parent.tree()).transpose()?;
            if let Some(change) = Change::between(self.repository, parent.as_ref(), &commit.tree()?)? {
                self.places.entry(change).or_default().push(at);
            }
        }
        self.computed = self.computed.max(end);
        Ok(())
    }

    /// The places where the chain makes a change after the branch left it.
    ///
    /// A commit that the branch builds upon is no landing of the branch: where it was taken back since, the branch
    /// brings it anew.
    fn twins(&self, change: Change, base: Base) -> &[usize] {
        let places = self.places.get(&change).map(Vec::as_slice).unwrap_or_default();
        &places[..places.partition_point(|place| *place < base.upon)]
    }

    /// What took back, after it landed at the place `twin`, the change from `old` to `new`.
    fn undone(&self, twin: usize, old: &Tree<'_>, new: &Tree<'_>) -> Result<Option<String>> {
        let back = Change::between(self.repository, Some(new), old)?;
        let newest = back.and_then(|back| self.places.get(&back)?.first());
        Ok(newest.filter(|place| **place < twin).map(|place| self.sha(*place)))
    }

    /// What took back all of what landed at once, or one commit of it.
    fn any_undone(&self, landed: &[(Oid, usize)], before: &Tree<'_>, after: &Tree<'_>) -> Result<Option<String>> {
        let Some(newest) = landed.iter().map(|(_, twin)| *twin).min() else { return Ok(None) };
        if let Some(by) = self.undone(newest, before, after)? {
            return Ok(Some(by));
        }
        for (id, twin) in landed {
            let parent = self.repository.find_commit(*id)?.parent_id(0)?;
            if let Some(by) = self.undone(*twin, &self.tree(parent)?, &self.tree(*id)?)? {
                return Ok(Some(by));
            }
        }
        Ok(None)
    }

    /// The commits of the branch that change something, each with the place of its newest twin; `None` when one has no twin
    /// of its own.
    fn each_with_its_twin(&self, tip: Oid, base: Base) -> Result<Option<Vec<(Oid, usize)>>> {
        let mut made: HashMap<Change, usize> = HashMap::new();
        let mut landed = Vec::new();
        for id in self.ancestry.beyond_head(tip)? {
            let commit = self.repository.find_commit(id)?;
            match commit.parent_count() {
                1 => {}
                // What it brings are commits of their own; what it changed by hand has no twin.
                2 if self.is_made_by_git(&commit)? => continue,
                _ => return Ok(None),
            }
            let change = Change::between(self.repository, Some(&commit.parent(0)?.tree()?), &commit.tree()?)?;
            let Some(change) = change else { continue };
            let times = made.entry(change).or_default();
            *times += 1;
            match self.twins(change, base) {
                twins if twins.len() >= *times => landed.push((id, twins[0])),
                _ => return Ok(None),
            }
        }
        Ok(Some(landed))
    }

    /// Whether a merge holds what git makes of its two parents, and nothing besides.
    fn is_made_by_git(&self, merge: &Commit<'_>) -> Result<bool> {
        let merged = self.repository.merge_commits(&merge.parent(0)?, &merge.parent(1)?, None)?;
        self.holds(&merged, &merge.tree()?)
    }

    fn sha(&self, place: usize) -> String {
        self.ancestry.chain()[place].to_string()
    }

    fn tree(&self, id: Oid) -> Result<Tree<'a>> {
        Ok(self.repository.find_commit(id)?.tree()?)
    }
}
