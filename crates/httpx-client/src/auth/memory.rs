//! A store within this process.

use std::collections::HashMap;
use std::future::ready;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;

use super::store::{Lease, TokenStore};
use super::tokens::Tokens;
use crate::store_error::StoreError;

/// Keeps tokens as long as the process lives, or until they are removed.
#[derive(Debug, Default)]
pub struct MemoryStore {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    tokens: HashMap<String, Tokens>,
    leases: HashMap<String, (Lease, Instant)>,
    leased: u64,
}

/// No clock can be asked to overflow.
const LONGEST_LEASE: Duration = Duration::from_secs(24 * 60 * 60);

impl MemoryStore {
    fn with<'a, T: Send + 'a>(
        &self,
        act: impl FnOnce(MutexGuard<'_, Kept>) -> T,
    ) -> BoxFuture<'a, Result<T, StoreError>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        ready(Ok(act(kept))).boxed()
    }
}

impl TokenStore for MemoryStore {
    fn get<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<Tokens>, StoreError>> {
        self.with(|kept| kept.tokens.get(id).cloned())
    }

    fn put<'a>(&'a self, id: &'a str, tokens: Tokens) -> BoxFuture<'a, Result<Tokens, StoreError>> {
        self.with(|mut kept| match kept.tokens.get(id) {
            Some(held) if held.version() >= tokens.version() => held.clone(),
            Some(_) | None => {
                kept.tokens.insert(id.to_owned(), tokens.clone());
                tokens
            }
        })
    }

    fn put_if_absent<'a>(&'a self, id: &'a str, tokens: Tokens) -> BoxFuture<'a, Result<Tokens, StoreError>> {
        self.with(|mut kept| kept.tokens.entry(id.to_owned()).or_insert(tokens).clone())
    }

    fn remove<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<(), StoreError>> {
        self.with(|mut kept| {
            kept.tokens.remove(id);
        })
    }

    fn lease<'a>(&'a self, id: &'a str, time: Duration) -> BoxFuture<'a, Result<Option<Lease>, StoreError>> {
        self.with(|mut kept| {
            let now = Instant::now();
            if kept.leases.get(id).is_some_and(|(_, until)| *until > now) {
                return None;
            }
            kept.leased += 1;
            let lease = Lease::new(kept.leased.to_string());
            kept.leases.insert(id.to_owned(), (lease.clone(), now + time.min(LONGEST_LEASE)));
            Some(lease)
        })
    }

    fn release<'a>(&'a self, id: &'a str, lease: Lease) -> BoxFuture<'a, Result<(), StoreError>> {
        self.with(|mut kept| {
            if kept.leases.get(id).is_some_and(|(held, _)| *held == lease) {
                kept.leases.remove(id);
            }
        })
    }
}
