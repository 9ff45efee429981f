//! Tokens that realms have given, as long as they are good.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared};
use serde::Deserialize;
use tokio::time::Instant;
use url::Url;

use super::errand::{Errand, Errands, What};
use crate::credentials::Credentials;

/// How long a token is good when its realm does not say. Source: the registries' token specification, `expires_in`.
const DEFAULT_LIFE: u64 = 60;

/// How much of its life is left unused: it must still be good when it arrives.
const MARGIN: Duration = Duration::from_secs(5);

/// How many tokens are kept; a client that meets more realms and scopes fetches some of them again.
const MOST_KEPT: usize = 1024;

/// How long a request for a token may take, and how long with its retries.
const TIMEOUT: Duration = Duration::from_secs(10);
const LIMIT: Duration = Duration::from_secs(20);

/// What a token was given for: the realm with service and scopes, and who asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Wanted {
    pub(crate) url: Url,
    pub(crate) by: Option<Credentials>,
}

/// Tokens by what they were given for, and the requests for some that are under way.
#[derive(Default)]
pub(crate) struct TokenCache(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    tokens: HashMap<Wanted, (Credentials, Instant)>,
    under_way: HashMap<Wanted, Fetch>,
}

/// A request for a token; whoever wants the same one waits for it.
pub(crate) type Fetch = Shared<BoxFuture<'static, Option<Credentials>>>;

/// Where a token is to be had.
pub(crate) enum Source {
    Kept(Credentials),
    Realm(Fetch),
}

impl TokenCache {
    /// The token that is kept, if it is still good and not the one that was `refused`, or the one that the realm is about
    /// to give. Decided in one step, so that calls that need the same token at once ask once.
    pub(crate) fn find(
        self: &Arc<Self>,
        errands: &Arc<dyn Errands>,
        wanted: &Wanted,
        refused: Option<&Credentials>,
    ) -> Source {
        let mut kept = self.kept();
        let good = kept.tokens.get(wanted).filter(|(token, until)| Instant::now() < *until && Some(token) != refused);
        if let Some((token, _)) = good {
            return Source::Kept(token.clone());
        }
        // One that is over was lost with its task: nobody took it out.
        let under_way = kept.under_way.get(wanted).filter(|fetch| fetch.peek().is_none()).cloned();
        let fetch = under_way.unwrap_or_else(|| self.begin(Arc::clone(errands), wanted.clone()));
        kept.under_way.insert(wanted.clone(), fetch.clone());
        Source::Realm(fetch)
    }

    /// Asks the realm in a task of its own: it goes on for the others when the call that began it is given up.
    fn begin(self: &Arc<Self>, errands: Arc<dyn Errands>, wanted: Wanted) -> Fetch {
        let cache = Arc::clone(self);
        let task = tokio::spawn(async move {
            let given = fetched(&*errands, &wanted).await;
            cache.end(wanted, given)
        });
        task.map(|ended| ended.ok().flatten()).boxed().shared()
    }

    fn end(&self, wanted: Wanted, given: Option<(Credentials, Duration)>) -> Option<Credentials> {
        let mut kept = self.kept();
        kept.under_way.remove(&wanted);
        let (token, life) = given?;
        let now = Instant::now();
        // A tenth of a short life; a life that no clock can hold is as long as the default.
        let good = life.saturating_sub(MARGIN.min(life / 10));
        let until = now.checked_add(good).unwrap_or(now + Duration::from_secs(DEFAULT_LIFE));
        if kept.tokens.len() >= MOST_KEPT {
            kept.tokens.retain(|_, (_, until)| now < *until);
        }
        if kept.tokens.len() < MOST_KEPT {
            kept.tokens.insert(wanted, (token.clone(), until));
        }
        Some(token)
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Asks the realm; what it gives, and how long that is good.
async fn fetched(errands: &dyn Errands, wanted: &Wanted) -> Option<(Credentials, Duration)> {
    let Wanted { url, by } = wanted.clone();
    let errand = Errand { url, what: What::Get(by), timeout: TIMEOUT, limit: LIMIT };
    let answer = match errands.run(errand).await {
        Ok(answer) => answer,
        Err(error) => {
            tracing::debug!(%error, "the realm gave no token");
            return None;
        }
    };
    if !answer.status.is_success() {
        tracing::debug!(status = answer.status.as_u16(), "the realm gave no token");
        return None;
    }
    let given: Given = serde_json::from_slice(&answer.body).ok()?;
    let token = [given.token, given.access_token].into_iter().flatten().find(|token| !token.is_empty())?;
    let token = Credentials::bearer(&token).ok()?;
    let life = given.expires_in.and_then(|life| life.as_u64()).unwrap_or(DEFAULT_LIFE);
    Some((token, Duration::from_secs(life)))
}

/// What a realm gives; either name is in use.
#[derive(Deserialize)]
struct Given {
    token: Option<String>,
    access_token: Option<String>,
    /// Anything: a life that cannot be read makes no token useless.
    expires_in: Option<serde_json::Value>,
}
