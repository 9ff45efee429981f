//! How branches stand to the history of HEAD. That history is walked once, not once a branch.

use super::history::places;
use anyhow::Result;
use git2::{Oid, Repository};
use std::collections::{HashMap, HashSet};

/// The history of HEAD.
pub(super) struct Ancestry<'a> {
    repository: &'a Repository,
    chain: &'a [Oid],
    places: HashMap<Oid, usize>,
    all: HashSet<Oid>,
}

/// Where a branch left the history of HEAD.
#[derive(Clone, Copy, Debug)]
pub(super) struct Base {
    /// The commit.
    pub(super) id: Oid,
    /// Whether it left there and nowhere else: no part of main was merged into the branch later.
    pub(super) is_only: bool,
}

impl<'a> Ancestry<'a> {
    /// `chain` is the first-parent chain of HEAD, HEAD first.
    pub(super) fn new(repository: &'a Repository, chain: &'a [Oid]) -> Result<Self> {
        let mut all = HashSet::new();
        if let Some(head) = chain.first() {
            let mut walk = repository.revwalk()?;
            walk.push(*head)?;
            for id in walk {
                all.insert(id?);
            }
        }
        Ok(Self { repository, chain, places: places(chain), all })
    }

    /// The first-parent chain, HEAD first.
    pub(super) fn chain(&self) -> &'a [Oid] {
        self.chain
    }

    /// The place of a commit on the first-parent chain.
    pub(super) fn place(&self, id: Oid) -> Option<usize> {
        self.places.get(&id).copied()
    }

    /// The commits of a branch that HEAD does not have.
    pub(super) fn beyond_head(&self, tip: Oid) -> Result<Vec<Oid>> {
        Ok(self.leave(tip)?.0)
    }

    /// Where a branch left; `None` when it shares nothing with HEAD.
    pub(super) fn base(&self, tip: Oid) -> Result<Option<Base>> {
        let (_, shared) = self.leave(tip)?;
        let mut shared = shared.into_iter();
        match (shared.next(), shared.next(), self.chain.first()) {
            (None, ..) => Ok(None),
            (Some(id), None, _) | (Some(id), _, None) => Ok(Some(Base { id, is_only: true })),
            (Some(_), Some(_), Some(head)) => {
                Ok(Some(Base { id: self.repository.merge_base(*head, tip)?, is_only: false }))
            }
        }
    }

    /// The commits that HEAD does not have, and those it has from which they were made.
    fn leave(&self, tip: Oid) -> Result<(Vec<Oid>, HashSet<Oid>)> {
        let (mut beyond, mut shared, mut seen) = (Vec::new(), HashSet::new(), HashSet::new());
        let mut next = vec![tip];
        while let Some(id) = next.pop() {
            if self.all.contains(&id) {
                shared.insert(id);
            } else if seen.insert(id) {
                beyond.push(id);
                next.extend(self.repository.find_commit(id)?.parent_ids());
            }
        }
        Ok((beyond, shared))
    }
}
