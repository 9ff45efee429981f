//! Why a client cannot be built.

use std::path::PathBuf;

use crate::auth::AuthSettingsError;
use crate::proxy::ProxyError;
use crate::wanted::unknown_policy;

/// Why a client could not be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// No policy has that name.
    #[error("{}", unknown_policy(name, known))]
    UnknownPolicy {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// A number outside its range.
    #[error("{setting} is {value}; it must be {right}")]
    OutOfRange {
        /// The setting.
        setting: &'static str,
        /// Its value.
        value: String,
        /// What would be right.
        right: &'static str,
    },
    /// The file of trusted certificates.
    #[error("cacert {}: {what}", path.display())]
    CaCert {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// An environment variable names a proxy that cannot be one.
    #[error("{variable}: {why}")]
    Proxy {
        /// The variable.
        variable: &'static str,
        /// What is wrong with its value.
        why: ProxyError,
    },
    /// A setting that only the maker of an adopted client can set.
    #[error("{setting} cannot be set on an adopted reqwest client; set it where that client is built")]
    Adopted {
        /// The setting.
        setting: &'static str,
    },
    /// A default header field that reqwest would send to wherever a redirect leads.
    #[error(
        "{field} cannot be a default header of reqwest, which would send it wherever a redirect leads; use \
         ClientBuilder::auth, or set it on each request, or follow no redirects"
    )]
    DefaultField {
        /// Its name.
        field: &'static str,
    },
    /// Two settings of which a client can follow one.
    #[error("{first} and {second} are both set; a client has one Auth, so leave one of them out")]
    TwoAuths {
        /// The one that was set first.
        first: &'static str,
        /// The one that was set after it.
        second: &'static str,
    },
    /// What the settings say about credentials.
    #[error("auth: {0}")]
    Auth(#[from] AuthSettingsError),
    /// The store of the fleet.
    #[error("fleet: {what}")]
    Fleet {
        /// What is wrong with its URL, which is not told, or with this build.
        what: String,
    },
    /// reqwest refused the settings, or TLS cannot be set up.
    #[error("the HTTP client cannot be set up: {0}")]
    Http(String),
}
