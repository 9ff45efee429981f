//! Who is asking: credentials, where they may go, and how a call carries them.
//!
//! Credentials are put on each request when it is built, so that every one carries exactly one `Authorization` field,
//! and they stay with the origin that the caller named: no redirect takes them along.

mod challenge;
mod challenges;
mod errand;
mod grant;
mod guard;
mod memory;
mod origins;
mod realm;
#[cfg(feature = "redis")]
mod redis;
mod refresh;
mod renewal;
mod session;
mod settings;
mod store;
mod token_cache;
mod tokens;

use std::fmt;
use std::sync::Arc;

pub use challenge::Challenge;
pub use challenges::Challenges;
pub(crate) use errand::{Brought, Errand, Errands, What};
pub use grant::{Accept, Cookies};
pub(crate) use guard::{Found, Guard, Overdue, Place, Visit};
pub use memory::MemoryStore;
pub use origins::OriginError;
use origins::Origins;
pub use realm::{RealmRefused, Realms};
#[cfg(feature = "redis")]
pub use redis::RedisStore;
pub use refresh::Refresh;
pub use session::Session;
pub use settings::{AuthSettings, AuthSettingsError};
pub use store::{Lease, TokenStore};
pub use tokens::Tokens;

use crate::credentials::{Credentials, CredentialsError};

/// How a client proves who is asking: one value for all of it.
///
/// ```
/// use httpx_client::{Auth, Client};
///
/// let auth = Auth::bearer("eyJhbGciOi.J9")?.only_for(["https://api.example.test"])?;
/// let client = Client::builder().auth(auth).build()?;
///
/// let asks = client.get("https://api.example.test/me"); // carries the token
/// let public = client.get("https://files.example.test/x.json"); // does not
/// let bare = client.get("https://api.example.test/health").no_auth(); // neither does this
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A request that has an `Authorization` field of its own, or a user name in its URL, is sent with that, and the client's
/// part in it is skipped. No redirect to another host, port or scheme takes credentials along, whatever the list says.
#[derive(Clone)]
pub struct Auth {
    kind: Kind,
    origins: Origins,
}

#[derive(Clone)]
enum Kind {
    None,
    /// The name is for people.
    Fixed(&'static str, Credentials),
    /// The session is that of requests which name none.
    Refreshing(Arc<Refresh>, Option<Session>),
    Challenges(Arc<Challenges>),
}

/// An [`Auth`] at work.
#[derive(Debug)]
pub(crate) struct Keeper {
    auth: Auth,
    errands: Arc<dyn Errands>,
}

impl Keeper {
    pub(crate) fn new(auth: Auth, errands: Arc<dyn Errands>) -> Self {
        Keeper { auth, errands }
    }

    /// Whether requests can name a session.
    pub(crate) const fn has_sessions(&self) -> bool {
        matches!(self.auth.kind, Kind::Refreshing(..))
    }
}

impl Auth {
    /// Nobody: requests are sent bare. What a client does without any [`Auth`] too; this one says so.
    #[must_use]
    pub const fn none() -> Self {
        Auth::of(Kind::None)
    }

    /// A user name and a password; see [`Credentials::basic`].
    ///
    /// # Errors
    /// A colon in the user name, or a control character in either.
    pub fn basic(user: &str, password: &str) -> Result<Self, CredentialsError> {
        Credentials::basic(user, password).map(|credentials| Auth::fixed("Auth::basic", credentials))
    }

    /// `user:password`, split at the first colon.
    ///
    /// # Errors
    /// No colon, or a control character.
    pub fn basic_joined(joined: &str) -> Result<Self, CredentialsError> {
        Credentials::basic_joined(joined).map(|credentials| Auth::fixed("Auth::basic_joined", credentials))
    }

    /// A token; see [`Credentials::bearer`] for what may stand around it.
    ///
    /// # Errors
    /// An empty token, or one with white space or control characters inside.
    pub fn bearer(token: &str) -> Result<Self, CredentialsError> {
        Credentials::bearer(token).map(|credentials| Auth::fixed("Auth::bearer", credentials))
    }

    /// The tokens of `session`, renewed when they are refused. A request may name [another
    /// session](crate::RequestBuilder::session).
    #[must_use]
    pub fn refreshing(session: Session, refresh: Refresh) -> Self {
        Auth::of(Kind::Refreshing(Arc::new(refresh), Some(session)))
    }

    /// The tokens of the session that a request names; one that names none is sent bare.
    #[must_use]
    pub fn sessions(refresh: Refresh) -> Self {
        Auth::of(Kind::Refreshing(Arc::new(refresh), None))
    }

    /// Nothing, until the server asks for something.
    #[must_use]
    pub fn challenges(challenges: Challenges) -> Self {
        Auth::of(Kind::Challenges(Arc::new(challenges)))
    }

    /// Only requests to these origins carry credentials, such as `https://api.example.test`; all others are sent bare.
    ///
    /// # Errors
    /// A text that is not scheme, host and port alone.
    pub fn only_for<S: AsRef<str>>(self, origins: impl IntoIterator<Item = S>) -> Result<Self, OriginError> {
        Ok(Auth { origins: Origins::listed(origins)?, ..self })
    }

    const fn fixed(name: &'static str, credentials: Credentials) -> Self {
        Auth::of(Kind::Fixed(name, credentials))
    }

    const fn of(kind: Kind) -> Self {
        Auth { kind, origins: Origins::Named }
    }

    const fn is_none(&self) -> bool {
        matches!(self.kind, Kind::None)
    }

    /// What it was made with, for people.
    pub(crate) const fn name(&self) -> &'static str {
        match &self.kind {
            Kind::None => "Auth::none",
            Kind::Fixed(name, _) => name,
            Kind::Refreshing(_, Some(_)) => "Auth::refreshing",
            Kind::Refreshing(_, None) => "Auth::sessions",
            Kind::Challenges(_) => "Auth::challenges",
        }
    }
}

impl fmt::Debug for Auth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(self.name()).field("origins", &self.origins).finish()
    }
}
