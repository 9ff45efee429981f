//! Where tokens are kept: in memory, in a store that fails, and in Redis.

use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use httpx_client::{Auth, Lease, MemoryStore, StoreError, TokenStore, Tokens};
use httpx_faults::Server;

use crate::listening::Everything;
use crate::support::{admits, client, endpoint, json, refresh, session};

pub(crate) async fn run(told: &Everything) {
    with(told, Arc::new(MemoryStore::default())).await;
    with(told, Arc::new(Failing)).await;
    #[cfg(feature = "redis")]
    redis(told).await;
}

/// A call whose token is renewed, and what can be seen of everybody who had a part in it.
async fn with<S: TokenStore + 'static>(told: &Everything, store: Arc<S>) {
    let api = Server::start(admits(["s3cret-new"])).await.unwrap();
    let tokens = endpoint([json("s3cret-new", "s3cret-next")]).await;
    let refresh = refresh(&tokens).store(Arc::clone(&store));
    told.tell((&store, &refresh));
    let client = client(Auth::sessions(refresh));
    let session = session("s3cret-old", "s3cret-refresh");
    told.tell_result(client.get(api.url()).session(&session).fetch_bytes().await);
    told.tell_result(client.get(api.url()).session(&session).fetch_bytes().await);
    told.tell((&session, session.id(), &store, &client));
    told.tell_result(store.get(session.id()).await);
    told.tell_result(store.lease(session.id(), std::time::Duration::from_secs(1)).await);
}

#[derive(Debug)]
struct Failing;

impl Failing {
    fn fail<'a, T: Send + 'a>() -> BoxFuture<'a, Result<T, StoreError>> {
        std::future::ready(Err(StoreError::new("out of order"))).boxed()
    }
}

impl TokenStore for Failing {
    fn get<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<Option<Tokens>, StoreError>> {
        Failing::fail()
    }

    fn put<'a>(&'a self, _: &'a str, _: Tokens) -> BoxFuture<'a, Result<Tokens, StoreError>> {
        Failing::fail()
    }

    fn put_if_absent<'a>(&'a self, _: &'a str, _: Tokens) -> BoxFuture<'a, Result<Tokens, StoreError>> {
        Failing::fail()
    }

    fn remove<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<(), StoreError>> {
        Failing::fail()
    }

    fn lease<'a>(&'a self, _: &'a str, _: std::time::Duration) -> BoxFuture<'a, Result<Option<Lease>, StoreError>> {
        Failing::fail()
    }

    fn release<'a>(&'a self, _: &'a str, _: Lease) -> BoxFuture<'a, Result<(), StoreError>> {
        Failing::fail()
    }
}

/// A Redis that knows us, one that does not, and none.
#[cfg(feature = "redis")]
async fn redis(told: &Everything) {
    use crate::redis_server::Redis;
    use httpx_client::RedisStore;

    let Some(redis) = Redis::start().await else { return };
    redis.require_password("s3cret");
    let at = |url: &str| RedisStore::at(url);
    for userinfo in [":s3cret@", ":wrong-s3cret@", ""] {
        with(told, Arc::new(at(&redis.url().replace("://", &format!("://{userinfo}"))).unwrap())).await;
    }
    with(told, Arc::new(at("redis://u:s3cret@127.0.0.1:1/").unwrap())).await;
    told.tell_result(at("http://u:s3cret@h/?s3cret"));
    told.tell_result(at("redis://u:s3cret@h:port/"));
}
