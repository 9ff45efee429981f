//! Did the request reach the server?

use std::fmt;

/// What is known about whether the server saw the request.
///
/// The one fact that makes a retry safe by reasoning. It is never guessed: what is not proven is [`Sent::Maybe`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sent {
    /// Proven: no byte of the request was handed to a connection. Sending it again cannot duplicate anything.
    No,
    /// The server itself said that it did not act on it: `REFUSED_STREAM`, or a `GOAWAY` that excludes the stream
    /// (RFC 9113 §8.7).
    NotProcessed,
    /// Anything else. The server may have acted, may be acting now, or may never have seen it.
    Maybe,
}

impl Sent {
    /// Every value, in the order of the type.
    pub const ALL: &[Sent] = &[Sent::No, Sent::NotProcessed, Sent::Maybe];

    /// The word used in output and on the command line: `no`, `not-processed`, `maybe`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Sent::No => "no",
            Sent::NotProcessed => "not-processed",
            Sent::Maybe => "maybe",
        }
    }
}

impl fmt::Display for Sent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
