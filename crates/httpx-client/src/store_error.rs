//! What goes wrong with a store that processes share.

use std::error::Error;
use std::fmt;
use std::time::Duration;

/// How long a store that failed is left alone, so that it does not slow every call down.
pub(crate) const STORE_REST: Duration = Duration::from_secs(5);

/// A store that cannot be reached, or holds what it should not. Never tells a token.
#[derive(Debug)]
pub struct StoreError(Box<dyn Error + Send + Sync>);

impl StoreError {
    /// A store's own reason.
    pub fn new(reason: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        StoreError(reason.into())
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the store failed: {}", self.0)
    }
}

impl Error for StoreError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&*self.0)
    }
}
