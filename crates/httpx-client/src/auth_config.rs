//! What a file may say about credentials: never a secret, only where one is.

use std::path::PathBuf;

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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AuthConfig {
    /// A file with `user:password`.
    pub basic_file: Option<PathBuf>,
    /// A file with an access token.
    pub bearer_file: Option<PathBuf>,
    /// A file with the refresh token that the access token is renewed with.
    pub refresh_token_file: Option<PathBuf>,
    /// Where it is renewed.
    pub refresh_url: Option<String>,
    /// Whether challenges are answered: with what is above, or with a token for nobody.
    pub www_authenticate: Option<bool>,
    /// Only these origins get credentials.
    pub origins: Option<Vec<String>>,
}
