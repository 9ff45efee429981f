//! The story of a call: every attempt, and why it ended.

use std::time::Duration;

use http::StatusCode;
use httpx_retry::{Failure, Reason, Sent};
use smallvec::SmallVec;

/// How one attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// With an answer.
    Answer(StatusCode),
    /// Without a complete one.
    Failure(Failure),
    /// By us: the call had ended with another send of it.
    Cancelled,
}

/// What a client did about its credentials within an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AuthStep {
    /// The access token was renewed and the request sent with the new one.
    Renewed,
    /// Another call or process had renewed the access token, and the request was sent with that one.
    Overtaken,
    /// The token endpoint refuses the refresh token for good.
    Refused,
    /// No new token came this time.
    NotRenewed,
    /// The session has no refresh token.
    Unrenewable,
    /// The token store could not be reached: the token at hand was used.
    StoreUnreachable,
    /// A challenge was answered and the request sent again.
    Answered,
    /// No challenge could be answered.
    Unanswered,
}

impl AuthStep {
    /// What a person reads.
    #[must_use]
    pub const fn phrase(self) -> &'static str {
        match self {
            AuthStep::Renewed => "token renewed",
            AuthStep::Overtaken => "token renewed by another call",
            AuthStep::Refused => "the token endpoint refuses the refresh token",
            AuthStep::NotRenewed => "the token could not be renewed",
            AuthStep::Unrenewable => "there is no refresh token",
            AuthStep::StoreUnreachable => "the token store could not be reached",
            AuthStep::Answered => "challenge answered",
            AuthStep::Unanswered => "no challenge could be answered",
        }
    }
}

/// One attempt of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AttemptRecord {
    /// Counted from 1.
    pub number: u32,
    /// How it ended.
    pub ended: Ended,
    /// Whether the server saw it; [`Sent::Maybe`] for an answer.
    pub sent: Sent,
    /// How long it took, without the wait after it.
    pub elapsed: Duration,
    /// The wait that followed; `None` when the call ended here.
    pub wait: Option<Duration>,
    /// Why it was repeated, or why not.
    pub reason: Reason,
    /// What was done about credentials last, if anything was.
    pub auth: Option<AuthStep>,
}

impl AttemptRecord {
    /// The status, when an answer came.
    #[must_use]
    pub const fn status(&self) -> Option<StatusCode> {
        match self.ended {
            Ended::Answer(status) => Some(status),
            Ended::Failure(_) | Ended::Cancelled => None,
        }
    }

    /// The failure, when none came.
    #[must_use]
    pub const fn failure(&self) -> Option<Failure> {
        match self.ended {
            Ended::Answer(_) | Ended::Cancelled => None,
            Ended::Failure(failure) => Some(failure),
        }
    }
}

/// So many attempts are kept in place: few calls make more.
const KEPT: usize = 3;

/// Every attempt of a call, at least one. Carried by each result, good or bad.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempts {
    records: SmallVec<[AttemptRecord; KEPT]>,
    elapsed: Duration,
}

impl Attempts {
    /// Of a call that is going to make some.
    pub(crate) const fn none() -> Self {
        Attempts { records: SmallVec::new_const(), elapsed: Duration::ZERO }
    }

    pub(crate) fn of(records: Vec<AttemptRecord>, elapsed: Duration) -> Self {
        Attempts { records: records.into(), elapsed }
    }

    /// One more.
    #[inline]
    pub(crate) fn push(&mut self, record: AttemptRecord) {
        self.records.push(record);
    }

    /// The last one, after so long.
    #[inline]
    pub(crate) fn end(&mut self, last: AttemptRecord, elapsed: Duration) {
        self.push(last);
        self.elapsed = elapsed;
    }

    /// The same story when the body that was handed out piece by piece broke off `later`.
    pub(crate) fn broken_off(mut self, failure: Failure, later: Duration) -> Self {
        if let Some(last) = self.records.last_mut() {
            last.ended = Ended::Failure(failure);
            last.reason = Reason::BodyHandedOut;
            last.elapsed += later;
        }
        self.elapsed += later;
        self
    }

    /// How many there were.
    #[must_use]
    pub fn count(&self) -> usize {
        self.records.len()
    }

    /// All, in order.
    pub fn iter(&self) -> impl Iterator<Item = &AttemptRecord> {
        self.records.iter()
    }

    /// The one the result came from.
    #[must_use]
    pub fn last(&self) -> &AttemptRecord {
        self.records.last().expect("whoever is told of a call is told after its first attempt")
    }

    /// Why the call ended.
    #[must_use]
    pub fn stop_reason(&self) -> &Reason {
        &self.last().reason
    }

    /// From the first send to the end, waits included.
    #[must_use]
    pub const fn elapsed(&self) -> Duration {
        self.elapsed
    }
}
