//! Why there is no answer. No variant holds a token, and no URL keeps its user, password or query.

use std::fmt;
use std::path::PathBuf;

use http::StatusCode;

/// Why a registry gave no answer. Reads as a sentence; the parts are in [`Error::kind`].
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Error(Box<ErrorKind>);

/// The parts of an [`Error`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The URL of an index is none.
    #[error("{given:?} is not the URL of an index: {told}; it is like sparse+https://host/index/")]
    IndexUrl {
        /// What was given.
        given: String,
        /// What is wrong with it.
        told: String,
    },
    /// No crate can have this name.
    #[error("{0:?} is no name of a crate: it has ASCII letters, digits, - and _ only, and at least one")]
    Name(String),
    /// The token cannot stand in a header field.
    #[error("the token holds a character that no header field may have")]
    Token,
    /// The client cannot be built.
    #[error("the client cannot be built")]
    Client(#[source] httpx_client::BuildError),
    /// No complete answer came; the source tells every attempt.
    #[error("no answer from the registry")]
    NoAnswer(#[source] httpx_client::Error),
    /// An answer came that says neither what is there nor that nothing is.
    #[error("{url} answered {status}, which says neither what is published nor that nothing is")]
    Status {
        /// What was asked for.
        url: String,
        /// The answer's status.
        status: StatusCode,
    },
    /// A token is wanted, and none is set.
    #[error("{url} wants a token{}", LoginUrl(login_url.as_deref()))]
    TokenWanted {
        /// What was asked for.
        url: String,
        /// Where a token is to be had, when the registry says so.
        login_url: Option<String>,
    },
    /// The token was sent and refused.
    #[error("{url} refused the token with {status}{}", LoginUrl(login_url.as_deref()))]
    TokenRefused {
        /// What was asked for.
        url: String,
        /// 401 or 403.
        status: StatusCode,
        /// Where a token is to be had, when the registry says so.
        login_url: Option<String>,
    },
    /// The token is not sent to this origin, since the index is elsewhere.
    #[error("{url} wants a token, which is only sent to the origin of the index; RegistryBuilder::trust adds others")]
    TokenWithheld {
        /// What was asked for.
        url: String,
    },
    /// There is no registry: `config.json` is not there.
    #[error("there is no registry: {url} answered {status}")]
    NoRegistry {
        /// The URL of `config.json`.
        url: String,
        /// The answer's status.
        status: StatusCode,
    },
    /// A file came that is not what it should be.
    #[error("{url} cannot be read: {told}")]
    Unreadable {
        /// What was asked for.
        url: String,
        /// What is wrong with it.
        told: String,
    },
    /// The index lists the archive and it is not there.
    #[error("the archive of {name} {version} is not there: {url} answered {status}")]
    NoArchive {
        /// The crate.
        name: String,
        /// Its version.
        version: semver::Version,
        /// Where the archive should be.
        url: String,
        /// The answer's status.
        status: StatusCode,
    },
    /// The archive is not the one that was published; the source tells both checksums.
    #[error("the archive at {url} is not the one that was published")]
    Checksum {
        /// Where the archive came from.
        url: String,
        /// What the client found.
        source: httpx_client::Error,
    },
    /// The registry has no web API.
    #[error("the registry is read-only: its config.json names no api, so nothing can be published")]
    ReadOnly,
    /// The file of an archive cannot be written; the source tells why.
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

    pub(crate) fn into_kind(self) -> ErrorKind {
        *self.0
    }

    /// Where a token is to be had; known when one is wanted or refused and the registry says where.
    #[must_use]
    pub fn login_url(&self) -> Option<&str> {
        let (ErrorKind::TokenWanted { login_url, .. } | ErrorKind::TokenRefused { login_url, .. }) = &*self.0 else {
            return None;
        };
        login_url.as_deref()
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Error(Box::new(kind))
    }
}

struct LoginUrl<'a>(Option<&'a str>);

impl fmt::Display for LoginUrl<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |url| write!(f, "; you may get one at {url}"))
    }
}
