//! The settings of a [`Config`], one by one.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use http::StatusCode;

use super::ClientBuilder;
#[cfg(doc)]
use crate::config::Config;
use crate::config::{BudgetSetting, HttpVersion, Limit, RetryAfterSetting};
use crate::no_proxy::NoProxy;
use crate::proxy::Proxy;
use crate::secret::Secret;

impl ClientBuilder {
    /// [`Config::max_attempts`].
    pub fn max_attempts(mut self, max_attempts: NonZeroU32) -> Self {
        self.config.max_attempts = Some(max_attempts);
        self
    }

    /// [`Config::delay`].
    pub fn delay(mut self, delay: Duration) -> Self {
        self.config.delay = Some(delay);
        self
    }

    /// [`Config::factor`].
    pub fn factor(mut self, factor: f64) -> Self {
        self.config.factor = Some(factor);
        self
    }

    /// [`Config::max_delay`].
    pub fn max_delay(mut self, max_delay: Duration) -> Self {
        self.config.max_delay = Some(max_delay);
        self
    }

    /// [`Config::jitter`].
    pub fn jitter(mut self, ratio: f64) -> Self {
        self.config.jitter = Some(ratio);
        self
    }

    /// [`Config::statuses`].
    pub fn statuses(mut self, statuses: impl IntoIterator<Item = StatusCode>) -> Self {
        self.config.statuses = Some(statuses.into_iter().map(|status| status.as_u16()).collect());
        self
    }

    /// [`Config::retry_after`].
    pub fn retry_after(mut self, retry_after: RetryAfterSetting) -> Self {
        self.config.retry_after = Some(retry_after);
        self
    }

    /// [`Config::budget`].
    pub fn budget(mut self, budget: BudgetSetting) -> Self {
        self.config.budget = Some(budget);
        self
    }

    /// [`Config::adaptive_rate`].
    pub fn adaptive_rate(mut self) -> Self {
        self.config.adaptive_rate = Some(true);
        self
    }

    /// [`Config::fleet`].
    pub fn fleet(mut self, url: impl Into<Secret>) -> Self {
        self.config.fleet = Some(url.into());
        self
    }

    /// [`Config::deadline`].
    pub fn deadline(mut self, deadline: impl Into<Limit>) -> Self {
        self.config.deadline = Some(deadline.into());
        self
    }

    /// [`Config::timeout`].
    pub fn timeout(mut self, timeout: impl Into<Limit>) -> Self {
        self.config.timeout = Some(timeout.into());
        self
    }

    /// [`Config::connect_timeout`].
    pub fn connect_timeout(mut self, timeout: impl Into<Limit>) -> Self {
        self.config.connect_timeout = Some(timeout.into());
        self
    }

    /// [`Config::read_timeout`].
    pub fn read_timeout(mut self, timeout: impl Into<Limit>) -> Self {
        self.config.read_timeout = Some(timeout.into());
        self
    }

    /// [`Config::max_redirects`].
    pub fn max_redirects(mut self, max_redirects: u32) -> Self {
        self.config.max_redirects = Some(max_redirects);
        self
    }

    /// [`Config::max_body`].
    pub fn max_body(mut self, bytes: u64) -> Self {
        self.config.max_body = Some(bytes);
        self
    }

    /// [`Config::user_agent`].
    pub fn user_agent(mut self, user_agent: impl Into<String>) -> Self {
        self.config.user_agent = Some(user_agent.into());
        self
    }

    /// [`Config::http_version`].
    pub fn http_version(mut self, version: HttpVersion) -> Self {
        self.config.http_version = Some(version);
        self
    }

    /// [`Config::cacert`].
    pub fn cacert(mut self, pem: impl Into<PathBuf>) -> Self {
        self.config.cacert = Some(pem.into());
        self
    }

    /// [`Config::proxy`].
    pub fn proxy(mut self, proxy: Proxy) -> Self {
        self.config.proxy = Some(proxy);
        self
    }

    /// [`Config::no_proxy`].
    pub fn no_proxy(mut self, list: impl Into<NoProxy>) -> Self {
        self.config.no_proxy = Some(list.into());
        self
    }

    /// [`Config::proxy_from_environment`].
    pub fn proxy_from_environment(mut self) -> Self {
        self.config.proxy_from_environment = Some(true);
        self
    }
}
