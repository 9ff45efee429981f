//! The parts of a policy, read.

use std::num::NonZeroU32;
use std::time::Duration;

use http::StatusCode;

use crate::{
    Backoff, Budget, DeadlineField, Hedging, HintForm, Patience, Policy, RetryAfter, Row, Rule, StatusSet, Throttling,
};

impl Policy {
    /// Whether its rule asks for connections: it says so itself, or one of its rows does.
    #[must_use]
    pub fn asks_connection(&self) -> bool {
        self.asks_connection || self.table().is_some_and(|rows| rows.iter().any(Row::asks_connection))
    }

    /// The name it is printed and chosen by.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name of its rule.
    #[must_use]
    pub fn rule_name(&self) -> &str {
        self.rule.as_ref().map_or("default", Rule::name)
    }

    /// The rows of its rule; `None` when the rule is a function.
    #[must_use]
    pub fn table(&self) -> Option<&[Row]> {
        self.rule.as_ref().and_then(Rule::table)
    }

    /// Which statuses are transient.
    #[must_use]
    pub const fn statuses(&self) -> &StatusSet {
        &self.statuses
    }

    /// How long to wait.
    #[must_use]
    pub const fn backoff(&self) -> &Backoff {
        &self.backoff
    }

    /// What `Retry-After` means.
    #[must_use]
    pub const fn retry_after(&self) -> RetryAfter {
        self.retry_after
    }

    /// Statuses that have a back-off and a price of their own.
    #[must_use]
    pub const fn throttling(&self) -> Option<&Throttling> {
        self.throttling.as_ref()
    }

    /// Which header fields tell what [`Policy::retry_after`] is about.
    #[must_use]
    pub const fn hint_form(&self) -> HintForm {
        self.hint_form
    }

    /// The statuses with which `Retry-After` is read; `None` means all.
    #[must_use]
    pub const fn hinted_statuses(&self) -> Option<&StatusSet> {
        self.hinted.as_ref()
    }

    /// What becomes of a wait that is longer than the timeout of one attempt.
    #[must_use]
    pub const fn patience(&self) -> Patience {
        self.patience
    }

    /// Whether and when a request is sent again before the first has failed.
    #[must_use]
    pub const fn hedging(&self) -> Option<Hedging> {
        self.hedging
    }

    /// The field that tells the server what is left of the deadline.
    #[must_use]
    pub const fn deadline_field(&self) -> Option<DeadlineField> {
        self.deadline_field
    }

    /// Whether attempts wait their turn once a server has throttled them.
    #[must_use]
    pub const fn adapts_rate(&self) -> bool {
        self.adapts_rate
    }

    /// Whether an answer with `status` throttles: it is one of [`Policy::throttling`]'s, or 429 where nothing is said.
    #[must_use]
    pub fn is_throttled(&self, status: StatusCode) -> bool {
        match &self.throttling {
            Some(throttling) => throttling.statuses.contains(status),
            None => status == StatusCode::TOO_MANY_REQUESTS,
        }
    }

    /// How many sends at most, the first included.
    #[must_use]
    pub const fn max_attempts(&self) -> NonZeroU32 {
        self.max_attempts
    }

    /// The limit on the whole call.
    #[must_use]
    pub const fn deadline(&self) -> Option<Duration> {
        self.deadline
    }

    /// The shared allowance of retries.
    #[must_use]
    pub const fn budget(&self) -> Option<&Budget> {
        self.budget.as_ref()
    }
}
