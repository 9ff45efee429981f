//! One identity, and the tokens it has at hand.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::{BoxFuture, Shared};
use sha2::{Digest as _, Sha256};
use tokio::time::Instant;

use super::refresh::Refresh;
use super::store::TokenStore;
use super::tokens::Tokens;
use crate::secret::Secret;
use crate::store_error::{STORE_REST, StoreError};
use crate::trace::AuthStep;

/// Somebody a client speaks for. Clones are the same somebody, and share tokens and renewals.
///
/// ```no_run
/// # use httpx_client::{Auth, Client, Refresh, Session, Tokens};
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let client = Client::builder().auth(Auth::sessions(Refresh::at("https://api.example.test/oauth/token")?)).build()?;
/// let alice = Session::new(Tokens::new("eyJhbGciOi.J9")?.with_refresh("r1")?);
/// let answer = client.get("https://api.example.test/me").session(&alice).fetch_text().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Session(Arc<Inner>);

struct Inner {
    id: String,
    state: Mutex<State>,
}

struct State {
    tokens: Tokens,
    unsaved: Unsaved,
    /// When a store that failed may be asked again.
    ask_again: Option<Instant>,
    /// The refresh token that the endpoint has refused for good.
    refused: Option<Secret>,
    /// The version that has been tried to renew before its time.
    tried_ahead: Option<u64>,
    renewal: Option<Renewal>,
}

/// What the store does not know yet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unsaved {
    Nothing,
    /// The first tokens: the store may know better ones.
    First,
    /// Tokens that replace whatever the store has.
    Replacement,
}

/// A renewal under way; whoever needs it waits for the same one.
pub(crate) type Renewal = Shared<BoxFuture<'static, AuthStep>>;

/// What is to be done about a token that was refused.
pub(crate) enum Turn {
    Known(AuthStep),
    Wait(Renewal),
}

impl Session {
    /// A session that begins with `tokens`. Its id is made from them: every process that begins with the same tokens
    /// finds the same session in a shared store.
    #[must_use]
    pub fn new(tokens: Tokens) -> Self {
        let mut hash = Sha256::new();
        hash.update(tokens.access().expose());
        hash.update([0]);
        hash.update(tokens.refresh().map_or("", Secret::expose));
        let id = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        Session::with_id(id, tokens)
    }

    /// A session known by `id`. Where the store holds tokens of that id they are used instead of `tokens`; a new log-in is
    /// made known by [`Session::replace`].
    #[must_use]
    pub fn with_id(id: impl Into<String>, tokens: Tokens) -> Self {
        let state =
            State { tokens, unsaved: Unsaved::First, ask_again: None, refused: None, tried_ahead: None, renewal: None };
        Session(Arc::new(Inner { id: id.into(), state: Mutex::new(state) }))
    }

    /// Its id; the same as long as the session lives.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.0.id
    }

    /// The tokens at hand.
    #[must_use]
    pub fn tokens(&self) -> Tokens {
        self.state().tokens.clone()
    }

    /// Goes on with `tokens`, as after a new log-in, and puts them over what the store has.
    pub fn replace(&self, tokens: Tokens) {
        let mut state = self.state();
        state.tokens = tokens.following(state.tokens.version());
        state.unsaved = Unsaved::Replacement;
        state.ask_again = None;
        state.refused = None;
    }

    /// Makes the tokens at hand known to the store, once, and takes over what it knows better.
    pub(crate) async fn settle(&self, store: &dyn TokenStore) -> Result<(), StoreError> {
        let (tokens, unsaved) = {
            let state = self.state();
            if state.unsaved == Unsaved::Nothing || state.is_store_at_rest() {
                return Ok(());
            }
            (state.tokens.clone(), state.unsaved)
        };
        let held = match unsaved {
            Unsaved::Nothing => return Ok(()),
            Unsaved::First => store.put_if_absent(self.id(), tokens.clone()).await,
            Unsaved::Replacement => put_over(store, self.id(), tokens.clone()).await,
        };
        let mut state = self.state();
        match held {
            Ok(held) => {
                // Unless they have been replaced meanwhile.
                if state.tokens == tokens {
                    state.unsaved = Unsaved::Nothing;
                    state.tokens = held;
                }
                Ok(())
            }
            Err(error) => {
                state.rest_store();
                Err(error)
            }
        }
    }

    /// Takes over what another process has put into the store since, such as a new log-in. A store that cannot be asked
    /// has nothing to tell.
    pub(crate) async fn catch_up(&self, refresh: &Refresh) {
        if self.state().is_store_at_rest() {
            return;
        }
        match refresh.store.get(self.id()).await {
            Ok(Some(held)) => self.state().take_over(held, refresh.ahead),
            Ok(None) => {}
            Err(error) => {
                tracing::warn!(%error, "a new log-in would not be seen");
                self.state().rest_store();
            }
        }
    }

    /// What to do after a server has refused the access token `shown`; `start` begins a renewal when none is under way.
    pub(crate) fn turn(&self, shown: &Secret, start: impl FnOnce() -> Renewal) -> Turn {
        let mut state = self.state();
        if state.tokens.access() != shown {
            return Turn::Known(AuthStep::Overtaken);
        }
        match state.tokens.refresh() {
            None => return Turn::Known(AuthStep::Unrenewable),
            Some(refresh) if state.refused.as_ref() == Some(refresh) => return Turn::Known(AuthStep::Refused),
            Some(_) => {}
        }
        // One that is over was lost with its task: nobody took it out.
        let under_way = state.renewal.as_ref().filter(|renewal| renewal.peek().is_none()).cloned();
        let renewal = under_way.unwrap_or_else(start);
        state.renewal = Some(renewal.clone());
        Turn::Wait(renewal)
    }

    /// Whether the tokens may be renewed now although nobody has refused them: once for each version.
    pub(crate) fn may_try_ahead(&self) -> bool {
        let mut state = self.state();
        let version = state.tokens.version();
        state.tokens.refresh().is_some() && state.tried_ahead.replace(version) != Some(version)
    }

    /// A renewal is over and these are the latest tokens.
    pub(crate) fn renewed(&self, tokens: Tokens, ahead: Option<Duration>) {
        let mut state = self.state();
        state.renewal = None;
        state.take_over(tokens, ahead);
    }

    /// A renewal is over and nothing has changed, but that `refused` will never do again.
    pub(crate) fn kept(&self, refused: Option<Secret>) {
        let mut state = self.state();
        state.renewal = None;
        state.refused = refused;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Goes on with tokens that the store knows, if they are later ones.
    ///
    /// Tokens that are due so long `ahead` of their expiry as soon as they come, because they are short-lived or the clock
    /// here is wrong, are used until they are refused: else every call would renew them.
    fn take_over(&mut self, tokens: Tokens, ahead: Option<Duration>) {
        if tokens.version() > self.tokens.version() {
            if tokens.is_due(ahead) {
                self.tried_ahead = Some(tokens.version());
            }
            self.tokens = tokens;
            self.unsaved = Unsaved::Nothing;
        }
    }

    fn is_store_at_rest(&self) -> bool {
        self.ask_again.is_some_and(|at| Instant::now() < at)
    }

    fn rest_store(&mut self) {
        self.ask_again = Some(Instant::now() + STORE_REST);
    }
}

/// Puts `tokens` over whatever the store holds. Only somebody who is always faster could keep this from ending.
async fn put_over(store: &dyn TokenStore, id: &str, tokens: Tokens) -> Result<Tokens, StoreError> {
    loop {
        let next = match store.get(id).await? {
            Some(held) if held.are(&tokens) => return Ok(held),
            Some(held) => tokens.clone().following(held.version().max(tokens.version())),
            None => tokens.clone(),
        };
        let held = store.put(id, next).await?;
        if held.are(&tokens) {
            return Ok(held);
        }
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("id", &self.id()).finish_non_exhaustive()
    }
}
