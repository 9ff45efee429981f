//! Who is asking.

use std::sync::Arc;

use super::ClientBuilder;
use crate::auth::{Auth, AuthSettings, Keeper};
use crate::auth_config::AuthConfig;
use crate::build_error::BuildError;
use crate::errands::Runner;
use crate::shared::Shared;

impl ClientBuilder {
    /// Who is asking, for every request that does not say otherwise.
    pub fn auth(mut self, auth: Auth) -> Self {
        self.auths.push(auth);
        self
    }
}

/// Who keeps the credentials of a client that is otherwise ready.
pub(super) fn keeper(auths: Vec<Auth>, shared: &Shared) -> Result<Option<Keeper>, BuildError> {
    let auth = one(auths, shared.config.auth.as_ref())?;
    Ok(auth.map(|auth| Keeper::new(auth, Arc::new(Runner::beside(shared)))))
}

/// The one that is set, by code or in the settings.
fn one(mut auths: Vec<Auth>, config: Option<&AuthConfig>) -> Result<Option<Auth>, BuildError> {
    match (&auths[..], config) {
        ([first, second, ..], _) => Err(BuildError::TwoAuths { first: first.name(), second: second.name() }),
        ([one], Some(_)) => Err(BuildError::TwoAuths { first: "Config::auth", second: one.name() }),
        ([_], None) | ([], None) => Ok(auths.pop()),
        ([], Some(config)) => Ok(Some(AuthSettings::read(config)?.auth()?)),
    }
}
