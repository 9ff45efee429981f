//! Where the tokens of sessions are kept, and who may renew them.

use std::fmt;
use std::time::Duration;

use futures_util::future::BoxFuture;

use super::tokens::Tokens;
use crate::store_error::StoreError;

/// The right to renew the tokens of one session until it expires.
#[derive(Clone, PartialEq, Eq)]
pub struct Lease(String);

impl Lease {
    /// A right by a name that nobody else has.
    #[must_use]
    pub fn new(name: String) -> Self {
        Lease(name)
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Lease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lease")
    }
}

/// Keeps tokens by the id of their session.
///
/// Several clients and processes may share a store. Two things keep them from harming one another: a [`Lease`] that one of
/// them holds while it renews, and versions. A lease may expire while its holder is still at work, so it only saves
/// needless renewals; what protects the tokens is that [`put`](TokenStore::put) refuses a version that has been reached.
pub trait TokenStore: Send + Sync + fmt::Debug {
    /// The tokens of a session.
    fn get<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<Tokens>, StoreError>>;

    /// Keeps `tokens` unless the store holds this version or a later one; in one step. Returns what it holds then.
    fn put<'a>(&'a self, id: &'a str, tokens: Tokens) -> BoxFuture<'a, Result<Tokens, StoreError>>;

    /// Keeps `tokens` unless the store holds any; in one step. Returns what it holds then.
    fn put_if_absent<'a>(&'a self, id: &'a str, tokens: Tokens) -> BoxFuture<'a, Result<Tokens, StoreError>>;

    /// Forgets a session.
    fn remove<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<(), StoreError>>;

    /// The right to renew, for so long; `None` while somebody else has it.
    fn lease<'a>(&'a self, id: &'a str, time: Duration) -> BoxFuture<'a, Result<Option<Lease>, StoreError>>;

    /// Gives the right back before its time is over. Nothing happens when it is over already.
    fn release<'a>(&'a self, id: &'a str, lease: Lease) -> BoxFuture<'a, Result<(), StoreError>>;
}
