//! What a file may say about credentials: never a secret, only where one is.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::wanted;

/// The table `auth` of a [`Config`](crate::Config).
///
/// ```
/// let config: httpx_client::Config = r#"
///     [auth]
///     bearer_file = "access-token"
///     refresh_token_file = "refresh-token"
///     refresh_url = "https://api.example.test/oauth/token"
///     origins = ["https://api.example.test"]
/// "#.parse()?;
/// # Ok::<(), httpx_client::ConfigError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table of keys such as bearer_file")]
pub struct AuthConfig {
    /// A file with `user:password`.
    #[serde(deserialize_with = "wanted::file", skip_serializing_if = "Option::is_none")]
    pub basic_file: Option<PathBuf>,
    /// A file with an access token.
    #[serde(deserialize_with = "wanted::file", skip_serializing_if = "Option::is_none")]
    pub bearer_file: Option<PathBuf>,
    /// A file with the refresh token that the access token is renewed with.
    #[serde(deserialize_with = "wanted::file", skip_serializing_if = "Option::is_none")]
    pub refresh_token_file: Option<PathBuf>,
    /// Where it is renewed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refresh_url: Option<String>,
    /// Whether challenges are answered: with what is above, or with a token for nobody.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub www_authenticate: Option<bool>,
    /// Only these origins get credentials.
    #[serde(deserialize_with = "wanted::origins", skip_serializing_if = "Option::is_none")]
    pub origins: Option<Vec<String>>,
}
