//! How a command ends.

use std::error::Error;
use std::fmt;
use std::process::ExitCode;

use httpx_client::BuildError;

use crate::human::tamed;

/// What the shell is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All is well; for a request, a status below 400.
    Success,
    /// A mistake in what was asked; nothing was sent.
    Usage,
    /// There is no complete answer.
    Failed,
    /// A complete answer with a status of 400 or above. curl's number for it.
    Status,
    /// Ctrl-C, as shells count it: 128 and the signal's number.
    Interrupted,
    /// SIGTERM, counted alike.
    Terminated,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(match exit {
            Exit::Success => 0,
            Exit::Usage => 2,
            Exit::Failed => 7,
            Exit::Status => 22,
            Exit::Interrupted => 130,
            Exit::Terminated => 143,
        })
    }
}

/// Why a command cannot go on: one sentence that names the thing, its place and what would be right.
#[derive(Debug)]
pub(crate) struct Trouble {
    told: String,
    pub(crate) exit: Exit,
}

impl Trouble {
    /// What was asked is wrong.
    pub(crate) fn usage(told: impl fmt::Display) -> Self {
        Trouble { told: told.to_string(), exit: Exit::Usage }
    }

    /// What was asked is right and was refused by a complete answer.
    pub(crate) fn refused(told: impl fmt::Display) -> Self {
        Trouble { told: told.to_string(), exit: Exit::Status }
    }

    /// What was asked is right and could not be done.
    pub(crate) fn failed(told: impl fmt::Display) -> Self {
        Trouble { told: told.to_string(), exit: Exit::Failed }
    }

    /// It was not to be done after all.
    pub(crate) fn interrupted(exit: Exit) -> Self {
        Trouble { told: "interrupted before it was done".to_owned(), exit }
    }
}

/// An error and what it comes from, in one sentence that says nothing twice. It may quote a server.
pub(crate) fn story(error: &(dyn Error + 'static)) -> String {
    let sources = std::iter::successors(Some(error), |error| (*error).source());
    let mut told: Vec<String> = Vec::new();
    for part in sources.map(ToString::to_string) {
        // Some errors tell their source themselves.
        if told.iter().any(|before| before.contains(&part)) {
            continue;
        }
        told.retain(|before| !part.contains(before.as_str()));
        told.push(part);
    }
    tamed(&told.join(": "))
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told)
    }
}

impl From<BuildError> for Trouble {
    fn from(error: BuildError) -> Self {
        Trouble::usage(error)
    }
}
