//! Rules as values: named, cheap to clone, composable.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use crate::row::first_match;
use crate::{Attempt, Reason, Row, Sent, Verdict, default_rule};

type Decide = dyn Fn(&Attempt<'_>) -> Verdict + Send + Sync;

/// A named answer to "may this be retried?".
///
/// ```
/// use httpx_retry::{FailureKind, Outcome, Reason, Rule, Verdict};
///
/// // The default, but an unknown host is a typing mistake and ends the call.
/// let rule = Rule::default_rule().unless("typo", |attempt| {
///     matches!(attempt.outcome, Outcome::Failure(f) if f.kind == FailureKind::UnknownHost)
/// });
/// assert_eq!(rule.name(), "default unless typo");
/// ```
#[derive(Clone)]
pub struct Rule {
    name: Cow<'static, str>,
    decide: Arc<Decide>,
    /// Where it consists of rows: those that `decide` asks.
    rows: Option<Arc<[Row]>>,
}

impl Rule {
    /// A rule of the caller's own. It is asked after every attempt, answers included.
    pub fn new(
        name: impl Into<Cow<'static, str>>,
        decide: impl Fn(&Attempt<'_>) -> Verdict + Send + Sync + 'static,
    ) -> Self {
        Rule { name: name.into(), decide: Arc::new(decide), rows: None }
    }

    /// The first of `rows` whose conditions hold gives the verdict; what no row speaks of is final.
    pub fn rows(name: impl Into<Cow<'static, str>>, rows: impl Into<Arc<[Row]>>) -> Self {
        let rows = rows.into();
        let asked = rows.clone();
        Rule { rows: Some(rows), ..Rule::new(name, move |attempt| first_match(&asked, attempt)) }
    }

    /// [`default_rule`] as a value.
    #[must_use]
    pub fn default_rule() -> Self {
        Rule::new("default", default_rule)
    }

    /// Retries what the default rule retries, but only when it provably was not processed, or when the request is
    /// idempotent. Timeouts once the request may have been sent stay final.
    #[must_use]
    pub fn idempotent_only() -> Self {
        Rule::new("idempotent_only", idempotent_only)
    }

    /// Like [`Rule::idempotent_only`], and timeouts of idempotent requests are retried too.
    ///
    /// The time bound of a call is then attempts × timeout: set a deadline.
    #[must_use]
    pub fn idempotent_only_with_timeouts() -> Self {
        Rule::new("idempotent_only_with_timeouts", |attempt| match idempotent_only(attempt) {
            Verdict::Stop(Reason::MayBeWorking) if attempt.request.is_idempotent() => {
                Verdict::Retry(Reason::Idempotent)
            }
            verdict => verdict,
        })
    }

    /// Like the default rule, and timeouts are retried even when the request may have been sent, as by lib-httpx before
    /// 2.5.0.
    ///
    /// The time bound of a call is then attempts × timeout, and a request may be acted on twice. What the next attempt
    /// cannot mend stays final, a rejected certificate too.
    #[must_use]
    pub fn any_io_error() -> Self {
        Rule::new("any_io_error", |attempt| match default_rule(attempt) {
            Verdict::Stop(Reason::MayBeWorking) => Verdict::Retry(Reason::IoFailure),
            verdict => verdict,
        })
    }

    /// Nothing is retried.
    #[must_use]
    pub fn never() -> Self {
        Rule::new("never", |attempt| match default_rule(attempt) {
            Verdict::Stop(reason) => Verdict::Stop(reason),
            Verdict::Retry(_) | Verdict::RetryIn(..) | Verdict::Uncounted(_) => Verdict::Stop(Reason::Never),
        })
    }

    /// Retries when either rule does; this one is asked first and its reason wins.
    #[must_use]
    pub fn or(self, other: Rule) -> Self {
        let name = format!("{} or {}", self.name, other.name);
        Rule::new(name, move |attempt| {
            let first = self.verdict(attempt);
            if first.is_retry() { first } else { other.verdict(attempt) }
        })
    }

    /// Retries only when both rules do; the first refusal's reason wins, and the other rule is not asked after it.
    ///
    /// A wait that either rule asks for is kept, the longer of two. The reason is that of the rule whose wait is kept, or
    /// this one's.
    #[must_use]
    pub fn and(self, other: Rule) -> Self {
        let name = format!("{} and {}", self.name, other.name);
        Rule::new(name, move |attempt| {
            let first = self.verdict(attempt);
            if first.is_retry() { both(first, other.verdict(attempt)) } else { first }
        })
    }

    /// Stops where `exception` holds, with the exception's name as reason, and is unchanged elsewhere.
    #[must_use]
    pub fn unless(self, name: &'static str, exception: impl Fn(&Attempt<'_>) -> bool + Send + Sync + 'static) -> Self {
        Rule::new(format!("{} unless {name}", self.name), move |attempt| {
            let verdict = self.verdict(attempt);
            if verdict.is_retry() && exception(attempt) { Verdict::Stop(Reason::Custom(name.into())) } else { verdict }
        })
    }

    /// Its name, as printed by `explain`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The rows it consists of; `None` when it is a function.
    #[must_use]
    pub fn table(&self) -> Option<&[Row]> {
        self.rows.as_deref()
    }

    /// Asks the rule.
    #[must_use]
    pub fn verdict(&self, attempt: &Attempt<'_>) -> Verdict {
        (self.decide)(attempt)
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Rule").field(&self.name).finish()
    }
}

fn idempotent_only(attempt: &Attempt<'_>) -> Verdict {
    let verdict = default_rule(attempt);
    if !verdict.is_retry() || attempt.sent != Sent::Maybe {
        return verdict;
    }
    if attempt.request.is_idempotent() {
        Verdict::Retry(Reason::Idempotent)
    } else {
        Verdict::Stop(Reason::NotIdempotent)
    }
}

/// What holds when the first rule retries: the refusal of the second, what counts, or the longer wait.
fn both(first: Verdict, second: Verdict) -> Verdict {
    match (&first, &second) {
        (_, Verdict::Stop(_))
        | (Verdict::Uncounted(_), Verdict::Retry(_) | Verdict::RetryIn(..))
        | (Verdict::Retry(_), Verdict::RetryIn(..)) => second,
        (Verdict::RetryIn(one, _), Verdict::RetryIn(other, _)) if other > one => second,
        (Verdict::Stop(_) | Verdict::Retry(_) | Verdict::RetryIn(..) | Verdict::Uncounted(_), _) => first,
    }
}
