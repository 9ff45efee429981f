//! A policy: everything that decides about retries, as one value.

mod parts;

use std::borrow::Cow;
use std::num::NonZeroU32;
use std::time::Duration;

use crate::{
    Attempt, Backoff, Budget, DeadlineField, Hedging, HintForm, OverCap, Patience, RetryAfter, Rule, StatusSet,
    Throttling, Verdict, default_rule,
};

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
    pub(crate) throttling: Option<Throttling>,
    pub(crate) retry_after: RetryAfter,
    pub(crate) hint_form: HintForm,
    /// `None`: a hint counts with any status.
    pub(crate) hinted: Option<StatusSet>,
    pub(crate) patience: Patience,
    pub(crate) max_attempts: NonZeroU32,
    pub(crate) deadline: Option<Duration>,
    pub(crate) budget: Option<Budget>,
    pub(crate) asks_connection: bool,
    pub(crate) hedging: Option<Hedging>,
    pub(crate) deadline_field: Option<DeadlineField>,
    pub(crate) adapts_rate: bool,
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            name: Cow::Borrowed("default"),
            rule: None,
            statuses: StatusSet::default(),
            backoff: Backoff::DEFAULT,
            throttling: None,
            retry_after: RetryAfter::LowerBound(OverCap::Wait),
            hint_form: HintForm::SecondsOrDate,
            hinted: None,
            patience: Patience::Endless,
            max_attempts: DEFAULT_MAX_ATTEMPTS,
            deadline: None,
            budget: Some(Budget::DEFAULT),
            asks_connection: false,
            hedging: None,
            deadline_field: None,
            adapts_rate: false,
        }
    }
}

impl Policy {
    /// A policy of nothing but `rule`: no statuses, no waits, `Retry-After` ignored, no deadline, no budget.
    ///
    /// Where [`Policy::default`] is the place to start from for a policy of one's own, this is the one for what another
    /// client does.
    #[must_use]
    pub fn bare(rule: Rule, max_attempts: NonZeroU32) -> Self {
        Policy {
            name: Cow::Owned(rule.name().to_owned()),
            rule: Some(rule),
            statuses: StatusSet::empty(),
            backoff: Backoff::NONE,
            retry_after: RetryAfter::Ignored,
            max_attempts,
            budget: None,
            ..Policy::default()
        }
    }

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

    /// Statuses that have a back-off and a price of their own.
    #[must_use]
    pub fn with_throttling(mut self, throttling: Throttling) -> Self {
        self.throttling = Some(throttling);
        self
    }

    /// Which header fields tell what [`Policy::retry_after`] is about.
    #[must_use]
    pub fn with_hint_form(mut self, form: HintForm) -> Self {
        self.hint_form = form;
        self
    }

    /// Only with these statuses is `Retry-After` read.
    #[must_use]
    pub fn with_hinted_statuses(mut self, statuses: StatusSet) -> Self {
        self.hinted = Some(statuses);
        self
    }

    /// What becomes of a wait that is longer than the timeout of one attempt.
    #[must_use]
    pub fn with_patience(mut self, patience: Patience) -> Self {
        self.patience = patience;
        self
    }

    /// Sends idempotent requests again before the first has failed.
    #[must_use]
    pub fn with_hedging(mut self, hedging: Hedging) -> Self {
        self.hedging = Some(hedging);
        self
    }

    /// One send at a time.
    #[must_use]
    pub fn without_hedging(mut self) -> Self {
        self.hedging = None;
        self
    }

    /// Tells the server with every attempt what is left of the deadline, where there is one.
    #[must_use]
    pub fn with_deadline_field(mut self, field: DeadlineField) -> Self {
        self.deadline_field = Some(field);
        self
    }

    /// Lets attempts wait their turn once a server has throttled them: see [`AdaptiveRate`](crate::AdaptiveRate).
    ///
    /// The rate is kept per origin, by all calls together. The AWS SDKs call it the retry mode `adaptive`.
    #[must_use]
    pub fn with_adaptive_rate(mut self) -> Self {
        self.adapts_rate = true;
        self
    }

    /// Every back-off of the policy, changed alike.
    #[must_use]
    pub fn with_backoffs(mut self, change: impl Fn(Backoff) -> Backoff) -> Self {
        self.backoff = change(self.backoff);
        self.throttling =
            self.throttling.map(|throttling| Throttling { backoff: change(throttling.backoff), ..throttling });
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

    /// What the rule alone says; attempts, deadline and budget are [`Policy::next_step`]'s business.
    #[must_use]
    pub fn verdict(&self, attempt: &Attempt<'_>) -> Verdict {
        match &self.rule {
            Some(rule) => rule.verdict(attempt),
            None => default_rule(attempt), // the only line where a default is chosen
        }
    }
}
