//! Texts that are used and never shown.

use std::fmt;
use std::sync::Arc;

/// A token or password: cheap to clone, and its `Debug` says nothing of it, not even its length.
///
/// ```
/// let secret = httpx_client::Secret::from("s3cret");
/// assert_eq!((format!("{secret:?}").as_str(), secret.expose()), ("Secret", "s3cret"));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Secret(Arc<str>);

impl Secret {
    /// The text itself, for whoever sends or stores it.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl<T: Into<Arc<str>>> From<T> for Secret {
    fn from(text: T) -> Self {
        Secret(text.into())
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}
