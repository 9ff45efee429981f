//! Where credentials may go.

use url::{Origin, Url};

use crate::error::redacted_text;

/// The origins that get a client's credentials.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origins {
    /// Every one that a caller names.
    Named,
    /// These alone.
    Listed(Vec<Origin>),
}

/// A text that names no origin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no origin; write it as \"https://host\" or \"https://host:8443\", without a path")]
pub struct OriginError {
    text: String,
}

impl Origins {
    pub(crate) fn listed<S: AsRef<str>>(texts: impl IntoIterator<Item = S>) -> Result<Self, OriginError> {
        texts.into_iter().map(|text| origin(text.as_ref())).collect::<Result<_, _>>().map(Origins::Listed)
    }

    pub(crate) fn has(&self, url: &Url) -> bool {
        match self {
            Origins::Named => true,
            Origins::Listed(origins) => origins.contains(&url.origin()),
        }
    }
}

/// A path would promise that only what is below it gets the credentials, so it is refused.
fn origin(text: &str) -> Result<Origin, OriginError> {
    let bare = |url: &Url| {
        matches!(url.scheme(), "http" | "https")
            && url.path() == "/"
            && url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none()
    };
    let url = Url::parse(text).ok().filter(bare);
    url.map(|url| url.origin()).ok_or_else(|| OriginError { text: redacted_text(text) })
}
