//! Why there is no answer, in the server's words where it has any.

use std::fmt;

use http::StatusCode;
use httpx_client::excerpt;
use serde::Deserialize;

/// Why a Cloudinfo server gave no answer. Reads as a sentence; the parts are in [`Error::kind`].
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Error(Box<ErrorKind>);

/// The parts of an [`Error`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The endpoint is no URL.
    #[error("{given:?} is no endpoint: {told}; it is like https://host")]
    Endpoint {
        /// What was given.
        given: String,
        /// What is wrong with it.
        told: String,
    },
    /// No region can have this id.
    #[error("{0:?} is no id of a region; it is like eu-west-1")]
    Region(String),
    /// The client cannot be built.
    #[error("the client cannot be built")]
    Client(#[source] httpx_client::BuildError),
    /// No complete answer came; the source tells every attempt.
    #[error("no answer from Cloudinfo")]
    NoAnswer(#[source] httpx_client::Error),
    /// The server answered with another status than 200.
    #[error("{url} answered {status}{}", Told(refusal))]
    Status {
        /// What was asked for.
        url: String,
        /// The answer's status.
        status: StatusCode,
        /// What the server says.
        refusal: Refusal,
    },
    /// The answer is not what it should be.
    #[error("{url} cannot be read: {told}")]
    Unreadable {
        /// What was asked for.
        url: String,
        /// What is wrong with it.
        told: String,
    },
}

/// What a server says of a request that it refuses, in either of its two shapes: `{error, validCapabilities}`, or a problem
/// with `title` and `detail` (RFC 9457).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refusal {
    /// `error`, else `detail`, else `title`, else the beginning of a body that is no JSON; `None` when there is no text.
    pub message: Option<String>,
    /// The features that the server knows, when it was asked for another.
    pub valid_capabilities: Vec<String>,
}

impl Error {
    /// Its parts.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0
    }

    /// The status, when an answer came that was refused.
    #[must_use]
    pub fn status(&self) -> Option<StatusCode> {
        self.refusal().map(|(status, _)| status)
    }

    /// What the server says; see [`Refusal::message`].
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        self.refusal().and_then(|(_, refusal)| refusal.message.as_deref())
    }

    /// The features that the server knows, when it was asked for another; else empty.
    #[must_use]
    pub fn valid_capabilities(&self) -> &[String] {
        self.refusal().map_or(&[], |(_, refusal)| &refusal.valid_capabilities)
    }

    fn refusal(&self) -> Option<(StatusCode, &Refusal)> {
        let ErrorKind::Status { status, refusal, .. } = &*self.0 else { return None };
        Some((*status, refusal))
    }
}

impl From<ErrorKind> for Error {
    fn from(kind: ErrorKind) -> Self {
        Error(Box::new(kind))
    }
}

/// Both shapes at once.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    error: Option<String>,
    valid_capabilities: Option<Vec<String>>,
    title: Option<String>,
    detail: Option<String>,
}

impl Refusal {
    pub(crate) fn read(body: &[u8]) -> Self {
        match serde_json::from_slice::<Body>(body) {
            Ok(Body { error, valid_capabilities, title, detail }) => Refusal {
                message: error.or(detail).or(title),
                valid_capabilities: valid_capabilities.unwrap_or_default(),
            },
            Err(_) => Refusal { message: excerpt(body), valid_capabilities: Vec::new() },
        }
    }
}

struct Told<'a>(&'a Refusal);

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(message) = &self.0.message {
            write!(f, ": {message}")?;
        }
        match &self.0.valid_capabilities[..] {
            [] => Ok(()),
            known => write!(f, "; it knows {}", known.join(", ")),
        }
    }
}
