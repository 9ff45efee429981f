//! The tokens of one identity.

use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::Deserialize;

use crate::credentials::{Credentials, CredentialsError, bare_token};
use crate::secret::Secret;

/// An access token, and what it can be renewed with.
///
/// Both change together, in one step, and each change counts [`version`](Tokens::version) up: a store takes a version only
/// once, so whoever comes late cannot put back what has been replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tokens {
    access: Secret,
    refresh: Option<Secret>,
    version: u64,
}

impl Tokens {
    /// An access token; see [`Credentials::bearer`] for what may stand around it.
    ///
    /// # Errors
    /// An empty token, or one with white space or control characters inside.
    pub fn new(access: &str) -> Result<Self, CredentialsError> {
        Ok(Tokens { access: bare_token(access)?.into(), refresh: None, version: 0 })
    }

    /// With a refresh token. White space around it is left out.
    ///
    /// # Errors
    /// An empty token.
    pub fn with_refresh(mut self, refresh: &str) -> Result<Self, CredentialsError> {
        let refresh = refresh.trim();
        if refresh.is_empty() {
            return Err(CredentialsError::EmptyToken);
        }
        self.refresh = Some(refresh.into());
        Ok(self)
    }

    /// As a store has kept them.
    ///
    /// # Errors
    /// As [`Tokens::new`]: what was stored is not trusted more than what is typed.
    pub fn restore(access: &str, refresh: &str, version: u64) -> Result<Self, CredentialsError> {
        let tokens = Tokens { version, ..Tokens::new(access)? };
        if refresh.is_empty() { Ok(tokens) } else { tokens.with_refresh(refresh) }
    }

    /// The access token.
    #[must_use]
    pub const fn access(&self) -> &Secret {
        &self.access
    }

    /// The refresh token; none when the session cannot be renewed, or not any more.
    #[must_use]
    pub const fn refresh(&self) -> Option<&Secret> {
        self.refresh.as_ref()
    }

    /// How often they have changed since the session began.
    #[must_use]
    pub const fn version(&self) -> u64 {
        self.version
    }

    /// What follows a renewal; without a new refresh token the old one stays in use (RFC 6749 §6).
    pub(crate) fn renewed(&self, access: &str, refresh: Option<&str>) -> Result<Self, CredentialsError> {
        let refresh = refresh.filter(|refresh| !refresh.is_empty()).or(self.refresh.as_ref().map(Secret::expose));
        Tokens::restore(access, refresh.unwrap_or_default(), self.version + 1)
    }

    /// The same tokens as the latest of a session that had come to `version`.
    pub(crate) fn following(self, version: u64) -> Self {
        Tokens { version: version + 1, ..self }
    }

    /// The same tokens, whatever their version?
    pub(crate) fn are(&self, others: &Tokens) -> bool {
        (&self.access, &self.refresh) == (&others.access, &others.refresh)
    }

    pub(crate) fn credentials(&self) -> Credentials {
        Credentials::bearer(self.access.expose()).expect("an access token is checked when it is taken")
    }

    /// Does the access token expire within the time `ahead`, as far as it tells?
    pub(crate) fn is_due(&self, ahead: Option<Duration>) -> bool {
        ahead.is_some_and(|ahead| self.lasts(SystemTime::now()).is_some_and(|left| left < ahead))
    }

    /// How long the access token is good for, as far as it tells; the past is zero.
    fn lasts(&self, now: SystemTime) -> Option<Duration> {
        let expiry = SystemTime::UNIX_EPOCH
            .checked_add(Duration::try_from_secs_f64(claims(self.access.expose())?.exp?).ok()?)?;
        Some(expiry.duration_since(now).unwrap_or_default())
    }
}

/// What is read of a JWT's claims (RFC 7519 §4.1.4: the date may have a fraction).
#[derive(Debug, Deserialize)]
struct Claims {
    exp: Option<f64>,
}

/// Is it a JWT in the compact form (RFC 7519 §3.1, RFC 7515 §3.1): three parts, the first two of them JSON?
pub(crate) fn is_jwt(token: &str) -> bool {
    let json =
        |part: &str| serde_json::from_slice::<serde_json::Map<_, _>>(&BASE64_URL_SAFE_NO_PAD.decode(part).ok()?).ok();
    matches!(token.split('.').collect::<Vec<_>>()[..], [header, claims, _] if json(header).and(json(claims)).is_some())
}

/// Read, never verified: only the server can say whether a token is good. A wrong date costs one renewal at most.
fn claims(token: &str) -> Option<Claims> {
    let claims = token.split('.').nth(1)?;
    serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(claims).ok()?).ok()
}
