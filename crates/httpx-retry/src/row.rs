//! A rule as rows: the first row whose conditions hold gives the verdict.

use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;

use http::header::RETRY_AFTER;
use http::{HeaderMap, StatusCode};

use crate::{Attempt, Connection, FailureKind, GrpcStatus, Methods, Outcome, Phase, Reason, Sent, Verdict};

/// How an attempt ended, as far as a row asks.
#[derive(Clone, Debug, PartialEq, Eq)]
enum End {
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
    /// There, whatever its value.
    Present,
    /// `0`.
    Zero,
    /// Not there, or `0`.
    AbsentOrZero,
}

/// The conditions of a [`Row`]. Each method narrows them; the last one says what follows and makes the row.
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
    end: End,
    hint: Hint,
    sent: Option<Sent>,
    connection: Option<Connection>,
    methods: Methods,
}

impl When {
    const fn ended(end: End) -> Self {
        When { end, hint: Hint::Any, sent: None, connection: None, methods: Methods::All }
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

    /// Only with a `Retry-After`.
    pub const fn with_retry_after(mut self) -> Self {
        self.hint = Hint::Present;
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

    /// Then retry after the policy's back-off.
    #[must_use]
    pub const fn retry(self) -> Row {
        Row { when: self, then: Then::Retry, attempts: None }
    }

    /// Then retry without a wait.
    #[must_use]
    pub const fn retry_at_once(self) -> Row {
        Row { when: self, then: Then::RetryIn(Duration::ZERO), attempts: None }
    }

    /// Then stop.
    #[must_use]
    pub const fn stop(self) -> Row {
        Row { when: self, then: Then::Stop, attempts: None }
    }

    fn holds(&self, attempt: &Attempt<'_>) -> bool {
        self.end.is(&attempt.outcome)
            && self.hint.is(&attempt.outcome)
            && self.sent.is_none_or(|sent| sent == attempt.sent)
            && self.connection.is_none_or(|connection| connection == attempt.connection)
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
            Hint::Present => value.is_some(),
            Hint::Zero => zero,
            Hint::AbsentOrZero => value.is_none() || zero,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    Retry,
    RetryIn(Duration),
    Stop,
}

/// Conditions, and what follows when all of them hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    when: When,
    then: Then,
    attempts: Option<NonZeroU32>,
}

impl Row {
    /// At most so many sends by this row, where the policy would allow more.
    #[must_use]
    pub const fn up_to(mut self, attempts: NonZeroU32) -> Self {
        self.attempts = Some(attempts);
        self
    }

    /// What it says of `attempt`; `None` when it does not speak of it.
    #[must_use]
    pub fn verdict(&self, attempt: &Attempt<'_>) -> Option<Verdict> {
        if !self.when.holds(attempt) {
            return None;
        }
        Some(match self.then {
            Then::Stop => Verdict::Stop(not_retried(attempt)),
            Then::Retry | Then::RetryIn(_) if self.attempts.is_some_and(|most| attempt.number >= most) => {
                Verdict::Stop(Reason::AttemptsExhausted)
            }
            Then::Retry => Verdict::Retry(self.why(attempt)),
            Then::RetryIn(wait) => Verdict::RetryIn(wait, self.why(attempt)),
        })
    }

    /// Whether it holds on some connections only.
    #[must_use]
    pub const fn asks_connection(&self) -> bool {
        self.when.connection.is_some()
    }

    /// The one status it is about; `None` when it is about several, or about failures.
    #[must_use]
    pub const fn status(&self) -> Option<StatusCode> {
        match self.when.end {
            End::Status(status) => Some(status),
            End::Transient | End::Failure(_) | End::Body(_) | End::Grpc(_) => None,
        }
    }

    /// What it asks of `Retry-After`.
    #[must_use]
    pub const fn hint(&self) -> Hint {
        self.when.hint
    }

    fn why(&self, attempt: &Attempt<'_>) -> Reason {
        match (&attempt.outcome, attempt.sent) {
            (Outcome::Answer { .. }, _) => Reason::TransientStatus,
            (Outcome::Failure(_), Sent::No) => Reason::NotSent,
            (Outcome::Failure(_), Sent::NotProcessed) => Reason::NotProcessed,
            (Outcome::Failure(_), Sent::Maybe)
                if self.when.methods != Methods::All && attempt.request.is_idempotent() =>
            {
                Reason::Idempotent
            }
            (Outcome::Failure(_), Sent::Maybe) => Reason::IoFailure,
        }
    }
}

/// Asks `rows` in their order. What no row speaks of is final.
pub(crate) fn first_match(rows: &[Row], attempt: &Attempt<'_>) -> Verdict {
    if let Outcome::Failure(failure) = attempt.outcome
        && failure.kind == FailureKind::ConnectAbandoned
        && attempt.sent == Sent::No
    {
        // A thing of this client's connection pool, of which no other client's rule speaks: nothing was even tried.
        return Verdict::RetryIn(Duration::ZERO, Reason::NotSent);
    }
    rows.iter().find_map(|row| row.verdict(attempt)).unwrap_or_else(|| Verdict::Stop(not_retried(attempt)))
}

fn not_retried(attempt: &Attempt<'_>) -> Reason {
    match attempt.outcome {
        Outcome::Answer { .. } => Reason::FinalAnswer,
        Outcome::Failure(failure) if failure.kind == FailureKind::Deadline => Reason::Deadline,
        Outcome::Failure(_) => Reason::NotRetried,
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
            Hint::Present => " with Retry-After",
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
        if self.methods == Methods::All { Ok(()) } else { write!(f, "; {}", self.methods) }
    }
}

impl Row {
    /// Its conditions in words.
    #[must_use]
    pub fn condition(&self) -> String {
        self.when.to_string()
    }

    /// What follows, in words: `retry`, `retry at once`, `stop`.
    #[must_use]
    pub fn consequence(&self) -> String {
        let then = match self.then {
            Then::Retry => "retry".to_owned(),
            Then::RetryIn(wait) if wait.is_zero() => "retry at once".to_owned(),
            Then::RetryIn(wait) => format!("retry in {wait:?}"),
            Then::Stop => "stop".to_owned(),
        };
        self.attempts.map_or(then.clone(), |most| format!("{then}, at most {most} sends"))
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.condition(), self.consequence())
    }
}
