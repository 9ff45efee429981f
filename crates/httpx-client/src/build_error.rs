//! Why a client cannot be built.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;

#[cfg(feature = "auth")]
use crate::auth::AuthSettingsError;
use crate::proxy::ProxyError;
use crate::wanted::unknown_policy;

/// Why a client could not be built.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// No policy has that name.
    UnknownPolicy {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<&'static str>,
    },
    /// A number outside its range.
    OutOfRange {
        /// The setting.
        setting: &'static str,
        /// Its value.
        value: String,
        /// What would be right.
        right: &'static str,
    },
    /// The file of trusted certificates.
    CaCert {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// An environment variable names a proxy that cannot be one.
    Proxy {
        /// The variable.
        variable: &'static str,
        /// What is wrong with its value.
        why: ProxyError,
    },
    /// A setting that only the maker of an adopted client can set.
    Adopted {
        /// The setting.
        setting: &'static str,
    },
    /// A default header field that reqwest would send to wherever a redirect leads.
    DefaultField {
        /// Its name.
        field: &'static str,
    },
    /// Two settings of which a client can follow one.
    TwoAuths {
        /// The one that was set first.
        first: &'static str,
        /// The one that was set after it.
        second: &'static str,
    },
    /// A setting that this build of the crate cannot follow.
    WithoutFeature {
        /// The setting.
        setting: &'static str,
        /// The feature.
        feature: &'static str,
    },
    /// What the settings say about credentials.
    #[cfg(feature = "auth")]
    Auth(AuthSettingsError),
    /// The store of the fleet.
    Fleet {
        /// What is wrong with its URL, which is not told, or with this build.
        what: String,
    },
    /// reqwest refused the settings, or TLS cannot be set up.
    Http(String),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::UnknownPolicy { name, known } => f.write_str(&unknown_policy(name, known)),
            BuildError::OutOfRange { setting, value, right } => write!(f, "{setting} is {value}; it must be {right}"),
            BuildError::CaCert { path, what } => write!(f, "cacert {}: {what}", path.display()),
            BuildError::Proxy { variable, why } => write!(f, "{variable}: {why}"),
            BuildError::Adopted { setting } => {
                write!(f, "{setting} cannot be set on an adopted reqwest client; set it where that client is built")
            }
            BuildError::DefaultField { field } => write!(
                f,
                "{field} cannot be a default header of reqwest, which would send it wherever a redirect leads; use \
                 ClientBuilder::auth, or set it on each request, or follow no redirects"
            ),
            BuildError::TwoAuths { first, second } => {
                write!(f, "{first} and {second} are both set; a client has one Auth, so leave one of them out")
            }
            BuildError::WithoutFeature { setting, feature } => write!(
                f,
                "{setting} is set, and httpx-client was built without its feature {feature}; add it in Cargo.toml"
            ),
            #[cfg(feature = "auth")]
            BuildError::Auth(mistake) => write!(f, "auth: {mistake}"),
            BuildError::Fleet { what } => write!(f, "fleet: {what}"),
            BuildError::Http(what) => write!(f, "the HTTP client cannot be set up: {what}"),
        }
    }
}

impl Error for BuildError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            #[cfg(feature = "auth")]
            BuildError::Auth(mistake) => Some(mistake),
            BuildError::UnknownPolicy { .. }
            | BuildError::OutOfRange { .. }
            | BuildError::CaCert { .. }
            | BuildError::Proxy { .. }
            | BuildError::Adopted { .. }
            | BuildError::DefaultField { .. }
            | BuildError::TwoAuths { .. }
            | BuildError::WithoutFeature { .. }
            | BuildError::Fleet { .. }
            | BuildError::Http(_) => None,
        }
    }
}

#[cfg(feature = "auth")]
impl From<AuthSettingsError> for BuildError {
    fn from(mistake: AuthSettingsError) -> Self {
        BuildError::Auth(mistake)
    }
}
