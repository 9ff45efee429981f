//! The conditions of a row.

use std::fmt;
use std::time::SystemTime;

use http::header::RETRY_AFTER;
use http::{HeaderMap, StatusCode};

use crate::retry_after;
use crate::{Attempt, Connection, FailureKind, GrpcStatus, Methods, Outcome, Phase, Sent};

/// How an attempt ended, as far as a row asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The policy's status set calls the answer transient.
    Transient,
    Status(StatusCode),
    /// One of these kinds, before the head of the answer was complete.
    Failure(&'static [FailureKind]),
    /// One of these kinds, after that.
    Body(&'static [FailureKind]),
    Grpc(Vec<GrpcStatus>),
}

/// What `Retry-After` has to be for a row to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// Whatever; also what a row about failures asks.
    Any,
    /// Not there.
    Absent,
    /// There, and seconds or a date.
    Readable,
    /// `0`.
    Zero,
    /// Not there, or `0`.
    AbsentOrZero,
}

/// The conditions of a [`Row`](crate::Row). Each method narrows them; the last one says what follows and makes the row.
///
/// ```
/// use httpx_retry::{FailureKind, Methods, Rule, When};
///
/// // Retries a GET or HEAD whose connection broke before the answer, and nothing else.
/// let lost = &[FailureKind::Closed, FailureKind::Reset];
/// let rule = Rule::rows("lost reads", [When::failure(lost).methods(Methods::GET_HEAD).retry_at_once()]);
/// assert_eq!(rule.table().unwrap()[0].to_string(), "closed, reset before the answer; GET, HEAD: retry at once");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct When {
    pub(crate) end: End,
    pub(crate) hint: Hint,
    sent: Option<Sent>,
    pub(crate) connection: Option<Connection>,
    first: bool,
    pub(crate) methods: Methods,
}

impl When {
    const fn ended(end: End) -> Self {
        When { end, hint: Hint::Any, sent: None, connection: None, first: false, methods: Methods::All }
    }

    /// The status is in the policy's set.
    pub const fn transient() -> Self {
        When::ended(End::Transient)
    }

    /// The status is this one, in the policy's set or not.
    pub const fn status(status: StatusCode) -> Self {
        When::ended(End::Status(status))
    }

    /// One of these failures, before the head of the answer was complete.
    pub const fn failure(kinds: &'static [FailureKind]) -> Self {
        When::ended(End::Failure(kinds))
    }

    /// One of these failures, while the body of the answer was read.
    pub const fn in_body(kinds: &'static [FailureKind]) -> Self {
        When::ended(End::Body(kinds))
    }

    /// The head of the answer tells one of these codes; see [`GrpcStatus::of`].
    pub const fn grpc(codes: Vec<GrpcStatus>) -> Self {
        When::ended(End::Grpc(codes))
    }

    /// Only requests with these methods.
    pub const fn methods(mut self, methods: Methods) -> Self {
        self.methods = methods;
        self
    }

    /// Only when exactly this is known of the request.
    pub const fn sent(mut self, sent: Sent) -> Self {
        self.sent = Some(sent);
        self
    }

    /// Only when the connection had carried a request before; one of which nothing is known does not count.
    pub const fn reused(mut self) -> Self {
        self.connection = Some(Connection::Reused);
        self
    }

    /// Only when the server said that it did not act, and while no send of the call has gone uncounted because of that.
    pub const fn not_processed_for_the_first_time(mut self) -> Self {
        self.sent = Some(Sent::NotProcessed);
        self.first = true;
        self
    }

    /// Only with a `Retry-After` that [can be read](crate::retry_after_hint).
    pub const fn with_retry_after(mut self) -> Self {
        self.hint = Hint::Readable;
        self
    }

    /// Only without `Retry-After`.
    pub const fn without_retry_after(mut self) -> Self {
        self.hint = Hint::Absent;
        self
    }

    /// Only with `Retry-After: 0`.
    pub const fn with_retry_after_zero(mut self) -> Self {
        self.hint = Hint::Zero;
        self
    }

    /// Only without a `Retry-After` that asks for a wait.
    pub const fn without_retry_after_above_zero(mut self) -> Self {
        self.hint = Hint::AbsentOrZero;
        self
    }

    /// Whether all of them hold.
    pub(crate) fn holds(&self, attempt: &Attempt<'_>) -> bool {
        self.end.is(&attempt.outcome)
            && self.hint.is(&attempt.outcome)
            && self.sent.is_none_or(|sent| sent == attempt.sent)
            && self.connection.is_none_or(|connection| connection == attempt.connection)
            && (!self.first || attempt.uncounted.unprocessed == 0)
            && self.methods.contain(&attempt.request)
    }
}

impl End {
    fn is(&self, outcome: &Outcome<'_>) -> bool {
        match (self, outcome) {
            (End::Transient, Outcome::Answer { transient, .. }) => *transient,
            (End::Status(wanted), Outcome::Answer { status, .. }) => wanted == status,
            (End::Grpc(codes), Outcome::Answer { status, headers, .. }) => {
                GrpcStatus::of(*status, headers).is_some_and(|code| codes.contains(&code))
            }
            (End::Failure(kinds), Outcome::Failure(failure)) => {
                failure.phase != Phase::Body && kinds.contains(&failure.kind)
            }
            (End::Body(kinds), Outcome::Failure(failure)) => {
                failure.phase == Phase::Body && kinds.contains(&failure.kind)
            }
            (End::Transient | End::Status(_) | End::Grpc(_), Outcome::Failure(_))
            | (End::Failure(_) | End::Body(_), Outcome::Answer { .. }) => false,
        }
    }
}

impl Hint {
    fn is(self, outcome: &Outcome<'_>) -> bool {
        let nothing = HeaderMap::new();
        let headers = match outcome {
            Outcome::Answer { headers, .. } => headers,
            Outcome::Failure(_) => &nothing,
        };
        let value = headers.get(RETRY_AFTER);
        let zero = value.is_some_and(|value| value.to_str().is_ok_and(|text| text.trim() == "0"));
        match self {
            Hint::Any => true,
            Hint::Absent => value.is_none(),
            // No clock changes whether it can be read.
            Hint::Readable => retry_after::hint(headers, SystemTime::UNIX_EPOCH).is_some(),
            Hint::Zero => zero,
            Hint::AbsentOrZero => value.is_none() || zero,
        }
    }
}

/// The conditions in words: `closed, reset before the answer; on a reused connection; GET, HEAD`.
impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = |kinds: &[FailureKind]| kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ");
        match &self.end {
            End::Transient => f.write_str("a transient status")?,
            End::Status(status) => write!(f, "status {}", status.as_str())?,
            End::Failure(these) => write!(f, "{} before the answer", kinds(these))?,
            End::Body(these) if *these == FailureKind::ALL => f.write_str("anything in the body")?,
            End::Body(these) => write!(f, "{} in the body", kinds(these))?,
            End::Grpc(codes) => {
                let codes: Vec<_> = codes.iter().map(|code| code.name()).collect();
                write!(f, "grpc-status {}", codes.join(", "))?;
            }
        }
        f.write_str(match self.hint {
            Hint::Any => "",
            Hint::Absent => " without Retry-After",
            Hint::Readable => " with a readable Retry-After",
            Hint::Zero => " with Retry-After: 0",
            Hint::AbsentOrZero => " without Retry-After, or with 0",
        })?;
        if let Some(sent) = self.sent {
            write!(f, "; sent: {sent}")?;
        }
        match self.connection {
            None => {}
            Some(Connection::Fresh) => f.write_str("; on a fresh connection")?,
            Some(Connection::Reused) => f.write_str("; on a reused connection")?,
            Some(Connection::Unknown) => f.write_str("; on a connection of which nothing is known")?,
        }
        if self.first {
            f.write_str("; for the first time")?;
        }
        if self.methods == Methods::All { Ok(()) } else { write!(f, "; {}", self.methods) }
    }
}
