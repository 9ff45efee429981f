//! Why there is no plugin. No URL in it keeps its user, password or query.

use std::path::PathBuf;

use http::StatusCode;

/// Why a plugin was not found or not fetched. Reads as a sentence; the parts are in [`Error::kind`].
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Error(Box<ErrorKind>);

/// The parts of an [`Error`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The URL of a repository is none.
    #[error("{given:?} is no repository: {told}; it is like https://host/api or https://host/plugins.json")]
    Repository {
        /// What was given.
        given: String,
        /// What is wrong with it.
        told: String,
    },
    /// There is nowhere to ask.
    #[error("no repository is given; it is like https://host/api or https://host/plugins.json")]
    NoRepository,
    /// The client cannot be built.
    #[error("the client cannot be built")]
    Client(#[source] httpx_client::BuildError),
    /// No complete answer came; the source tells every attempt.
    #[error("no answer from the repository")]
    NoAnswer(#[source] httpx_client::Error),
    /// An answer came with another status than 200.
    #[error("{url} answered {status}{}", began(told.as_deref()))]
    Status {
        /// What was asked for.
        url: String,
        /// The answer's status.
        status: StatusCode,
        /// How its body begins.
        told: Option<String>,
    },
    /// The answer is not what it should be.
    #[error("{url} cannot be read: {told}{}", self::began(began.as_deref()))]
    Unreadable {
        /// What was asked for.
        url: String,
        /// What is wrong with it.
        told: String,
        /// How it begins.
        began: Option<String>,
    },
    /// The version that was asked for is there, and this Nextflow cannot run it.
    #[error("{id} {version} needs Nextflow {requires} (running {nextflow})")]
    Incompatible {
        /// The plugin.
        id: String,
        /// The version asked for.
        version: String,
        /// What it requires.
        requires: String,
        /// The Nextflow it was asked for.
        nextflow: String,
    },
    /// No version was asked for, and this Nextflow can run none of them.
    #[error("no release of {id} runs with Nextflow {nextflow}; the newest, {newest}, needs {requires}")]
    NoneCompatible {
        /// The plugin.
        id: String,
        /// Its newest version.
        newest: String,
        /// What that requires.
        requires: String,
        /// The Nextflow it was asked for.
        nextflow: String,
    },
    /// No version was asked for, and none of those with an archive is one by SemVer, so none is the newest.
    #[error(
        "no release of {id} is the newest, since no version is one by SemVer, like 1.0.0; there are {}",
        versions.join(", ")
    )]
    NoNewest {
        /// The plugin.
        id: String,
        /// The versions that have an archive, which may be asked for by their text.
        versions: Vec<String>,
    },
    /// The plugin is there, and the version that was asked for is not.
    #[error("{id} has no version {version}{}", listed(nearest))]
    UnknownVersion {
        /// The plugin.
        id: String,
        /// The version asked for.
        version: String,
        /// The versions around it, ascending.
        nearest: Vec<String>,
    },
    /// No repository has the plugin.
    #[error("there is no plugin {id} in {}", repositories.join(", "))]
    UnknownPlugin {
        /// The plugin.
        id: String,
        /// Where it was looked for.
        repositories: Vec<String>,
    },
    /// The release has no archive.
    #[error("{} has no archive: its repository names no url", versioned(id, version.as_deref()))]
    NoArchive {
        /// The plugin.
        id: String,
        /// The version; `None` when that is so of all.
        version: Option<String>,
    },
    /// The archive could not be verified, so it is not fetched.
    #[error("{id} {version} cannot be verified: {told}")]
    NoDigest {
        /// The plugin.
        id: String,
        /// The version.
        version: String,
        /// What is wrong with its sha512sum.
        told: String,
    },
    /// The archive is not the one that was published; the source tells both digests.
    #[error("the archive at {url} is not the one that was published")]
    Digest {
        /// Where it came from.
        url: String,
        /// What the client found.
        source: httpx_client::Error,
    },
    /// The archive cannot be written; the source tells why.
    #[error("cannot write {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the client met.
        source: httpx_client::Error,
    },
}

impl Error {
    /// Its parts.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Error(Box::new(kind))
    }
}

fn began(told: Option<&str>) -> String {
    told.map_or_else(String::new, |told| format!("; it begins with {told:?}"))
}

fn versioned(id: &str, version: Option<&str>) -> String {
    version.map_or_else(|| id.to_owned(), |version| format!("{id} {version}"))
}

fn listed(nearest: &[String]) -> String {
    if nearest.is_empty() { String::new() } else { format!("; the nearest are {}", nearest.join(", ")) }
}
