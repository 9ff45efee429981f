//! The clouds.

use std::fmt;
use std::str::FromStr;

/// A cloud that Cloudinfo knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Provider {
    /// `amazon`: AWS.
    Amazon,
    /// `google`: Google Cloud.
    Google,
    /// `azure`: Microsoft Azure.
    Azure,
}

/// A name that no [`Provider`] has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no provider; it is one of amazon, google, azure")]
pub struct UnknownProvider(pub String);

impl Provider {
    /// Every one.
    pub const ALL: [Provider; 3] = [Provider::Amazon, Provider::Google, Provider::Azure];

    /// Its name in URLs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Provider::Amazon => "amazon",
            Provider::Google => "google",
            Provider::Azure => "azure",
        }
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Provider {
    type Err = UnknownProvider;

    fn from_str(name: &str) -> Result<Self, UnknownProvider> {
        let found = Provider::ALL.into_iter().find(|provider| provider.name() == name);
        found.ok_or_else(|| UnknownProvider(name.to_owned()))
    }
}
