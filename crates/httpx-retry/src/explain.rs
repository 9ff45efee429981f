//! What would a policy do? Asked without sending anything.

use std::num::NonZeroU32;
use std::time::{Duration, SystemTime};

use http::{HeaderMap, HeaderValue, Method, StatusCode, header};

use crate::{
    Attempt, Budget, Connection, Failure, FailureKind, History, Idempotency, Now, Outcome, Phase, Policy, Reason,
    Replay, Request, Sample, Sent, Step, Uncounted,
};

/// One first attempt, described.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Method of the request.
    pub method: Method,
    /// What makes it idempotent, besides the method.
    pub idempotency: Idempotency,
    /// Whether its body can be sent again.
    pub replay: Replay,
    /// Which kind of connection it used.
    pub connection: Connection,
    /// How the attempt ended.
    pub end: End,
}

/// How a described attempt ended.
#[derive(Clone, Debug)]
pub enum End {
    /// An answer with this status, and perhaps a `Retry-After`.
    Answer(StatusCode, Option<HeaderValue>),
    /// A failure, with what is known of the request.
    Failure(FailureKind, Sent),
}

/// What a policy would do after a [`Scenario`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Explanation {
    /// Retry after a wait between these two, depending on the random sample.
    Retry {
        /// Why it may be sent again.
        reason: Reason,
        /// The shortest wait.
        shortest: Duration,
        /// The longest wait. Where the deadline would end some of the waits, the deadline: waits stay below it.
        longest: Duration,
    },
    /// Stop.
    Stop {
        /// Why.
        reason: Reason,
    },
}

impl Explanation {
    /// `retry` or `stop`.
    #[must_use]
    pub const fn verdict(&self) -> &'static str {
        match self {
            Explanation::Retry { .. } => "retry",
            Explanation::Stop { .. } => "stop",
        }
    }

    /// Why.
    #[must_use]
    pub const fn reason(&self) -> &Reason {
        match self {
            Explanation::Retry { reason, .. } | Explanation::Stop { reason } => reason,
        }
    }
}

impl Scenario {
    /// A request with this method and a body that can be sent again, on a connection of which nothing is known, and how
    /// its first attempt ended.
    #[must_use]
    pub const fn new(method: Method, end: End) -> Self {
        let (idempotency, replay) = (Idempotency::Method, Replay::Possible);
        Scenario { method, idempotency, replay, connection: Connection::Unknown, end }
    }

    /// What `policy` does after it, with a full budget and the whole deadline ahead.
    #[must_use]
    pub fn explain(&self, policy: &Policy, wall: SystemTime) -> Explanation {
        let headers = self.headers();
        let attempt = self.attempt(policy, &headers);
        let bucket = policy.budget().unwrap_or(&Budget::DEFAULT).bucket();
        let history = History::start(bucket);
        let now = Now { elapsed: Duration::ZERO, wall };
        let lowest = policy.next_step(&history, &attempt, now, Sample::LOWEST);
        let highest = policy.next_step(&history, &attempt, now, Sample::HIGHEST);
        match (lowest, highest) {
            (Step::Retry { wait: shortest, reason, .. }, Step::Retry { wait: longest, .. }) => {
                Explanation::Retry { reason, shortest, longest }
            }
            // Samples differ in the wait alone, and only the deadline refuses one wait and not another.
            (Step::Retry { wait: shortest, reason, .. }, Step::Stop { .. }) => {
                Explanation::Retry { reason, shortest, longest: policy.deadline().unwrap_or(shortest) }
            }
            (Step::Stop { reason, .. }, _) => Explanation::Stop { reason },
        }
    }

    fn headers(&self) -> HeaderMap {
        match &self.end {
            End::Answer(_, Some(retry_after)) => HeaderMap::from_iter([(header::RETRY_AFTER, retry_after.clone())]),
            End::Answer(_, None) | End::Failure(..) => HeaderMap::new(),
        }
    }

    fn attempt<'a>(&'a self, policy: &Policy, headers: &'a HeaderMap) -> Attempt<'a> {
        let (outcome, sent) = match self.end {
            End::Answer(status, _) => {
                (Outcome::Answer { status, transient: policy.statuses().contains(status), headers }, Sent::Maybe)
            }
            End::Failure(kind, sent) => (Outcome::Failure(Failure { kind, phase: usual_phase(kind, sent) }), sent),
        };
        Attempt {
            request: Request {
                method: &self.method,
                url: "http://example.test/",
                idempotency: self.idempotency,
                replay: self.replay,
                timeout: None,
            },
            outcome,
            sent,
            number: NonZeroU32::MIN,
            uncounted: Uncounted::default(),
            connection: self.connection,
        }
    }
}

/// Where such a failure happens, as far as kind and sent tell it.
const fn usual_phase(kind: FailureKind, sent: Sent) -> Phase {
    match kind {
        FailureKind::UnknownHost => Phase::Resolve,
        FailureKind::ConnectTimeout
        | FailureKind::Refused
        | FailureKind::Unreachable
        | FailureKind::ConnectAbandoned
        | FailureKind::ProxyTunnel => Phase::Connect,
        FailureKind::TlsHandshake | FailureKind::Certificate => Phase::Tls,
        FailureKind::Truncated | FailureKind::Decode => Phase::Body,
        FailureKind::Builder | FailureKind::UnsupportedScheme => Phase::Prepare,
        FailureKind::RequestTimeout
        | FailureKind::ReadTimeout
        | FailureKind::Deadline
        | FailureKind::Reset
        | FailureKind::Closed
        | FailureKind::Garbage
        | FailureKind::HeadTooLarge
        | FailureKind::StreamRefused
        | FailureKind::StreamReset
        | FailureKind::GoAway
        | FailureKind::Io
        | FailureKind::ProxyAuthentication
        | FailureKind::Redirect
        | FailureKind::RequestBody => match sent {
            Sent::No => Phase::Connect,
            Sent::NotProcessed | Sent::Maybe => Phase::Answer,
        },
    }
}
