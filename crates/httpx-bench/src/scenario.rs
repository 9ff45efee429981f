//! What is asked of a peer.

use bytes::Bytes;
use clap::ValueEnum;
use std::time::Duration;

/// One kind of work. Where calls go one after the other, they are counted at two lengths; a crowd is counted once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scenario {
    /// GET with three fields, one after the other, no fault.
    Get,
    /// The same as POST with a body of 1 KiB held in memory.
    Post,
    /// The same GET, from fields that are in a map already: by the builder, and as a request of reqwest's.
    Adopted,
    /// GET that is answered 503 with a body of 20 bytes twice, then 200; one after the other.
    RetrySmall,
    /// The same with a chunked body.
    RetryChunked,
    /// The same with a body of 64 KiB.
    RetryLarge,
    /// The same with a chunked body over TLS.
    RetryTls,
    /// Calls that all wait, for days, after one 503 with a chunked body.
    Parked,
    /// Calls at the same time to a server that answers nothing but 503.
    Storm,
    /// As many calls during an outage as after it.
    Recovery,
    /// Calls at the same time that all carry an expired token.
    Token,
    /// A body of 1 MiB, one after the other, by one of the helpers that read.
    Read,
}

impl Scenario {
    /// What a client must be able to do for it.
    pub(crate) const fn needs(self) -> Ability {
        match self {
            Self::Get | Self::Post | Self::Adopted | Self::Read => Ability::Send,
            Self::RetrySmall | Self::RetryChunked | Self::RetryLarge | Self::RetryTls | Self::Storm => Ability::Repeat,
            Self::Parked | Self::Recovery => Ability::Retry,
            Self::Token => Ability::Renew,
        }
    }

    /// Where the server does its part.
    pub(crate) const fn path(self) -> &'static str {
        match self {
            Self::Get | Self::Post | Self::Adopted => "/",
            Self::RetrySmall => "/twice/small",
            Self::RetryChunked | Self::RetryTls => "/twice/chunked",
            Self::RetryLarge => "/twice/large",
            Self::Parked => "/always/chunked",
            Self::Storm => "/always/small",
            Self::Recovery => "/outage",
            Self::Token => "/protected",
            Self::Read => "/large",
        }
    }

    /// The body to send, or `None` when the request has none. Cloning it copies no byte.
    pub(crate) fn body(self) -> Option<Bytes> {
        (self == Self::Post).then(|| Bytes::from_static(&[b'x'; 1024]))
    }

    /// How the client is to retry.
    pub(crate) const fn retries(self) -> Retries {
        match self {
            Self::Get | Self::Post | Self::Adopted | Self::Token | Self::Read => Retries::Usual,
            Self::RetrySmall | Self::RetryChunked | Self::RetryLarge | Self::RetryTls => {
                // Long enough for the rest of a failed body to come.
                Retries::Always { wait: Duration::from_millis(10) }
            }
            // So long that hardly anyone is done even where a wait is anything from nothing on.
            Self::Parked => Retries::Always { wait: Duration::from_secs(100 * 60 * 60) },
            Self::Storm => Retries::Usually { wait: Duration::from_millis(10) },
            // Longer than it takes to send them all once, so that nobody has retried when the outage ends.
            Self::Recovery => Retries::Usually { wait: Duration::from_secs(1) },
        }
    }
}

/// What a client can do; each includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ability {
    /// Sends a request.
    Send,
    /// Sends it again after a 503, at once.
    Repeat,
    /// Sends it again after a 503 and a wait.
    Retry,
    /// Renews an expired token and sends it again.
    Renew,
}

/// How a client is to retry. What is not said is left as the client has it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Retries {
    /// As it does when nothing is said.
    Usual,
    /// As often as it does when nothing is said, after this first wait.
    Usually {
        /// Before the first retry, without jitter where that can be had.
        wait: Duration,
    },
    /// A 503 at least twice, whatever happened to other calls, after this first wait.
    Always {
        /// Before the first retry, without jitter where that can be had.
        wait: Duration,
    },
}

impl Retries {
    /// The wait before the first retry, if one is wanted.
    pub(crate) const fn wait(self) -> Option<Duration> {
        match self {
            Self::Usual => None,
            Self::Usually { wait } | Self::Always { wait } => Some(wait),
        }
    }

    /// May one call's failures keep another from being retried?
    pub(crate) const fn has_budget(self) -> bool {
        match self {
            Self::Usual | Self::Usually { .. } => true,
            Self::Always { .. } => false,
        }
    }
}
