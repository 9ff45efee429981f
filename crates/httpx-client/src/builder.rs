//! From settings to a client; every check is in [`ClientBuilder::build`].

use std::fmt;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use httpx_retry::{Policy, Rule};

use crate::budgets::Budgets;
use crate::client::{Client, Inner, OnRetry};
use crate::config::{BudgetSetting, Config, HttpVersion, Limit, RetryAfterSetting};
use crate::connector;
use crate::events::RetryEvent;
use crate::settings;

/// How many redirects are followed when nothing is said, as in reqwest.
const DEFAULT_MAX_REDIRECTS: u32 = 10;

/// Builds a [`Client`].
///
/// Everything that can be written down is a [`Config`], which goes in with `from` and comes out of
/// [`Client::config`] unchanged. Rules, policies and callbacks are code and are set here only.
#[must_use]
pub struct ClientBuilder {
    config: Config,
    policy: Option<Policy>,
    rule: Option<Rule>,
    on_retry: Option<OnRetry>,
    source: connector::Source,
}

/// Why a client could not be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// No policy has that name.
    #[error("unknown policy {name:?}; the policies are {}", known.join(", "))]
    UnknownPolicy {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// A number outside its range.
    #[error("{setting} is {value}; it must be {right}")]
    OutOfRange {
        /// The setting.
        setting: &'static str,
        /// Its value.
        value: String,
        /// What would be right.
        right: &'static str,
    },
    /// The file of trusted certificates.
    #[error("cacert {}: {what}", path.display())]
    CaCert {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A setting that only the maker of an adopted client can set.
    #[error("{setting} cannot be set on an adopted reqwest client; set it where that client is built")]
    Adopted {
        /// The setting.
        setting: &'static str,
    },
    /// reqwest refused the settings, or TLS cannot be set up.
    #[error("the HTTP client cannot be set up: {0}")]
    Http(String),
}

impl Default for ClientBuilder {
    fn default() -> Self {
        ClientBuilder::new()
    }
}

impl From<Config> for ClientBuilder {
    fn from(config: Config) -> Self {
        ClientBuilder { config, ..ClientBuilder::new() }
    }
}

impl ClientBuilder {
    /// Every default.
    pub fn new() -> Self {
        ClientBuilder {
            config: Config::default(),
            policy: None,
            rule: None,
            on_retry: None,
            source: connector::Source::default(),
        }
    }

    /// Around one of reqwest's clients; see [`Client::from_reqwest`].
    pub fn from_reqwest(client: reqwest::Client) -> Self {
        ClientBuilder { source: connector::Source::Adopted(client), ..ClientBuilder::new() }
    }

    /// Changes anything that reqwest can be told, before this crate's own settings, which win.
    pub fn customise_reqwest(
        mut self,
        customise: impl FnOnce(reqwest::ClientBuilder) -> reqwest::ClientBuilder + Send + 'static,
    ) -> Self {
        self.source = connector::Source::Built(Box::new(customise));
        self
    }

    /// What is retried, and how; [`Config::policy`] by value. The settings below change it.
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = Some(policy);
        self
    }

    /// Asks `rule` instead of the policy's.
    pub fn rule(mut self, rule: Rule) -> Self {
        self.rule = Some(rule);
        self
    }

    /// Called before each wait, with the attempt that failed.
    pub fn on_retry(mut self, callback: impl Fn(&RetryEvent<'_>) + Send + Sync + 'static) -> Self {
        self.on_retry = Some(Arc::new(callback));
        self
    }

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

    /// The settings so far.
    #[must_use]
    pub const fn config(&self) -> &Config {
        &self.config
    }

    /// The client.
    ///
    /// # Errors
    /// [`BuildError`], naming the setting and what would be right.
    pub fn build(self) -> Result<Client, BuildError> {
        let policy = settings::policy(&self.config, self.policy, self.rule)?;
        // An adopted client follows redirects by its own rules, and perhaps on purpose none.
        let max_redirects = match self.source {
            connector::Source::Adopted(_) => 0,
            connector::Source::Built(_) => DEFAULT_MAX_REDIRECTS,
        };
        Ok(Client {
            inner: Arc::new(Inner {
                http: self.source.connect(&self.config)?,
                policy,
                timeout: settings::limit(self.config.timeout),
                read_timeout: settings::limit(self.config.read_timeout),
                max_redirects: self.config.max_redirects.unwrap_or(max_redirects),
                budgets: Budgets::default(),
                on_retry: self.on_retry,
                config: self.config,
            }),
        })
    }
}

impl fmt::Debug for ClientBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientBuilder")
            .field("config", &self.config)
            .field("policy", &self.policy)
            .field("rule", &self.rule)
            .finish_non_exhaustive()
    }
}
