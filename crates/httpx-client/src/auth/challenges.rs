//! How challenges are answered.

use std::fmt;
use std::sync::Arc;

use http::HeaderMap;
use url::Url;

use super::challenge::Challenge;
use super::errand::Errands;
use super::realm::Realms;
use super::token_cache::{Source, TokenCache, Wanted};
use crate::credentials::{Credentials, Scheme};

type Answer = dyn Fn(&Challenge) -> Option<Credentials> + Send + Sync;

/// How a client answers the challenges of a 401 (RFC 9110 §11.6.1): those of the schemes Basic and Bearer.
///
/// The first challenge that can be answered is, and the request is sent again within the same attempt: twice at most, and
/// never with credentials that were just refused. When nothing helps the caller gets the 401 itself.
///
/// A Bearer challenge whose realm is a URL, as those of container registries are, is answered with a token fetched there,
/// by the caller's user name and password when there are some, else by nobody. Such tokens are kept until they expire, and
/// calls that need the same one at once fetch it once.
#[derive(Clone)]
pub struct Challenges {
    answer: Option<Arc<Answer>>,
    anonymous_basic: bool,
    realms: Realms,
    cache: Arc<TokenCache>,
}

impl Challenges {
    /// Answers with tokens for nobody.
    #[must_use]
    pub fn anonymous() -> Self {
        Challenges { answer: None, anonymous_basic: false, realms: Realms::strict(), cache: Arc::default() }
    }

    /// Asks `answer` for credentials first; without any, a token for nobody is tried.
    ///
    /// It is asked for the origin that the caller named, and never after a redirect away from it. Basic credentials for a
    /// Bearer challenge are shown to its realm, as registries want it.
    #[must_use]
    pub fn answered_by(answer: impl Fn(&Challenge) -> Option<Credentials> + Send + Sync + 'static) -> Self {
        Challenges { answer: Some(Arc::new(answer)), ..Challenges::anonymous() }
    }

    /// Answers a Basic challenge for which there are no credentials with an empty user name and password.
    #[must_use]
    pub fn allow_anonymous_basic(mut self) -> Self {
        self.anonymous_basic = true;
        self
    }

    /// Which realms are asked for tokens.
    #[must_use]
    pub fn realms(mut self, realms: Realms) -> Self {
        self.realms = realms;
        self
    }

    /// Credentials for the first challenge that can be answered by other ones than those `tried` before.
    pub(crate) async fn credentials(
        &self,
        errands: &Arc<dyn Errands>,
        headers: &HeaderMap,
        asked: Asked<'_>,
        tried: &mut Tried,
    ) -> Option<Credentials> {
        for challenge in Challenge::of(headers) {
            let own = self.answer.as_ref().filter(|_| asked.at_home).and_then(|answer| answer(&challenge));
            let found = if challenge.is("Basic") {
                let anonymous = || self.anonymous_basic.then(|| Credentials::basic("", "").ok()).flatten();
                own.filter(|own| own.scheme() == Scheme::Basic).or_else(anonymous)
            } else if challenge.is("Bearer") {
                match own {
                    Some(own) if own.scheme() == Scheme::Bearer => Some(own),
                    own => self.token(errands, &challenge, asked.url, own, tried).await,
                }
            } else {
                None
            };
            if let Some(found) = found.filter(|found| tried.refused.as_ref() != Some(found)) {
                return Some(found);
            }
        }
        None
    }

    /// A token from the challenge's realm: one that is kept, unless it is the one that was refused.
    async fn token(
        &self,
        errands: &Arc<dyn Errands>,
        challenge: &Challenge,
        server: &Url,
        by: Option<Credentials>,
        tried: &mut Tried,
    ) -> Option<Credentials> {
        let url = match challenge.token_url(server, self.realms) {
            Ok(url) => url,
            Err(refused) => {
                tracing::debug!(%refused, "a challenge is left unanswered");
                return None;
            }
        };
        let wanted = Wanted { url, by };
        if tried.fetched.contains(&wanted) {
            return None;
        }
        if tried.fetched.len() == MOST_FETCHED {
            tracing::debug!("the server names more realms than are asked for one attempt");
            return None;
        }
        match self.cache.find(errands, &wanted, tried.refused.as_ref()) {
            Source::Kept(token) => Some(token),
            Source::Realm(fetch) => {
                tried.fetched.push(wanted);
                fetch.await
            }
        }
    }
}

/// How many tokens are fetched for one attempt: a 401 may name thousands of realms, and the client is not theirs to send.
const MOST_FETCHED: usize = 4;

/// Who asks for credentials.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) url: &'a Url,
    pub(crate) at_home: bool,
}

/// What has not helped within one attempt.
#[derive(Debug, Default)]
pub(crate) struct Tried {
    /// The credentials that the 401 refuses.
    pub(crate) refused: Option<Credentials>,
    fetched: Vec<Wanted>,
}

impl fmt::Debug for Challenges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Challenges")
            .field("anonymous_basic", &self.anonymous_basic)
            .field("realms", &self.realms)
            .finish_non_exhaustive()
    }
}
