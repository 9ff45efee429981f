//! A store that many processes share.

use std::fmt;
use std::process;
use std::sync::OnceLock;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::{Client, FromRedisValue, RedisError, Script, ScriptInvocation};

use super::store::{Lease, TokenStore};
use super::tokens::Tokens;
use crate::secret::Secret;
use crate::store_error::StoreError;

/// How long Redis may take to be reached, and to answer. A call waits for it, so it is short.
const PATIENCE: Duration = Duration::from_secs(1);

/// Keeps the tokens unless a version as late is there, and returns what is there then. Redis runs a script as one step.
const PUT: &str = "
    local held = redis.call('HGET', KEYS[1], 'version')
    if not held or tonumber(held) < tonumber(ARGV[3]) then
        redis.call('HSET', KEYS[1], 'access', ARGV[1], 'refresh', ARGV[2], 'version', ARGV[3])
    end
    return redis.call('HMGET', KEYS[1], 'access', 'refresh', 'version')";

/// The same, unless anything is there.
const PUT_IF_ABSENT: &str = "
    if redis.call('EXISTS', KEYS[1]) == 0 then
        redis.call('HSET', KEYS[1], 'access', ARGV[1], 'refresh', ARGV[2], 'version', ARGV[3])
    end
    return redis.call('HMGET', KEYS[1], 'access', 'refresh', 'version')";

/// Gives a lease back, but only one's own.
const RELEASE: &str = "
    if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
    return 0";

/// Keeps in Redis what all processes of a fleet share: the tokens of sessions, which are renewed once, and as a
/// [`FleetStore`](crate::FleetStore) the budget of retries.
///
/// Tokens stand in hashes `PREFIX:tokens:ID`, leases in keys `PREFIX:lease:ID` that expire by themselves: a process that
/// dies while it renews holds the others up no longer than that. While Redis cannot be reached, calls go on with the
/// tokens at hand, and nothing is renewed: two processes would use up one refresh token.
///
/// Where refresh tokens are good for one use, let Redis write to disk: a process that starts after it has lost its data
/// begins with the tokens that it is given, which others may have used up.
pub struct RedisStore {
    client: Client,
    /// Made when it is first needed: it belongs to a runtime.
    connection: OnceLock<ConnectionManager>,
    prefix: String,
}

impl RedisStore {
    /// At a URL such as `redis://host:6379/0`. Connects when it is first used, and again after the connection is lost.
    ///
    /// # Errors
    /// When it is no such URL.
    pub fn at(url: &str) -> Result<Self, StoreError> {
        Ok(RedisStore {
            client: Client::open(url).map_err(failed)?,
            connection: OnceLock::new(),
            prefix: "httpx".into(),
        })
    }

    /// What the names of all keys begin with.
    #[must_use]
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    fn connection(&self) -> Result<ConnectionManager, StoreError> {
        if let Some(connection) = self.connection.get() {
            return Ok(connection.clone());
        }
        let config = ConnectionManagerConfig::new()
            .set_number_of_retries(1)
            .set_max_delay(PATIENCE / 10)
            .set_connection_timeout(Some(PATIENCE))
            .set_response_timeout(Some(PATIENCE));
        let made = ConnectionManager::new_lazy_with_config(self.client.clone(), config).map_err(failed)?;
        Ok(self.connection.get_or_init(|| made).clone())
    }

    fn tokens_key(&self, id: &str) -> String {
        format!("{}:tokens:{id}", self.prefix)
    }

    fn lease_key(&self, id: &str) -> String {
        format!("{}:lease:{id}", self.prefix)
    }

    async fn keep(&self, script: &str, id: &str, tokens: &Tokens) -> Result<Tokens, StoreError> {
        let script = Script::new(script);
        let mut call = script.key(self.tokens_key(id));
        call.arg(tokens.access().expose()).arg(tokens.refresh().map_or("", Secret::expose)).arg(tokens.version());
        let held = self.run(&call).await?;
        restored(held)?.ok_or_else(|| StoreError::new("Redis did not keep the tokens"))
    }

    /// Keys of one origin share what stands in braces: a Redis cluster keeps them in one place, where a script finds both.
    pub(crate) fn fleet_key(&self, kind: &str, origin: &str, more: &str) -> String {
        format!("{}:{kind}:{{{origin}}}{more}", self.prefix)
    }

    pub(crate) async fn run<T: FromRedisValue>(&self, call: &ScriptInvocation<'_>) -> Result<T, StoreError> {
        call.invoke_async(&mut self.connection()?).await.map_err(failed)
    }
}

type Row = (Option<String>, Option<String>, Option<u64>);

fn restored(row: Row) -> Result<Option<Tokens>, StoreError> {
    match row {
        (Some(access), refresh, Some(version)) => {
            let tokens = Tokens::restore(&access, refresh.as_deref().unwrap_or_default(), version);
            tokens.map(Some).map_err(StoreError::new)
        }
        (None, _, _) | (_, _, None) => Ok(None),
    }
}

/// Redis quotes what it was sent only in errors of the command itself, never in those told here.
fn failed(error: RedisError) -> StoreError {
    StoreError::new(format!("Redis: {}", error.category()))
}

impl TokenStore for RedisStore {
    fn get<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<Tokens>, StoreError>> {
        async move {
            let mut get = redis::cmd("HMGET");
            get.arg(self.tokens_key(id)).arg(&["access", "refresh", "version"]);
            restored(get.query_async(&mut self.connection()?).await.map_err(failed)?)
        }
        .boxed()
    }

    fn put<'a>(&'a self, id: &'a str, tokens: Tokens) -> BoxFuture<'a, Result<Tokens, StoreError>> {
        async move { self.keep(PUT, id, &tokens).await }.boxed()
    }

    fn put_if_absent<'a>(&'a self, id: &'a str, tokens: Tokens) -> BoxFuture<'a, Result<Tokens, StoreError>> {
        async move { self.keep(PUT_IF_ABSENT, id, &tokens).await }.boxed()
    }

    fn remove<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<(), StoreError>> {
        async move {
            let mut remove = redis::cmd("DEL");
            remove.arg(self.tokens_key(id));
            remove.query_async(&mut self.connection()?).await.map_err(failed)
        }
        .boxed()
    }

    fn lease<'a>(&'a self, id: &'a str, time: Duration) -> BoxFuture<'a, Result<Option<Lease>, StoreError>> {
        async move {
            let name = format!("{}-{:032x}", process::id(), fastrand::u128(..));
            let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX).clamp(1, LONGEST_LEASE);
            let mut set = redis::cmd("SET");
            set.arg(self.lease_key(id)).arg(&name).arg("NX").arg("PX").arg(millis);
            let mut connection = self.connection()?;
            let set: Result<Option<String>, _> = set.query_async(&mut connection).await;
            if set.is_err() {
                // It may have been taken all the same, and would keep everybody waiting until it expires. Not waited for:
                // a Redis that hangs does both, one after the other, when it goes on.
                let release = release(&self.lease_key(id), &name);
                tokio::spawn(async move { release.query_async::<u64>(&mut connection).await });
            }
            Ok(set.map_err(failed)?.map(|_| Lease::new(name)))
        }
        .boxed()
    }

    fn release<'a>(&'a self, id: &'a str, lease: Lease) -> BoxFuture<'a, Result<(), StoreError>> {
        async move {
            let release = release(&self.lease_key(id), lease.name());
            release.query_async::<u64>(&mut self.connection()?).await.map(drop).map_err(failed)
        }
        .boxed()
    }
}

/// In one command with its script: one that Redis must know by its hash takes a second command after the first.
fn release(key: &str, name: &str) -> redis::Cmd {
    let mut release = redis::cmd("EVAL");
    release.arg(RELEASE).arg(1).arg(key).arg(name);
    release
}

/// A day, in milliseconds: Redis refuses times that its clock cannot hold.
const LONGEST_LEASE: u64 = 24 * 60 * 60 * 1000;

impl fmt::Debug for RedisStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisStore").field("prefix", &self.prefix).finish_non_exhaustive()
    }
}
