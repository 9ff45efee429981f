//! From settings to a client; every check is in [`ClientBuilder::build`].

#[cfg(feature = "auth")]
mod auth;
#[cfg(not(feature = "auth"))]
#[path = "builder/no_auth.rs"]
mod auth;
mod settings;

use std::fmt;
use std::sync::Arc;

use httpx_retry::{Policy, Rule};

use crate::auth::Auth;
use crate::budgets::Budgets;
use crate::build_error::BuildError;
use crate::client::Client;
use crate::config::Config;
use crate::connector::Source;
use crate::events::{OnRetry, RetryEvent};
use crate::fleet::{self, Fleet, FleetStore};
use crate::proxies::{Proxies, Variable};
use crate::rates::Rates;
use crate::settings as set;
use crate::shared::Shared;
use auth::keeper;

/// How many redirects are followed when nothing is said, as in reqwest.
pub(crate) const DEFAULT_MAX_REDIRECTS: u32 = 10;

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
    fleet: Option<Arc<dyn FleetStore>>,
    /// At most one; a second is kept to be named.
    auths: Vec<Auth>,
    source: Source,
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
            fleet: None,
            auths: Vec::new(),
            source: Source::default(),
        }
    }

    /// Around one of reqwest's clients; see [`Client::from_reqwest`].
    pub fn from_reqwest(client: reqwest::Client) -> Self {
        ClientBuilder { source: Source::adopted(client), ..ClientBuilder::new() }
    }

    /// Changes anything that reqwest can be told, before this crate's own settings, which win. May be called more than
    /// once, but not for an adopted client.
    ///
    /// Default header fields with credentials are refused when the client is built: reqwest would add them to every
    /// request, wherever a redirect leads.
    pub fn customise_reqwest(
        mut self,
        customise: impl FnOnce(reqwest::ClientBuilder) -> reqwest::ClientBuilder + Send + 'static,
    ) -> Self {
        self.source.customise(Box::new(customise));
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

    /// Shares the budget of retries, and how long a server asks to be left alone, with every client of this store;
    /// [`Config::fleet`] by value.
    ///
    /// While the store cannot be reached a client goes by its own budget, and says so in an event. Successes are told to
    /// the store once a second at most, and need nothing of it.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// # #[cfg(feature = "redis")]
    /// # fn build() -> Result<httpx_client::Client, Box<dyn std::error::Error>> {
    /// let store = Arc::new(httpx_client::RedisStore::at("redis://127.0.0.1:6379/")?);
    /// let client = httpx_client::Client::builder().fleet_store(store).build()?;
    /// # Ok(client)
    /// # }
    /// ```
    pub fn fleet_store(mut self, store: Arc<dyn FleetStore>) -> Self {
        self.fleet = Some(store);
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
        self.build_in(&|variable| std::env::var(variable).ok())
    }

    /// [`ClientBuilder::build`] with other environment variables than the process has.
    ///
    /// # Errors
    /// As [`ClientBuilder::build`].
    pub fn build_in(self, environment: Variable<'_>) -> Result<Client, BuildError> {
        let proxies = Proxies::from_settings(&self.config, environment)?;
        let policy = set::policy(&self.config, self.policy, self.rule)?;
        // An adopted client follows redirects by its own rules, and perhaps on purpose none.
        let unsaid = if self.source.is_adopted() { 0 } else { DEFAULT_MAX_REDIRECTS };
        let max_redirects = self.config.max_redirects.unwrap_or(unsaid);
        let (http, observing) =
            self.source.connect(&self.config, proxies.as_ref(), policy.asks_connection(), max_redirects > 0)?;
        let fleet = match (self.fleet, &self.config.fleet) {
            (Some(store), _) => Some(store),
            (None, Some(url)) => Some(fleet::store_at(url)?),
            (None, None) => None,
        };
        let fleet = fleet.map(Fleet::new);
        let mut shared = Shared {
            http,
            observing,
            keeper: None,
            proxies,
            policy,
            timeout: set::limit(self.config.timeout),
            read_timeout: set::limit(self.config.read_timeout),
            max_redirects,
            max_body: self.config.max_body,
            budgets: Budgets::default(),
            fleet,
            rates: Rates::default(),
            on_retry: self.on_retry,
            config: self.config,
        };
        shared.keeper = keeper(self.auths, &shared)?;
        Ok(Client::sharing(shared))
    }
}

impl Client {
    /// A client with every default.
    ///
    /// # Panics
    /// When TLS cannot be set up, as `reqwest::Client::new` does; [`ClientBuilder::build`] returns the error instead.
    #[must_use]
    pub fn new() -> Self {
        ClientBuilder::new().build().expect("the defaults are valid; only a broken TLS set-up comes here")
    }

    /// A builder with every default.
    pub fn builder() -> ClientBuilder {
        ClientBuilder::new()
    }

    /// A client around one of reqwest's, with its pool and settings, under the default policy.
    ///
    /// Building one of reqwest's needs a cryptography provider, which is installed when a client of this crate is built
    /// first, or by `rustls::crypto::CryptoProvider::install_default`.
    ///
    /// Its own retries should be off ([`reqwest::retry::never`]) or they are not counted. Redirects are its own
    /// business: what it hands back, such as a 307 for a body, is the answer, unless
    /// [`max_redirects`](ClientBuilder::max_redirects) is set on a builder from [`ClientBuilder::from_reqwest`].
    #[must_use]
    pub fn from_reqwest(client: reqwest::Client) -> Self {
        ClientBuilder::from_reqwest(client).build().expect("nothing is set that an adopted client could refuse")
    }
}

impl Default for Client {
    fn default() -> Self {
        Client::new()
    }
}

impl fmt::Debug for ClientBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientBuilder")
            .field("config", &self.config)
            .field("policy", &self.policy)
            .field("rule", &self.rule)
            .field("auths", &self.auths)
            .finish_non_exhaustive()
    }
}
