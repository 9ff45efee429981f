//! An [`Auth`] from what people write on a command line or in a file.

use super::Auth;
use super::challenges::Challenges;
use super::origins::OriginError;
use super::refresh::Refresh;
use super::session::Session;
use super::tokens::Tokens;
use crate::auth_config::AuthConfig;
use crate::credentials::{Credentials, CredentialsError};
use crate::error::Error;
use crate::secret::Secret;

/// What can be said about credentials in words.
#[derive(Clone, Debug, Default)]
pub struct AuthSettings {
    /// `user:password`.
    pub basic: Option<Secret>,
    /// An access token.
    pub bearer: Option<Secret>,
    /// What the access token is renewed with.
    pub refresh_token: Option<Secret>,
    /// Where it is renewed.
    pub refresh_url: Option<String>,
    /// Whether challenges are answered.
    pub www_authenticate: bool,
    /// Only these origins get credentials; empty means every one that a caller names.
    pub origins: Vec<String>,
}

/// Why words about credentials cannot be followed. Never tells a secret.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AuthSettingsError {
    /// Two that exclude one another.
    #[error("{first} and {second} are both set; a request shows one of them, so leave the other out")]
    Conflict {
        /// The one.
        first: &'static str,
        /// The other.
        second: &'static str,
    },
    /// One that is of no use without another.
    #[error("{is} is set without {needs}; set both or neither")]
    Alone {
        /// The one that is set.
        is: &'static str,
        /// The one that is not.
        needs: &'static str,
    },
    /// Something that cannot be used as credentials.
    #[error("{setting}: {source}")]
    Credentials {
        /// The setting.
        setting: &'static str,
        /// What is wrong with it.
        source: CredentialsError,
    },
    /// Something that is no URL.
    #[error("refresh_url: {0}")]
    RefreshUrl(#[source] Error),
    /// Something that is no origin.
    #[error("origins: {0}")]
    Origins(#[from] OriginError),
    /// Origins, and nothing to show to them: whoever names them means to be known there.
    #[error("origins is set, and there are no credentials to show there; set them too, such as bearer")]
    NothingToShow,
    /// A file that a secret should be read from.
    #[error("{setting}: cannot read {file}: {source}")]
    File {
        /// The setting.
        setting: &'static str,
        /// Its file.
        file: String,
        /// The system's reason.
        source: std::io::Error,
    },
}

impl AuthSettings {
    /// Reads the files that `config` names.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn read(config: &AuthConfig) -> Result<Self, AuthSettingsError> {
        let secret = |setting, path: &Option<std::path::PathBuf>| match path {
            None => Ok(None),
            Some(path) => match std::fs::read_to_string(path) {
                Ok(text) => Ok(Some(Secret::from(text.trim_end_matches(['\r', '\n'])))),
                Err(source) => Err(AuthSettingsError::File { setting, file: path.display().to_string(), source }),
            },
        };
        Ok(AuthSettings {
            basic: secret("basic_file", &config.basic_file)?,
            bearer: secret("bearer_file", &config.bearer_file)?,
            refresh_token: secret("refresh_token_file", &config.refresh_token_file)?,
            refresh_url: config.refresh_url.clone(),
            www_authenticate: config.www_authenticate.unwrap_or_default(),
            origins: config.origins.clone().unwrap_or_default(),
        })
    }

    /// What they amount to.
    ///
    /// # Errors
    /// When two exclude one another, one needs another, or one is not what it should be.
    pub fn auth(&self) -> Result<Auth, AuthSettingsError> {
        let auth = self.without_origins()?;
        if self.origins.is_empty() {
            return Ok(auth);
        }
        let auth = auth.only_for(&self.origins)?;
        if auth.is_none() { Err(AuthSettingsError::NothingToShow) } else { Ok(auth) }
    }

    fn without_origins(&self) -> Result<Auth, AuthSettingsError> {
        let AuthSettings { basic, bearer, refresh_token, refresh_url, www_authenticate, .. } = self;
        let both = |first, second| Err(AuthSettingsError::Conflict { first, second });
        let alone = |is, needs| Err(AuthSettingsError::Alone { is, needs });
        match (refresh_token, refresh_url) {
            (Some(_), Some(_)) if basic.is_some() => return both("basic", "refresh_token"),
            (Some(_), Some(_)) if *www_authenticate => return both("refresh_token", "www_authenticate"),
            (Some(refresh), Some(url)) => {
                let Some(access) = bearer else { return alone("refresh_token", "bearer") };
                return renewing(access, refresh, url);
            }
            (Some(_), None) => return alone("refresh_token", "refresh_url"),
            (None, Some(_)) => return alone("refresh_url", "refresh_token"),
            (None, None) => {}
        }
        let wrong = |setting| move |source| AuthSettingsError::Credentials { setting, source };
        let (name, credentials) = match (basic, bearer) {
            (Some(_), Some(_)) => return both("basic", "bearer"),
            (Some(basic), None) => ("basic", Some(Credentials::basic_joined(basic.expose()).map_err(wrong("basic"))?)),
            (None, Some(bearer)) => ("bearer", Some(Credentials::bearer(bearer.expose()).map_err(wrong("bearer"))?)),
            (None, None) => ("", None),
        };
        Ok(match (credentials, www_authenticate) {
            (Some(credentials), true) => Auth::challenges(Challenges::answered_by(move |_| Some(credentials.clone()))),
            (Some(credentials), false) => Auth::fixed(name, credentials),
            (None, true) => Auth::challenges(Challenges::anonymous()),
            (None, false) => Auth::none(),
        })
    }
}

fn renewing(access: &Secret, refresh: &Secret, url: &str) -> Result<Auth, AuthSettingsError> {
    let wrong = |setting| move |source| AuthSettingsError::Credentials { setting, source };
    let tokens = Tokens::new(access.expose()).map_err(wrong("bearer"))?;
    let tokens = tokens.with_refresh(refresh.expose()).map_err(wrong("refresh_token"))?;
    let refresh = Refresh::at(url).map_err(AuthSettingsError::RefreshUrl)?;
    Ok(Auth::refreshing(Session::new(tokens), refresh))
}
