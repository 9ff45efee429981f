//! Tokens that realms have given, as long as they are good.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::Deserialize;
use tokio::time::Instant;
use url::Url;

use super::credentials::Credentials;
use super::errand::{Errand, Errands, What};

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

/// Tokens by what they were given for.
#[derive(Default)]
pub(crate) struct TokenCache(Mutex<HashMap<Wanted, (Credentials, Instant)>>);

impl TokenCache {
    /// One that is still good.
    pub(crate) fn get(&self, wanted: &Wanted) -> Option<Credentials> {
        self.kept().get(wanted).filter(|(_, until)| Instant::now() < *until).map(|(token, _)| token.clone())
    }

    /// Asks the realm, and keeps what it gives.
    pub(crate) async fn fetch(&self, errands: &dyn Errands, wanted: Wanted) -> Option<Credentials> {
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
        let life = Duration::from_secs(given.expires_in.unwrap_or(DEFAULT_LIFE));
        self.keep(wanted, token.clone(), life);
        Some(token)
    }

    fn keep(&self, wanted: Wanted, token: Credentials, life: Duration) {
        let now = Instant::now();
        // A tenth of a short life; a life that no clock can hold is as long as the default.
        let good = life.saturating_sub(MARGIN.min(life / 10));
        let until = now.checked_add(good).unwrap_or(now + Duration::from_secs(DEFAULT_LIFE));
        let mut kept = self.kept();
        if kept.len() >= MOST_KEPT {
            kept.retain(|_, (_, until)| now < *until);
        }
        if kept.len() < MOST_KEPT {
            kept.insert(wanted, (token, until));
        }
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<Wanted, (Credentials, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a realm gives; either name is in use.
#[derive(Deserialize)]
struct Given {
    token: Option<String>,
    access_token: Option<String>,
    expires_in: Option<u64>,
}
