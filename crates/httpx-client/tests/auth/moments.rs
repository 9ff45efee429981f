//! What happens to a session at an unlucky moment: while its store is asked, or its runtime ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::support::{admits, authorizations, client, endpoint, invalid_grant, json, refresh, session};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use httpx_client::{Auth, AuthStep, Lease, MemoryStore, Session, StoreError, TokenStore, Tokens};
use httpx_faults::{Fault, Script, Server};

/// Long enough for something to happen meanwhile.
const SLOW: Duration = Duration::from_millis(200);

/// A store that takes its time for the first tokens, or fails as often as it is told.
#[derive(Debug, Default)]
struct Unlucky {
    store: MemoryStore,
    time: Duration,
    failures: AtomicU32,
    asked: AtomicU32,
}

impl TokenStore for Unlucky {
    fn get<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<Tokens>, StoreError>> {
        self.store.get(id)
    }

    fn put<'a>(&'a self, id: &'a str, tokens: Tokens) -> BoxFuture<'a, Result<Tokens, StoreError>> {
        self.store.put(id, tokens)
    }

    fn put_if_absent<'a>(&'a self, id: &'a str, tokens: Tokens) -> BoxFuture<'a, Result<Tokens, StoreError>> {
        async move {
            self.asked.fetch_add(1, Ordering::Relaxed);
            tokio::time::sleep(self.time).await;
            let fails = self.failures.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
            if fails.is_ok() { Err(StoreError::new("away")) } else { self.store.put_if_absent(id, tokens).await }
        }
        .boxed()
    }

    fn remove<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<(), StoreError>> {
        self.store.remove(id)
    }

    fn lease<'a>(&'a self, id: &'a str, time: Duration) -> BoxFuture<'a, Result<Option<Lease>, StoreError>> {
        self.store.lease(id, time)
    }

    fn release<'a>(&'a self, id: &'a str, lease: Lease) -> BoxFuture<'a, Result<(), StoreError>> {
        self.store.release(id, lease)
    }
}

fn fresh() -> Tokens {
    Tokens::new("fresh").unwrap().with_refresh("r9").unwrap()
}

#[tokio::test]
async fn a_new_log_in_while_the_store_is_asked_for_the_first_time_stays() {
    let api = Server::start(Script::always(Fault::Ok)).await.unwrap();
    let tokens = endpoint([invalid_grant()]).await;
    let store = Arc::new(Unlucky { time: SLOW, ..Unlucky::default() });
    let client = client(Auth::sessions(refresh(&tokens).store(Arc::clone(&store))));
    let alice = Session::with_id("alice", Tokens::new("old").unwrap());
    let call = tokio::spawn(client.get(api.url()).session(&alice).fetch_bytes());
    while store.asked.load(Ordering::Relaxed) == 0 {
        tokio::time::sleep(SLOW / 20).await;
    }
    alice.replace(fresh());
    call.await.unwrap().unwrap();
    client.get(api.url()).session(&alice).fetch_bytes().await.unwrap();
    assert_eq!(authorizations(&api), [["Bearer fresh"]; 2]);
    assert_eq!(store.get("alice").await.unwrap().unwrap().access().expose(), "fresh");
}

#[tokio::test]
async fn a_new_log_in_is_put_into_a_store_that_has_just_failed() {
    let api = Server::start(Script::always(Fault::Ok)).await.unwrap();
    let tokens = endpoint([invalid_grant()]).await;
    let store = Arc::new(Unlucky { failures: 1.into(), ..Unlucky::default() });
    let client = client(Auth::sessions(refresh(&tokens).store(Arc::clone(&store))));
    let alice = Session::with_id("alice", Tokens::new("old").unwrap());
    for step in [Some(AuthStep::StoreUnreachable), None] {
        let answer = client.get(api.url()).session(&alice).fetch_bytes().await.unwrap();
        assert_eq!(answer.attempts().last().auth, step);
        alice.replace(fresh());
    }
    assert_eq!(store.get("alice").await.unwrap().unwrap().access().expose(), "fresh");
}

/// As with a runtime for each test, or each request of a program that is not async.
#[test]
fn a_renewal_that_was_lost_with_its_runtime_is_begun_anew() {
    let runtime = || tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let servers = runtime();
    let (api, tokens) = servers.block_on(async {
        let tokens = endpoint([json("never", "r2").after(100 * SLOW), json("new", "r2")]).await;
        (Server::start(admits(["new"])).await.unwrap(), tokens)
    });
    let session = session("old", "r1");
    let limit = SLOW;
    let speaks = || client(Auth::refreshing(session.clone(), refresh(&tokens).limit(limit)));
    let first = runtime();
    first.spawn(speaks().get(api.url()).fetch_bytes());
    while tokens.journal().complete() == 0 {
        std::thread::sleep(SLOW / 20);
    }
    first.shutdown_background();
    let second = runtime();
    let statuses = second.block_on(async {
        let client = speaks();
        let mut statuses = Vec::new();
        for _ in 0..2 {
            statuses.push(client.get(api.url()).fetch_bytes().await.unwrap().status().as_u16());
        }
        statuses
    });
    // The first call may have waited for the one that was lost.
    assert_eq!(statuses[1], 200, "{statuses:?}");
    assert_eq!(tokens.journal().complete(), 2);
}
