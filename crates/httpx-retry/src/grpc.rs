//! What a gRPC service config says about retries, as a policy of the common parts.

#[cfg(feature = "grpc")]
mod service_config;

use std::num::NonZeroU32;
use std::time::Duration;

use crate::{
    Backoff, Budget, Charge, DeadlineField, FailureKind, GrpcStatus, Hedging, HintForm, Jitter, Policy, RetryAfter,
    Row, Rule, Sent, When,
};

#[cfg(feature = "grpc")]
pub use service_config::GrpcConfigError;

/// What a service config says of one method: `retryPolicy` or `hedgingPolicy`, `timeout`, and `retryThrottling`.
///
/// [`GrpcPolicy::policy`] makes a [`Policy`] of it. Sources: gRFC A6 lines 99-125 (retryPolicy), 147-157 (pushback),
/// 186-213 (hedgingPolicy), 285-306 (retryThrottling), "Transparent Retries"; measured in `SURVEY.md` §2.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GrpcPolicy {
    /// At most one of this and [`GrpcPolicy::hedging`] is there.
    pub retry: Option<GrpcRetry>,
    /// See [`GrpcPolicy::retry`].
    pub hedging: Option<GrpcHedging>,
    /// The deadline of a call that sets none.
    pub timeout: Option<Duration>,
    /// Shared by all calls to a server.
    pub throttling: Option<GrpcThrottling>,
}

/// `retryPolicy`.
#[derive(Clone, Debug, PartialEq)]
pub struct GrpcRetry {
    /// How many sends at most, the first included; above [`GrpcRetry::MOST`] it is that.
    pub max_attempts: NonZeroU32,
    /// The wait before the first retry, varied by ±0.2.
    pub initial_backoff: Duration,
    /// The longest wait, before it is varied.
    pub max_backoff: Duration,
    /// What the wait is multiplied with each time; below 1 counts as 1.
    ///
    /// gRPC lets such waits shrink. Here no wait is shorter than the one before: a server that is still down after two
    /// attempts is not helped by the third one coming sooner.
    pub backoff_multiplier: f64,
    /// The codes that are retried.
    pub codes: Vec<GrpcStatus>,
}

impl GrpcRetry {
    /// The most sends that any service config can ask for.
    pub const MOST: NonZeroU32 = NonZeroU32::new(5).expect("5 is not 0");
}

/// `hedgingPolicy`.
#[derive(Clone, Debug, PartialEq)]
pub struct GrpcHedging {
    /// How many sends at most, the first included; above [`GrpcRetry::MOST`] it is that.
    pub max_attempts: NonZeroU32,
    /// How long after one send the next follows; zero sends all at once.
    pub delay: Duration,
    /// After these codes the next send follows at once; any other ends the call, and the sends under way with it.
    pub non_fatal: Vec<GrpcStatus>,
}

/// `retryThrottling`, in thousandths, which is as exact as gRPC takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrpcThrottling {
    /// Tokens of a full bucket. At half of them, retries cease.
    pub max_tokens: u32,
    /// Thousandths of a token that a success gives.
    pub token_ratio_thousandths: u32,
}

/// Thousandths in a token.
const TOKEN: u32 = 1000;

/// What counts as `UNAVAILABLE`: a connection that broke.
const LOST: &[FailureKind] = &[FailureKind::Reset, FailureKind::Closed, FailureKind::Io];

/// The server said that it did not act on the call.
const NOT_PROCESSED: &[FailureKind] = &[FailureKind::StreamRefused, FailureKind::GoAway];

impl GrpcPolicy {
    /// Every channel without a service config.
    #[must_use]
    pub fn without_service_config() -> Self {
        GrpcPolicy::default()
    }

    /// The policy.
    ///
    /// What never left the client is sent again as often as it takes, and what the server did not process once, both
    /// without counting ("transparent retries"). Where no connection comes about nothing is retried: a gRPC channel then is
    /// in a back-off of its own, and further attempts fail without a connect. A limit that elapses is the deadline of the
    /// call, which every attempt tells the server in `grpc-timeout`. Once the answer has begun, the call is committed.
    #[must_use]
    pub fn policy(&self) -> Policy {
        let mut rows = transparent();
        let mut most = NonZeroU32::MIN;
        if let Some(retry) = &self.retry {
            rows.extend(repeated(&retry.codes));
            most = retry.max_attempts.min(GrpcRetry::MOST);
        }
        if let Some(hedging) = &self.hedging {
            rows.extend(repeated(&hedging.non_fatal));
            most = hedging.max_attempts.min(GrpcRetry::MOST);
        }
        let mut policy = Policy::bare(Rule::rows("grpc", rows), most)
            .with_retry_after(RetryAfter::Replaces(Duration::MAX))
            .with_hint_form(HintForm::GrpcPushback)
            .with_deadline_field(DeadlineField::GrpcTimeout);
        if let Some(retry) = &self.retry {
            policy = policy.with_backoff(retry.backoff());
        }
        if let Some(hedging) = &self.hedging {
            policy = policy.with_hedging(Hedging::new(hedging.delay, most).of_every_request());
        }
        if let Some(timeout) = self.timeout {
            policy = policy.with_deadline(timeout);
        }
        match self.throttling {
            Some(throttling) => policy.with_budget(throttling.budget()),
            None => policy,
        }
    }
}

/// What every channel sends again, whatever its config.
fn transparent() -> Vec<Row> {
    vec![
        When::failure(&[FailureKind::ConnectAbandoned]).sent(Sent::No).retry_uncounted(),
        // On a fresh connection it is the connection that failed, not the call.
        When::failure(LOST).sent(Sent::No).reused().retry_uncounted(),
        When::failure(NOT_PROCESSED).not_processed_for_the_first_time().retry_uncounted(),
    ]
}

/// What counts as one of `codes`, and is sent again.
///
/// Before the connection stands there is no call that could be `UNAVAILABLE`, only a channel in back-off. A stream that is
/// reset is `INTERNAL`, whatever its error code (grpc `doc/PROTOCOL-HTTP2.md`, "Errors", where two rare ones differ).
fn repeated(codes: &[GrpcStatus]) -> Vec<Row> {
    let mut rows = Vec::new();
    if codes.contains(&GrpcStatus::UNAVAILABLE) {
        rows.push(When::failure(LOST).sent(Sent::Maybe).retry());
        rows.push(When::failure(NOT_PROCESSED).retry());
    }
    if codes.contains(&GrpcStatus::INTERNAL) {
        rows.push(When::failure(&[FailureKind::StreamReset]).retry());
    }
    if !codes.is_empty() {
        rows.push(When::grpc(codes.to_vec()).retry());
    }
    rows
}

impl GrpcRetry {
    fn backoff(&self) -> Backoff {
        Backoff::doubling(self.initial_backoff)
            .with_factor(self.backoff_multiplier)
            .with_cap(self.max_backoff)
            .with_jitter(Jitter::RatioOverCap(0.2))
    }
}

impl GrpcThrottling {
    /// A failure takes a token; a retry needs more than half a bucket afterwards.
    fn budget(self) -> Budget {
        let capacity = self.max_tokens.saturating_mul(TOKEN);
        Budget {
            capacity,
            retry_cost: TOKEN,
            timeout_cost: TOKEN,
            first_success: self.token_ratio_thousandths,
            floor: capacity / 2 + 1,
            charge: Charge::Failures,
        }
    }
}
