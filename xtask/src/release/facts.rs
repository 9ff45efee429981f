//! What is known when a release is judged: plain values, so that a test can make up any state of the world.
//!
//! Whatever was not asked, or did not answer, is [`Unreadable`]. It never looks like an empty answer.

use crate::receipts::Receipt;
use jiff::civil::Date;
use semver::Version;
use std::collections::BTreeMap;

/// An answer from outside, or why there is none.
pub type Asked<T> = Result<T, Unreadable>;

/// Why something could not be read, as the end of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable(pub String);

impl Unreadable {
    /// Nobody asked. A gate that needs the answer refuses.
    pub fn not_asked() -> Self {
        Self("was not asked".to_owned())
    }
}

/// Everything a release is judged by.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The date, in UTC.
    pub today: Date,
    /// Who else releases from this clone, when this is to publish.
    pub holder: Option<String>,
    /// HEAD, and whatever stands on it uncommitted.
    pub checkout: Checkout,
    /// The unbroken first-parent stretch that ends at HEAD and has the same VERSION; HEAD comes first.
    pub run: Vec<Commit>,
    /// Whether the run was seen down to its end, which a clone that lacks commits or files may hide.
    pub run_is_whole: bool,
    /// What a pull request proposes, when one is judged.
    pub proposal: Option<Proposal>,
    /// The files that state a version.
    pub tree: TreeFacts,
    /// Where the local tag `vV` leads.
    pub local_tag: Option<String>,
    /// The remote repository.
    pub remote: Asked<Remote>,
    /// Whether the registry that is read is the one that cargo uploads to.
    pub one_registry: Asked<()>,
    /// The registry, one entry per crate that was asked for.
    pub index: Vec<IndexFacts>,
    /// An earlier version that is only partly out.
    pub unfinished: Option<Unfinished>,
    /// The packages built from HEAD, by crate.
    pub packages: Asked<BTreeMap<String, Packaged>>,
    /// Whether the packages build, the upper ones against the lower ones.
    pub verified: Asked<()>,
    /// The notes that CI left, readable or not.
    pub receipts: Vec<Asked<Receipt>>,
    /// What the semver check said.
    pub semver: Semver,
    /// Whether the environment holds a token for the registry.
    pub has_token: bool,
    /// The variable that is to hold it.
    pub token_variable: String,
}

/// The local repository.
#[derive(Clone, Debug)]
pub struct Checkout {
    /// HEAD.
    pub head: Commit,
    /// The branch that HEAD is on; `None` when it is detached.
    pub branch: Option<String>,
    /// Paths that differ from HEAD, untracked ones included.
    pub dirty: Vec<String>,
    /// Whether history ends early.
    pub shallow: bool,
    /// Whether files of older commits were left out of the clone.
    pub partial: bool,
    /// The merge, rebase or the like that is under way.
    pub in_progress: Option<String>,
}

/// What a pull request proposes.
#[derive(Clone, Debug)]
pub struct Proposal {
    /// Where it left its base.
    pub base: Commit,
    /// Its commits.
    pub commits: Vec<Commit>,
}

/// One commit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Commit {
    /// Its full hash.
    pub sha: String,
    /// The hash of its tree.
    pub tree: String,
    /// Its whole message.
    pub message: String,
    /// The text of its file VERSION.
    pub version: Option<String>,
}

impl Commit {
    /// The first seven digits of its hash, as people write it.
    pub fn short(&self) -> &str {
        short(&self.sha)
    }
}

/// The first seven digits of `sha`.
pub fn short(sha: &str) -> &str {
    sha.get(..7).unwrap_or(sha)
}

/// What the tree of HEAD says.
#[derive(Clone, Debug)]
pub struct TreeFacts {
    /// The text of VERSION.
    pub version: Option<String>,
    /// The text of Cargo.toml.
    pub manifest: String,
    /// The registry that is released to, by the name that manifests know it by.
    pub registry: String,
    /// The crates of the workspace.
    pub members: Asked<Vec<Member>>,
    /// Manifests that may be published and VERSION files, that belong to no member, by path.
    pub strays: Vec<String>,
    /// Whether git tracks Cargo.lock.
    pub lock_tracked: bool,
    /// Whether cargo takes Cargo.lock as it is.
    pub locked: Asked<()>,
    /// The text of changelog.txt.
    pub changelog: Option<String>,
    /// The text of every README, by path.
    pub readmes: BTreeMap<String, String>,
}

/// One crate of the workspace.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Its version, as cargo reads it.
    pub version: String,
    /// Its manifest, from the root.
    pub manifest: String,
    /// Whether the manifest says `publish`, either way.
    pub declared: bool,
    /// Whether it may be published.
    pub publishable: bool,
    /// The only registries that it may be published to, when its manifest names some; the usual one is `crates-io`.
    pub registries: Option<Vec<String>>,
    /// What it needs of the workspace.
    pub needs: Vec<Need>,
}

/// That one crate of the workspace needs another: by its path, or by its name in the registry that is released to.
#[derive(Clone, Debug)]
pub struct Need {
    /// The crate needed.
    pub name: String,
    /// The requirement, `*` when none is stated.
    pub requirement: String,
    /// Whether only tests need it.
    pub dev: bool,
    /// Whether cargo leaves it out of the package: only tests need it, and it has a path and states no version.
    pub dropped: bool,
    /// The registry where a package would look for it, when that is not the one that is released to.
    pub elsewhere: Option<String>,
}

/// The remote repository as it is now.
#[derive(Clone, Debug, Default)]
pub struct Remote {
    /// Its branches, the main one included.
    pub heads: Vec<RemoteHead>,
    /// Its main branch, where it is known here.
    pub main: Option<RemoteMain>,
    /// Its other branches, as far as they are known here.
    pub branches: Vec<Branch>,
    /// Where its tag `vV` leads.
    pub tag: Option<String>,
}

/// One branch of the remote, and what is known of it here.
#[derive(Clone, Debug)]
pub struct RemoteHead {
    /// Its name, without the remote's.
    pub name: String,
    /// Where it is now.
    pub sha: String,
    /// Where it was when it was last fetched.
    pub fetched: Option<String>,
}

/// The main branch of the remote, seen from HEAD.
#[derive(Clone, Debug)]
pub struct RemoteMain {
    /// Whether HEAD is on its first-parent chain.
    pub has_head: bool,
    /// The first-parent commits after HEAD, newest first.
    pub later: Vec<Commit>,
}

/// One branch of the remote beside main.
#[derive(Clone, Debug, Default)]
pub struct Branch {
    /// Its name, without the remote's.
    pub name: String,
    /// The text of VERSION at its tip.
    pub version: Option<String>,
    /// The commit where it left HEAD's history; `None` when they share nothing.
    pub fork: Option<Fork>,
    /// The text of changelog.txt at its tip.
    pub changelog: Option<String>,
    /// The values of its `Release-Stack:` trailers.
    pub stack_trailers: Vec<String>,
    /// Why its work is already in HEAD, when it is.
    pub absorbed: Option<Absorption>,
    /// Other branches whose history holds this tip.
    pub below: Vec<String>,
}

/// Where a branch left HEAD's history.
#[derive(Clone, Debug)]
pub struct Fork {
    /// The commit.
    pub commit: Commit,
    /// Whether it is on the first-parent chain of HEAD.
    pub on_main: bool,
    /// The text of changelog.txt there.
    pub changelog: Option<String>,
}

/// The evidence that a branch is already in HEAD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Absorption {
    /// Its tip is an ancestor of HEAD.
    Ancestor,
    /// Merging it would change no file.
    MergeChangesNothing,
    /// One commit makes the same change at once.
    Squashed {
        /// The hash of that commit.
        by: String,
        /// That of a later commit that took the change back.
        undone: Option<String>,
    },
    /// Each of its commits has a twin with the same change.
    EachCommit {
        /// The hash of a later commit that took one of them back, or all.
        undone: Option<String>,
    },
}

/// What the registry holds of one crate.
#[derive(Clone, Debug)]
pub struct IndexFacts {
    /// The crate.
    pub name: String,
    /// Every version ever published; none when the registry says it knows no such crate.
    pub rows: Asked<Vec<Row>>,
    /// The commit that the published package of this very version names.
    pub published_from: Option<Commit>,
}

/// An earlier version that is only partly out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// The version.
    pub version: Version,
    /// The crates that have it.
    pub out: Vec<String>,
    /// The crates that do not, although they are older.
    pub missing: Vec<String>,
    /// The commit of main that its packages name.
    pub from: Option<Commit>,
}

/// One published version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The version as published, build metadata included.
    pub version: Version,
    /// The sha256 of the package, in hexadecimal.
    pub checksum: String,
    /// Whether it is yanked. It stays taken.
    pub yanked: bool,
}

/// One package built from HEAD.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packaged {
    /// The sha256 of its bytes, in hexadecimal.
    pub checksum: String,
}

/// What the semver check said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Semver {
    /// The tool is not there.
    NoTool,
    /// It is there and could not be asked, or what to compare with could not be had.
    Failed(String),
    /// No crate has an earlier version to compare with.
    NoBaseline,
    /// It ran, once per crate that has an earlier version.
    Ran(Vec<SemverRun>),
}

/// The semver check of one crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SemverRun {
    /// The crate.
    pub name: String,
    /// The version it was compared with.
    pub baseline: String,
    /// How many rules were checked, or passed over because the bump is a major one.
    pub checks: u32,
    /// The rules that ask for a greater version.
    pub failures: Vec<String>,
}
