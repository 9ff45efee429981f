//! What a client and its clones share.

use std::fmt;
use std::time::Duration;

use httpx_retry::{Bucket, Policy, Step};
use tokio::time::Instant;
use url::Url;

use crate::auth::Keeper;
use crate::budgets::Budgets;
use crate::config::Config;
use crate::events::OnRetry;
use crate::fleet::{By, Decided, Fleet};
use crate::observe::Observing;
use crate::proxies::Proxies;
use crate::proxy::Proxy;
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
    pub(crate) max_body: Option<u64>,
    pub(crate) observing: Observing,
    pub(crate) budgets: Budgets,
    pub(crate) fleet: Option<Fleet>,
    pub(crate) rates: Rates,
    pub(crate) on_retry: Option<OnRetry>,
    pub(crate) config: Config,
}

impl Shared {
    /// The proxy that a request to `url` goes through.
    pub(crate) fn proxy_of(&self, url: &Url) -> Option<&Proxy> {
        self.proxies.as_ref().and_then(|proxies| proxies.of(url))
    }

    /// Takes `decide`'s step and books it, with the bucket of this process or of its fleet.
    ///
    /// `decide` is given the bucket, and how much longer the server is to be left alone, by what others in the fleet were
    /// told; `asks_all` is what they should know of this attempt.
    #[inline]
    pub(crate) async fn step(
        &self,
        policy: &Policy,
        url: &Url,
        deadline: Option<Instant>,
        asks_all: impl FnOnce() -> Duration,
        decide: impl Fn(Bucket, Duration) -> Step,
    ) -> Decided {
        match &self.fleet {
            None => self.step_alone(policy, url, |bucket| decide(bucket, Duration::ZERO)),
            // Boxed, so that a call without a fleet is not the larger for it.
            Some(fleet) => Box::pin(fleet.step(policy, url, deadline, asks_all(), &self.budgets, decide)).await,
        }
    }

    /// [`Shared::step`] with the bucket of this process.
    pub(crate) fn step_alone(&self, policy: &Policy, url: &Url, decide: impl Fn(Bucket) -> Step) -> Decided {
        Decided { step: self.budgets.step(policy, url, decide), by: By::Itself }
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("policy", &self.policy).field("config", &self.config).finish_non_exhaustive()
    }
}
