//! What a client does when nothing is said, as settings.

use httpx_retry::{Budget, Jitter, OverCap, Policy, RetryAfter};

use crate::builder::DEFAULT_MAX_REDIRECTS;
use crate::config::{BudgetSetting, Config, HttpVersion, Limit, RetryAfterSetting};
use crate::connector::DEFAULT_CONNECT_TIMEOUT;

impl Config {
    /// Every setting that has a default, written out: a client with these does what a client without any does.
    ///
    /// ```
    /// let told = toml::to_string(&httpx_client::Config::defaults())?;
    /// assert!(told.contains("max_attempts = 5"));
    /// # Ok::<(), toml::ser::Error>(())
    /// ```
    #[must_use]
    pub fn defaults() -> Self {
        let policy = Policy::default();
        let backoff = policy.backoff();
        Config {
            policy: Some(policy.name().to_owned()),
            max_attempts: Some(policy.max_attempts()),
            delay: Some(backoff.initial()),
            factor: Some(backoff.factor()),
            max_delay: Some(backoff.cap()),
            jitter: ratio(backoff.jitter()),
            statuses: Some(policy.statuses().iter().map(|status| status.as_u16()).collect()),
            retry_after: setting(policy.retry_after()),
            budget: Some(policy.budget().map_or(BudgetSetting::Off, tokens)),
            adaptive_rate: Some(policy.adapts_rate()),
            deadline: Some(policy.deadline().map_or(Limit::Off, Limit::After)),
            timeout: Some(Limit::Off),
            connect_timeout: Some(Limit::After(DEFAULT_CONNECT_TIMEOUT)),
            read_timeout: Some(Limit::Off),
            max_redirects: Some(DEFAULT_MAX_REDIRECTS),
            http_version: Some(HttpVersion::Auto),
            proxy_from_environment: Some(false),
            // None of these is there unless it is said.
            fleet: None,
            max_body: None,
            user_agent: None,
            cacert: None,
            proxy: None,
            no_proxy: None,
            auth: None,
        }
    }
}

/// `None` is what no setting says.
const fn ratio(jitter: Jitter) -> Option<f64> {
    match jitter {
        Jitter::Ratio(ratio) => Some(ratio),
        Jitter::None => Some(0.0),
        Jitter::RatioOverCap(_) | Jitter::Full | Jitter::Half | Jitter::Additive(_) => None,
    }
}

const fn setting(retry_after: RetryAfter) -> Option<RetryAfterSetting> {
    match retry_after {
        RetryAfter::Ignored => Some(RetryAfterSetting::Ignore),
        RetryAfter::LowerBound(OverCap::Wait) => Some(RetryAfterSetting::Wait),
        RetryAfter::LowerBound(OverCap::GiveUp) => Some(RetryAfterSetting::GiveUp),
        _ => None,
    }
}

const fn tokens(budget: &Budget) -> BudgetSetting {
    let Budget { capacity, retry_cost, timeout_cost, first_success, .. } = *budget;
    BudgetSetting::Tokens { capacity, retry_cost, timeout_cost, first_success }
}
