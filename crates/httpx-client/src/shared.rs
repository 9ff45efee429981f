//! What a client and its clones share.

use std::fmt;
use std::time::Duration;

use httpx_retry::Policy;

use crate::auth::Keeper;
use crate::budgets::Budgets;
use crate::config::Config;
use crate::events::OnRetry;
use crate::observe::Observing;
use crate::proxies::Proxies;
use crate::rates::Rates;

pub(crate) struct Shared {
    pub(crate) http: reqwest::Client,
    /// Who keeps the client's credentials, when it has any.
    pub(crate) keeper: Option<Keeper>,
    pub(crate) proxies: Option<Proxies>,
    pub(crate) policy: Policy,
    pub(crate) timeout: Option<Duration>,
    pub(crate) read_timeout: Option<Duration>,
    pub(crate) max_redirects: u32,
    pub(crate) observing: Observing,
    pub(crate) budgets: Budgets,
    pub(crate) rates: Rates,
    pub(crate) on_retry: Option<OnRetry>,
    pub(crate) config: Config,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("policy", &self.policy).field("config", &self.config).finish_non_exhaustive()
    }
}
