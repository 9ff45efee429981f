//! A case: the facts, what was asked, and what several gates derive from them alike.

use super::{
    facts::{Branch, Commit, Facts, IndexFacts, Member, Row},
    layers::{Layer, Standing, layers},
    marker::{Mark, mark},
    options::{Mode, Options, Override, Resume},
    order,
    version::{parse, same_coordinates, states},
};
use semver::Version;

/// What a gate judges.
#[derive(Debug)]
pub struct Case<'a> {
    /// What is known.
    pub facts: &'a Facts,
    /// What was asked.
    pub options: &'a Options,
    /// VERSION, when it is one.
    pub version: Option<Version>,
    /// Every branch of the remote, judged for that version.
    pub layers: Vec<Layer>,
}

/// What the registry holds of a planned crate at the version to release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Published<'a> {
    /// Nothing.
    Absent,
    /// The very bytes that HEAD makes.
    Same(&'a Row),
    /// Other bytes, or bytes that could not be compared.
    Other(&'a Row),
    /// The registry did not say.
    Unknown,
}

impl<'a> Case<'a> {
    /// Derives what the gates share.
    pub fn new(facts: &'a Facts, options: &'a Options) -> Self {
        let version = facts.tree.version.as_deref().and_then(|text| parse(text).ok());
        let layers = match (&version, &facts.remote) {
            (Some(version), Ok(remote)) => layers(&remote.branches, version, &facts.checkout.head.sha),
            _ => Vec::new(),
        };
        Self { facts, options, version, layers }
    }

    /// The crates that the release ships, each after those it needs.
    pub fn planned(&self) -> Vec<&'a Member> {
        order::bottom_up(self.facts.tree.members.as_deref().unwrap_or_default())
    }

    /// What the registry answered about a crate.
    pub fn index(&self, name: &str) -> Option<&'a IndexFacts> {
        self.facts.index.iter().find(|index| index.name == name)
    }

    /// The versions the registry holds of a crate, yanked ones included.
    pub fn rows(&self, name: &str) -> &'a [Row] {
        self.index(name).and_then(|index| index.rows.as_deref().ok()).unwrap_or_default()
    }

    /// What the registry holds of a crate at the version to release. Build metadata does not make another version.
    pub fn published(&self, name: &str) -> Published<'a> {
        let Some(Ok(rows)) = self.index(name).map(|index| index.rows.as_ref()) else { return Published::Unknown };
        let Some(version) = &self.version else { return Published::Unknown };
        let taken = || rows.iter().filter(|row| same_coordinates(&row.version, version));
        let is_same = |row: &Row| self.checksum(name) == Some(&row.checksum) && row.version == *version;
        if let Some(other) = taken().find(|row| !is_same(row)) {
            return Published::Other(other);
        }
        let row = taken().find(|row| row.yanked).or_else(|| taken().next());
        row.map_or(Published::Absent, Published::Same)
    }

    /// The sha256 of the package that HEAD makes of a crate.
    pub fn checksum(&self, name: &str) -> Option<&'a str> {
        Some(self.facts.packages.as_ref().ok()?.get(name)?.checksum.as_str())
    }

    /// Whether no planned crate is published at the version, and the registry said so of each.
    pub fn is_absent(&self) -> bool {
        self.planned().iter().all(|member| self.published(&member.name) == Published::Absent)
    }

    /// Whether at least one planned crate is published from these very bytes.
    pub fn is_begun(&self) -> bool {
        self.planned().iter().any(|member| matches!(self.published(&member.name), Published::Same(_)))
    }

    /// Whether all planned crates are published from these very bytes.
    pub fn is_published(&self) -> bool {
        let planned = self.planned();
        !planned.is_empty() && planned.iter().all(|member| matches!(self.published(&member.name), Published::Same(_)))
    }

    /// Whether an interrupted release is to be finished.
    pub fn resumes(&self) -> bool {
        self.options.resume != Resume::No
    }

    /// Whether a pull request is judged, before there is anything to release.
    pub fn is_lint(&self) -> bool {
        self.options.mode == Mode::Lint
    }

    /// Whether the version is about to ship. A pull request that neither bumps it nor is marked ships nothing.
    pub fn is_shipped(&self) -> bool {
        let bumps =
            |base: &Commit| self.version.as_ref().is_none_or(|version| !states(base.version.as_deref(), version));
        let is_marked = mark(&self.head().message) == Mark::Marked;
        !self.is_lint() || is_marked || self.facts.proposal.as_ref().is_none_or(|proposal| bumps(&proposal.base))
    }

    /// HEAD.
    pub fn head(&self) -> &'a Commit {
        &self.facts.checkout.head
    }

    /// The other commits of the run whose titles carry the marker, each with its place counted from HEAD.
    pub fn marked_below(&self) -> Vec<(usize, &'a Commit)> {
        let run = self.facts.run.iter().enumerate().skip(1);
        run.filter(|(_, commit)| mark(&commit.message) == Mark::Marked).collect()
    }

    /// How many commits of the run came with the push that is looked at, as far as the run is seen.
    pub fn pushed(&self) -> usize {
        self.before_the_push().unwrap_or(self.facts.run.len())
    }

    /// Whether every commit of the run that came with the push is seen.
    pub fn sees_the_push(&self) -> bool {
        self.facts.run_is_whole || self.before_the_push().is_some()
    }

    /// The place in the run where what was pushed ends; `None` when it reaches beyond.
    ///
    /// Without `--if-marked` nothing was pushed just now, and the whole run counts; with it and without `--since`,
    /// only HEAD is known to be new.
    fn before_the_push(&self) -> Option<usize> {
        match (&self.options.since, self.options.if_marked) {
            (Some(since), true) => self.facts.run.iter().position(|commit| is_abbreviated(since, &commit.sha)),
            (None, true) => Some(1),
            (_, false) => None,
        }
    }

    /// Open layers that nobody said to stand outside of the stack, each with the reason why it is one.
    pub fn open_layers(&self) -> Vec<(&Layer, &str)> {
        let open = self.layers.iter().filter_map(|layer| match &layer.standing {
            Standing::Open(why) => Some((layer, why.as_str())),
            Standing::Absorbed(_) | Standing::OtherVersion | Standing::Rider => None,
        });
        open.filter(|(layer, _)| !self.is_outside(&layer.name)).collect()
    }

    /// Riders that nobody said to stand outside of the stack.
    pub fn riders(&self) -> Vec<&Layer> {
        let riders = self.layers.iter().filter(|layer| layer.standing == Standing::Rider);
        riders.filter(|layer| !self.is_outside(&layer.name)).collect()
    }

    /// The branches of the remote, as far as they are known.
    pub fn branches(&self) -> &'a [Branch] {
        self.facts.remote.as_ref().map_or(&[], |remote| &remote.branches)
    }

    fn is_outside(&self, branch: &str) -> bool {
        let full = format!("{}/{branch}", self.options.remote);
        self.options.not_in_stack.iter().any(|Override { of, .. }| of == branch || *of == full)
    }
}

/// Whether `given`, of at least four digits, is `sha` or its beginning.
pub(crate) fn is_abbreviated(given: &str, sha: &str) -> bool {
    given.len() >= 4 && sha.starts_with(&given.to_ascii_lowercase())
}
