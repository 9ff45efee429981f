//! May a failed HTTP request be sent again?
//!
//! A retry is safe when the request **provably never reached the server**, or when repeating it does no harm. This
//! crate decides that, and when to try again, as pure values: no sockets, no clock, no randomness, no runtime. Whoever
//! sends gathers the facts of an [`Attempt`] and asks [`Policy::next_step`].
//!
//! ```
//! use http::{Method, StatusCode};
//! use httpx_retry::{End, FailureKind, Policy, Reason, Scenario, Sent};
//! use std::time::SystemTime;
//!
//! // A timeout once the request may have been sent ends the call: the server may be working on it.
//! let sent = Scenario::new(Method::GET, End::Failure(FailureKind::RequestTimeout, Sent::Maybe));
//! assert_eq!(sent.explain(&Policy::default(), SystemTime::UNIX_EPOCH).reason(), &Reason::MayBeWorking);
//!
//! // The same timeout while nothing was sent is retried.
//! let unsent = Scenario::new(Method::GET, End::Failure(FailureKind::RequestTimeout, Sent::No));
//! assert_eq!(unsent.explain(&Policy::default(), SystemTime::UNIX_EPOCH).verdict(), "retry");
//! ```
//!
//! Words: an *attempt* is one send, counted from 1; a *retry* is every attempt after the first; a *wait* is the sleep
//! before a retry; a *deadline* bounds the whole call; a *budget* is a shared allowance of retries; a *rule* says
//! whether this may be retried; a *policy* is rule, statuses, back-off, limits and budget together.

// Facts.
mod failure;
mod sent;

mod attempt;

// Parts of a policy.
mod adaptive;
mod backoff;
mod budget;
mod deadline_field;
mod grpc_status;
mod hedging;
mod methods;
mod patience;
mod retry_after;
mod status;
mod verdict;

mod throttling;

// Rules.
mod default_rule;
mod when;

mod row;

mod rule;

// Policies, and what they decide.
mod policy;

mod grpc;
mod step;

mod presets;

// The same decision, told to people.
mod explain;

mod truth_table;

// Acting, for services of tower and middlewares.
#[cfg(feature = "tower")]
pub mod repeat;

#[cfg(feature = "tower")]
mod tower;

pub use adaptive::AdaptiveRate;
pub use attempt::{Attempt, Connection, Idempotency, Outcome, Replay, Request, Uncounted};
pub use backoff::{Backoff, Jitter, Sample};
pub use budget::{Bucket, Budget, Charge};
pub use deadline_field::DeadlineField;
pub use default_rule::default_rule;
pub use explain::{End, Explanation, Scenario};
pub use failure::{Failure, FailureClass, FailureKind, Phase};
#[cfg(feature = "grpc")]
pub use grpc::GrpcConfigError;
pub use grpc::{GrpcHedging, GrpcPolicy, GrpcRetry, GrpcThrottling};
pub use grpc_status::GrpcStatus;
pub use hedging::Hedging;
pub use methods::Methods;
pub use patience::Patience;
pub use policy::{DEFAULT_MAX_ATTEMPTS, Policy};
pub use presets::{Origin, PRESETS, Preset, preset};
pub use retry_after::{
    HintForm, OverCap, RetryAfter, hint as retry_after_hint, is_malformed as retry_after_is_malformed, written_at,
};
pub use row::Row;
pub use rule::Rule;
pub use sent::Sent;
pub use status::{StatusSet, TRANSIENT};
pub use step::{History, Now, Step};
pub use throttling::Throttling;
#[cfg(feature = "tower")]
pub use tower::{Retry, RetryLayer};
pub use truth_table::truth_table;
pub use verdict::{Reason, Verdict};
pub use when::{Hint, When};
