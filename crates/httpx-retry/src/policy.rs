//! A policy: everything that decides about retries, as one value.

use std::borrow::Cow;
use std::num::NonZeroU32;
use std::time::Duration;

use crate::{Attempt, Backoff, Budget, OverCap, RetryAfter, Rule, StatusSet, Verdict, default_rule};

/// How many sends the default policy allows, the first included. Source: lib-httpx 2.5.0 `HxConfig`.
pub const DEFAULT_MAX_ATTEMPTS: NonZeroU32 = NonZeroU32::new(5).expect("5 is not 0");

/// Rule, statuses, back-off, limits and budget.
///
/// ```
/// use std::num::NonZeroU32;
/// use httpx_retry::Policy;
///
/// let policy = Policy::default().with_max_attempts(NonZeroU32::new(3).expect("3 is not 0"));
/// assert_eq!(policy.name(), "default");
/// ```
#[derive(Clone, Debug)]
pub struct Policy {
    pub(crate) name: Cow<'static, str>,
    /// `None` *is* [`default_rule`].
    pub(crate) rule: Option<Rule>,
    pub(crate) statuses: StatusSet,
    pub(crate) backoff: Backoff,
    pub(crate) retry_after: RetryAfter,
    pub(crate) max_attempts: NonZeroU32,
    pub(crate) deadline: Option<Duration>,
    pub(crate) budget: Option<Budget>,
    pub(crate) asks_connection: bool,
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            name: Cow::Borrowed("default"),
            rule: None,
            statuses: StatusSet::default(),
            backoff: Backoff::DEFAULT,
            retry_after: RetryAfter::LowerBound(OverCap::Wait),
            max_attempts: DEFAULT_MAX_ATTEMPTS,
            deadline: None,
            budget: Some(Budget::DEFAULT),
            asks_connection: false,
        }
    }
}

impl Policy {
    /// The same policy under another name.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<Cow<'static, str>>) -> Self {
        self.name = name.into();
        self
    }

    /// Asks `rule` instead of [`default_rule`].
    #[must_use]
    pub fn with_rule(mut self, rule: Rule) -> Self {
        self.rule = Some(rule);
        self
    }

    /// Which statuses are transient.
    #[must_use]
    pub fn with_statuses(mut self, statuses: StatusSet) -> Self {
        self.statuses = statuses;
        self
    }

    /// How long to wait.
    #[must_use]
    pub fn with_backoff(mut self, backoff: Backoff) -> Self {
        self.backoff = backoff;
        self
    }

    /// What `Retry-After` means.
    #[must_use]
    pub fn with_retry_after(mut self, retry_after: RetryAfter) -> Self {
        self.retry_after = retry_after;
        self
    }

    /// How many sends at most, the first included.
    #[must_use]
    pub fn with_max_attempts(mut self, max_attempts: NonZeroU32) -> Self {
        self.max_attempts = max_attempts;
        self
    }

    /// How long the whole call may take: attempts, waits and buffered body.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Duration) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// No limit on the whole call.
    #[must_use]
    pub fn without_deadline(mut self) -> Self {
        self.deadline = None;
        self
    }

    /// The shared allowance of retries.
    #[must_use]
    pub fn with_budget(mut self, budget: Budget) -> Self {
        self.budget = Some(budget);
        self
    }

    /// Retries are not bounded across calls.
    #[must_use]
    pub fn without_budget(mut self) -> Self {
        self.budget = None;
        self
    }

    /// Says that its rule asks whether a connection was fresh or reused.
    ///
    /// A client that has to find out does more work for each request, so it does only when told; else every
    /// [`Connection`](crate::Connection) is unknown.
    #[must_use]
    pub fn asking_connection(mut self) -> Self {
        self.asks_connection = true;
        self
    }

    /// Whether its rule asks for connections.
    #[must_use]
    pub const fn asks_connection(&self) -> bool {
        self.asks_connection
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

    /// What the rule alone says; attempts, deadline and budget are [`Policy::next_step`]'s business.
    #[must_use]
    pub fn verdict(&self, attempt: &Attempt<'_>) -> Verdict {
        match &self.rule {
            Some(rule) => rule.verdict(attempt),
            None => default_rule(attempt), // the only line where a default is chosen
        }
    }
}
