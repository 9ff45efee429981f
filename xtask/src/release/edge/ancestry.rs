//! How branches stand to the history of HEAD. That history is walked once, not once a branch.

use anyhow::Result;
use git2::{Oid, Repository, Sort};
use std::collections::{HashMap, HashSet};

/// The history of HEAD.
pub(super) struct Ancestry<'a> {
    repository: &'a Repository,
    chain: &'a [Oid],
    /// For each commit of the history the place of the newest commit of the chain that it is or builds upon.
    upon: HashMap<Oid, usize>,
}

/// Where a branch left the history of HEAD.
#[derive(Clone, Copy, Debug)]
pub(super) struct Base {
    /// The commit.
    pub(super) id: Oid,
    /// Whether it left there and nowhere else: no part of main was merged into the branch later.
    pub(super) is_only: bool,
    /// The place of the newest commit of the chain that the branch builds upon; the length of the chain when it builds
    /// upon none.
    pub(super) upon: usize,
}

impl<'a> Ancestry<'a> {
    /// `chain` is the first-parent chain of HEAD, HEAD first.
    pub(super) fn new(repository: &'a Repository, chain: &'a [Oid]) -> Result<Self> {
        let mut upon: HashMap<Oid, usize> = chain.iter().enumerate().map(|(at, id)| (*id, at)).collect();
        if let Some(head) = chain.first() {
            let mut walk = repository.revwalk()?;
            walk.set_sorting(Sort::TOPOLOGICAL | Sort::REVERSE)?;
            walk.push(*head)?;
            for id in walk {
                let id = id?;
                if !upon.contains_key(&id) {
                    // Parents come first, so what they build upon is known.
                    let parents = repository.find_commit(id)?.parent_ids().collect::<Vec<_>>();
                    let newest = parents.iter().filter_map(|parent| upon.get(parent).copied()).min();
                    upon.insert(id, newest.unwrap_or(chain.len()));
                }
            }
        }
        Ok(Self { repository, chain, upon })
    }

    /// The first-parent chain, HEAD first.
    pub(super) fn chain(&self) -> &'a [Oid] {
        self.chain
    }

    /// Whether a commit is on the first-parent chain.
    pub(super) fn is_on_chain(&self, id: Oid) -> bool {
        self.upon.get(&id).is_some_and(|place| self.chain.get(*place) == Some(&id))
    }

    /// The commits of a branch that HEAD does not have.
    pub(super) fn beyond_head(&self, tip: Oid) -> Result<Vec<Oid>> {
        Ok(self.leave(tip)?.0)
    }

    /// Where a branch left; `None` when it shares nothing with HEAD.
    pub(super) fn base(&self, tip: Oid) -> Result<Option<Base>> {
        let (_, shared) = self.leave(tip)?;
        let is_only = shared.len() == 1;
        let Some(upon) = shared.iter().map(|id| self.upon[id]).min() else { return Ok(None) };
        let id = match (shared.into_iter().next(), self.chain.first()) {
            (Some(id), _) if is_only => id,
            (Some(_), Some(head)) => self.repository.merge_base(*head, tip)?,
            (None, _) | (_, None) => return Ok(None),
        };
        Ok(Some(Base { id, is_only, upon }))
    }

    /// The commits that HEAD does not have, and those it has from which they were made.
    fn leave(&self, tip: Oid) -> Result<(Vec<Oid>, HashSet<Oid>)> {
        let (mut beyond, mut shared, mut seen) = (Vec::new(), HashSet::new(), HashSet::new());
        let mut next = vec![tip];
        while let Some(id) = next.pop() {
            if self.upon.contains_key(&id) {
                shared.insert(id);
            } else if seen.insert(id) {
                beyond.push(id);
                next.extend(self.repository.find_commit(id)?.parent_ids());
            }
        }
        Ok((beyond, shared))
    }
}
