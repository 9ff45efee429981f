//! Answers that the server can be asked to confirm.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use http::HeaderValue;

/// What was answered, by URL, as long as the client lives. Only the server says whether it still holds.
#[derive(Debug, Default)]
pub(crate) struct Cache(Mutex<HashMap<String, Kept>>);

/// An answer and its `ETag` (RFC 9110 §8.8.3).
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    pub(crate) etag: HeaderValue,
    pub(crate) body: Bytes,
}

impl Cache {
    pub(crate) fn get(&self, url: &str) -> Option<Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(url).cloned()
    }

    pub(crate) fn put(&self, url: &str, kept: Kept) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(url.to_owned(), kept);
    }
}
