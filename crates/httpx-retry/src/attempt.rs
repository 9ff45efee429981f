//! The facts about one attempt: everything a rule may see, and nothing else.

use std::num::NonZeroU32;
use std::time::Duration;

use http::{HeaderMap, HeaderName, Method, StatusCode};

use crate::{Failure, Sent};

/// Why repeating the request would do no harm even if the server acted on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Idempotency {
    /// Only the method speaks (RFC 9110 §9.2.2).
    Method,
    /// The request carries an `Idempotency-Key` field.
    Key,
    /// The caller said so.
    Declared,
}

impl Idempotency {
    /// What a request with fields of these names says of itself.
    pub fn of<'a>(names: impl IntoIterator<Item = &'a HeaderName>) -> Self {
        if names.into_iter().any(|name| name == IDEMPOTENCY_KEY) { Idempotency::Key } else { Idempotency::Method }
    }
}

/// The field that makes any request idempotent. Source: draft-ietf-httpapi-idempotency-key-header-07 §2.
const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// Can the body be sent again?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Replay {
    /// Empty, in memory, or made anew by a factory.
    Possible,
    /// A stream that can be read once.
    OneShot,
}

/// Whether the attempt used a connection that had carried a request before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Connection {
    /// Opened for this attempt.
    Fresh,
    /// Taken from the pool.
    Reused,
    /// The client could not tell.
    Unknown,
}

/// Earlier sends of the same call that do not count: see [`Verdict::Uncounted`](crate::Verdict::Uncounted).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Uncounted {
    /// All of them.
    pub sends: u32,
    /// Those of which the server said that it did not act.
    pub unprocessed: u32,
}

impl Uncounted {
    /// With one more, of which this is known.
    #[must_use]
    pub const fn and(self, sent: Sent) -> Self {
        let unprocessed = match sent {
            Sent::NotProcessed => self.unprocessed.saturating_add(1),
            Sent::No | Sent::Maybe => self.unprocessed,
        };
        Uncounted { sends: self.sends.saturating_add(1), unprocessed }
    }
}

/// The request as a rule sees it.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Method of the caller's request, before redirects.
    pub method: &'a Method,
    /// URL of the caller's request, before redirects.
    pub url: &'a str,
    /// What makes it idempotent, besides the method.
    pub idempotency: Idempotency,
    /// Whether there is a body to send again.
    pub replay: Replay,
    /// The limit of one attempt, where the caller set one.
    pub timeout: Option<Duration>,
}

impl Request<'_> {
    /// May the request be repeated without a further effect on the server?
    ///
    /// True for GET, HEAD, OPTIONS, TRACE, PUT and DELETE (RFC 9110 §9.2.2), with an `Idempotency-Key`, or when the caller
    /// declared it. Idempotent is not safe: DELETE is one and not the other.
    #[must_use]
    pub fn is_idempotent(&self) -> bool {
        match self.idempotency {
            Idempotency::Key | Idempotency::Declared => true,
            Idempotency::Method => self.method.is_idempotent(),
        }
    }
}

/// How the attempt ended.
#[derive(Clone, Copy, Debug)]
pub enum Outcome<'a> {
    /// An answer came: at least its complete head, and its body too where the body is read inside the attempt.
    Answer {
        /// Status code.
        status: StatusCode,
        /// Whether the policy's status set calls it transient.
        transient: bool,
        /// Header fields of the answer.
        headers: &'a HeaderMap,
    },
    /// No complete answer.
    Failure(Failure),
}

/// One finished attempt: the argument of every rule.
#[derive(Clone, Copy, Debug)]
pub struct Attempt<'a> {
    /// What was asked.
    pub request: Request<'a>,
    /// How it ended.
    pub outcome: Outcome<'a>,
    /// Whether the server saw it. For an answer it is [`Sent::Maybe`].
    pub sent: Sent,
    /// Counted from 1, the first send included.
    pub number: NonZeroU32,
    /// How many of the sends before it do not count.
    pub uncounted: Uncounted,
    /// Which kind of connection it used.
    pub connection: Connection,
}

impl Attempt<'_> {
    /// Its number among the sends that count.
    #[must_use]
    pub fn counted(&self) -> NonZeroU32 {
        NonZeroU32::new(self.number.get().saturating_sub(self.uncounted.sends)).unwrap_or(NonZeroU32::MIN)
    }
}
