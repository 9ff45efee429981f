//! Which branches of the remote are layers of the stack that a version ships.
//!
//! A branch is *absorbed* when its work is already in HEAD, a *rider* when it would merely be late, and *open* when it
//! belongs to the version: published without it, the version could never take it.

use super::{
    changelog,
    facts::{Absorption, Branch, short},
    version,
};
use semver::Version;
use std::collections::BTreeMap;

/// One branch, judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    /// Its name, without the remote's.
    pub name: String,
    /// What it is to the version.
    pub standing: Standing,
}

/// What a branch is to a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Its VERSION is another one, or none.
    OtherVersion,
    /// Its work is in HEAD.
    Absorbed(String),
    /// It belongs to the version and is not in HEAD.
    Open(String),
    /// It has the version only because it was cut while VERSION said so.
    Rider,
}

/// Judges each branch for `version`, seen from the commit `head`.
pub fn layers(branches: &[Branch], version: &Version, head: &str) -> Vec<Layer> {
    let absorbed = absorbed(branches);
    let judge = |branch: &Branch| {
        if let Some(why) = absorbed.get(branch.name.as_str()) {
            return Standing::Absorbed(why.clone());
        }
        if !version::states(branch.version.as_deref(), version) {
            return Standing::OtherVersion;
        }
        open(branch, version, head).map_or(Standing::Rider, |why| Standing::Open(why.to_owned()))
    };
    branches.iter().map(|branch| Layer { name: branch.name.clone(), standing: judge(branch) }).collect()
}

/// Why each absorbed branch is: for reasons of its own, or because a branch that holds its tip is.
fn absorbed(branches: &[Branch]) -> BTreeMap<&str, String> {
    let own = branches.iter().filter_map(|branch| Some((branch.name.as_str(), evidence(branch.absorbed.as_ref()?))));
    let own: BTreeMap<_, _> = own.collect();
    let mut all = own.clone();
    for branch in branches.iter().filter(|branch| !own.contains_key(branch.name.as_str())) {
        if let Some(upper) = branch.below.iter().find(|upper| own.contains_key(upper.as_str())) {
            all.insert(&branch.name, format!("part of {upper}"));
        }
    }
    all
}

fn evidence(absorption: &Absorption) -> String {
    match absorption {
        Absorption::Ancestor => "in the history of HEAD".to_owned(),
        Absorption::MergeChangesNothing => "merging it changes no file".to_owned(),
        Absorption::Squashed { by, undone } => format!("the same change as {}{}", short(by), taken_back(undone)),
        Absorption::EachCommit { undone } => format!("each commit has a twin on main{}", taken_back(undone)),
    }
}

fn taken_back(undone: &Option<String>) -> String {
    undone.as_ref().map(|by| format!(", which {} took back", short(by))).unwrap_or_default()
}

/// Why an unabsorbed branch that states `version` belongs to it.
fn open(branch: &Branch, version: &Version, head: &str) -> Option<&'static str> {
    let Some(fork) = &branch.fork else { return Some("shares no history with HEAD") };
    let section = |text: &Option<String>| {
        text.as_deref().and_then(|text| Some(changelog::section(text, version)?.body)).unwrap_or_default()
    };
    if !version::states(fork.commit.version.as_deref(), version) {
        Some("branch carries the bump")
    } else if !fork.on_main {
        Some("cut from a merged layer")
    } else if fork.commit.sha == head {
        Some("cut from HEAD")
    } else if section(&branch.changelog) != section(&fork.changelog) {
        Some("edits the changelog section")
    } else if branch.stack_trailers.iter().any(|trailer| version::states(Some(trailer), version)) {
        Some("has a Release-Stack trailer")
    } else {
        None
    }
}
