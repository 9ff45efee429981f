//! Sessions of a fleet: several processes over one real Redis.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

#[path = "auth/redis_server.rs"]
#[expect(dead_code, reason = "only a part of it is needed here")]
mod redis_server;
#[path = "auth/stores.rs"]
mod stores;
#[path = "auth/support.rs"]
#[expect(dead_code, reason = "only a part of it is needed here")]
mod support;

use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use httpx_client::{Auth, AuthStep, Client, RedisStore, Refresh, TokenStore as _};
use httpx_faults::{Fault, Script, Server};
use redis_server::Redis;
use support::{admits, client, endpoint, invalid_grant, json, refresh, session};

const FLEET: &str = "HTTPX_TEST_FLEET";

/// Another process that runs [`a_process_of_the_fleet`] of this very program.
fn fellow(redis: &Redis, api: &Server, tokens: &Server, calls: usize, limit: Duration) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_process_of_the_fleet", "--nocapture"])
        .env(
            FLEET,
            format!(
                "{} {} {} {calls} {}",
                redis.url(),
                api.url(),
                tokens.url_at("/oauth/token?x=1"),
                limit.as_millis()
            ),
        )
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// `calls` calls at once over two sessions; nothing unless it was started by [`fellow`].
#[tokio::test(flavor = "multi_thread")]
async fn a_process_of_the_fleet() {
    let Ok(told) = std::env::var(FLEET) else { return };
    let [redis, api, tokens, calls, limit] = told.split(' ').collect::<Vec<_>>()[..] else { panic!("{told}") };
    let limit = Duration::from_millis(limit.parse().unwrap());
    let refresh = Refresh::at(tokens).unwrap().limit(limit).store(Arc::new(RedisStore::at(redis).unwrap()));
    let client = client(Auth::sessions(refresh));
    run(&client, api, calls.parse().unwrap()).await;
}

async fn run(client: &Client, api: &str, calls: usize) {
    let sessions = [session("old-a", "ra"), session("old-b", "rb")];
    let calls = (0..calls).map(|at| client.get(api).session(&sessions[at % 2]).fetch_bytes());
    for answer in join_all(calls.map(tokio::spawn)).await {
        assert_eq!(answer.unwrap().unwrap().status().as_u16(), 200);
    }
}

#[tokio::test]
async fn the_redis_store_keeps_the_promises_of_a_store() {
    let Some(redis) = Redis::start().await else { return };
    stores::keeps_its_promises(redis.store(), "alice").await;
    let other = Arc::new(RedisStore::at(&redis.url()).unwrap().prefix("other"));
    redis.store().put("alice", httpx_client::Tokens::new("a").unwrap()).await.unwrap();
    assert_eq!(other.get("alice").await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_processes_with_two_sessions_make_two_renewals_in_all() {
    let Some(redis) = Redis::start().await else { return };
    let api = Server::start(admits(["new"])).await.unwrap();
    let slow = || json("new", "next").after(Duration::from_millis(300));
    let tokens = endpoint([slow(), slow(), invalid_grant()]).await;
    let fellows = [(); 2].map(|()| fellow(&redis, &api, &tokens, 100, Duration::from_secs(30)));
    for mut fellow in fellows {
        assert!(fellow.wait().unwrap().success());
    }
    assert_eq!(tokens.journal().complete(), 2);
    let stale = api.journal().requests().iter().filter(|one| one.header("authorization") != Some("Bearer new")).count();
    eprintln!("200 calls of two processes: {stale} met a 401, {} renewals in all", tokens.journal().complete());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_is_killed_while_it_renews_holds_the_others_up_until_its_lease_is_over() {
    let Some(redis) = Redis::start().await else { return };
    let api = Server::start(admits(["new"])).await.unwrap();
    let tokens = endpoint([Fault::NeverAnswer, json("new", "next").into()]).await;
    let mut fellow = fellow(&redis, &api, &tokens, 1, Duration::from_millis(500));
    while tokens.journal().complete() == 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    fellow.kill().unwrap();
    fellow.wait().unwrap();
    let auth = Auth::refreshing(session("old-a", "ra"), refresh(&tokens).store(redis.store()));
    let began = Instant::now();
    let answer = client(auth).get(api.url()).fetch_bytes().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.attempts().last().auth), (200, Some(AuthStep::Renewed)));
    assert!(began.elapsed() >= Duration::from_millis(300), "{:?}", began.elapsed());
    assert_eq!(tokens.journal().complete(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_redis_calls_go_on_with_the_token_at_hand_and_say_so() {
    let Some(redis) = Redis::start().await else { return };
    let port = redis.port;
    let api = Server::start(admits(["good", "new"])).await.unwrap();
    let tokens = endpoint([json("new", "next")]).await;
    let store = redis.store();
    let client = client(Auth::sessions(refresh(&tokens).store(store)));
    drop(redis);

    let began = Instant::now();
    let good = session("good", "rg");
    let answer = client.get(api.url()).session(&good).fetch_bytes().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.attempts().last().auth), (200, Some(AuthStep::StoreUnreachable)));
    // It is left alone for a while.
    let answer = client.get(api.url()).session(&good).fetch_bytes().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.attempts().last().auth), (200, None));

    let expired = session("old", "r1");
    let answer = client.get(api.url()).session(&expired).fetch_bytes().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.attempts().last().auth), (401, Some(AuthStep::StoreUnreachable)));
    assert_eq!(tokens.journal().complete(), 0);
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());

    let Some(_redis) = Redis::start_at(port).await else { return };
    let answer = client.get(api.url()).session(&expired).fetch_bytes().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.attempts().last().auth), (200, Some(AuthStep::Renewed)));
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_hangs_holds_a_call_up_for_a_moment_and_is_used_again_when_it_goes_on() {
    let Some(redis) = Redis::start().await else { return };
    let api = Server::start(admits(["good", "new"])).await.unwrap();
    let tokens = endpoint([json("new", "next")]).await;
    let client = client(Auth::sessions(refresh(&tokens).store(redis.store())));
    let call = |session| client.get(api.url()).session(session).fetch_bytes();
    // Connected, so that it is the answers that stay away.
    let [good, other, expired] = [("good", "rg"), ("good", "ro"), ("old", "r1")].map(|(a, r)| session(a, r));
    assert_eq!(call(&good).await.unwrap().status().as_u16(), 200);

    redis.hang();
    let began = Instant::now();
    for (session, status) in [(&other, 200), (&expired, 401), (&good, 200)] {
        assert_eq!(call(session).await.unwrap().status().as_u16(), status);
    }
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    assert_eq!(tokens.journal().complete(), 0, "nothing is renewed that a fellow may be renewing");

    redis.go_on();
    let began = Instant::now();
    while call(&expired).await.unwrap().status().as_u16() != 200 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // The right to renew that was asked for meanwhile would last 31 s.
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    assert_eq!(tokens.journal().complete(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_is_slow_is_waited_for() {
    let Some(redis) = Redis::start().await else { return };
    let api = Server::start(admits(["new"])).await.unwrap();
    let tokens = endpoint([json("new", "next")]).await;
    let client = client(Auth::sessions(refresh(&tokens).store(redis.store())));
    let pause = Duration::from_millis(150);
    redis.pause(pause);
    let began = Instant::now();
    let answer = client.get(api.url()).session(&session("old", "r1")).fetch_bytes().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.attempts().last().auth), (200, Some(AuthStep::Renewed)));
    assert!(began.elapsed() >= pause / 2, "it was not slow: {:?}", began.elapsed());
}

#[test]
fn what_is_wrong_with_a_url_is_told_without_it() {
    let told = RedisStore::at("http://u:s3cret@example.test").unwrap_err();
    assert!(!format!("{told} {told:?}").contains("s3cret"), "{told:?}");
    let store = RedisStore::at("redis://u:s3cret@127.0.0.1:1/").unwrap();
    assert!(!format!("{store:?}").contains("s3cret"), "{store:?}");
}

const ENDLESS: &str = "HTTPX_TEST_ENDLESS";

/// Four calls at a time for one session until the server says 204; nothing unless it was started for that.
#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_goes_on() {
    let Ok(told) = std::env::var(ENDLESS) else { return };
    let [redis, api, tokens] = told.split(' ').collect::<Vec<_>>()[..] else { panic!("{told}") };
    let refresh = Refresh::at(tokens).unwrap().store(Arc::new(RedisStore::at(redis).unwrap()));
    let (client, session) = (client(Auth::sessions(refresh)), session("old", "r0"));
    let calls = [(); 4].map(|()| {
        let (client, session, api) = (client.clone(), session.clone(), api.to_owned());
        tokio::spawn(async move {
            loop {
                let answer = client.get(&*api).session(&session).fetch_bytes().await.unwrap();
                match answer.status().as_u16() {
                    200 => {}
                    204 => break,
                    // Nothing is renewed while Redis cannot be reached, and the next call tries again.
                    status => assert_eq!(
                        (status, answer.attempts().last().auth),
                        (401, Some(AuthStep::StoreUnreachable)),
                        "{answer:?}"
                    ),
                }
            }
        })
    });
    for call in calls {
        call.await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_dies_and_comes_back_empty_costs_no_call_and_no_second_renewal() {
    let Some(redis) = Redis::start().await else { return };
    let port = redis.port;
    let accepted = Arc::new(std::sync::Mutex::new("Bearer one"));
    let good = Arc::new([AtomicU64::new(0), AtomicU64::new(0)]);
    let (now, count) = (Arc::clone(&accepted), Arc::clone(&good));
    let api = Server::start(Script::by_request(move |request| match *now.lock().unwrap() {
        "end" => Fault::status(204).into(),
        accepted if request.header("authorization") == Some(accepted) => {
            count[usize::from(request.path == "/1")].fetch_add(1, Ordering::Relaxed);
            Fault::Ok
        }
        _ => Fault::status(401).into(),
    }));
    let api = api.await.unwrap();
    let tokens = endpoint([json("one", "r1"), json("two", "r2"), invalid_grant()]).await;
    let mut fellows = ["/0", "/1"].map(|path| {
        let told = format!("{} {} {}", redis.url(), api.url_at(path), tokens.url());
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "a_process_that_goes_on", "--nocapture"]).env(ENDLESS, told);
        command.stdout(Stdio::null()).spawn().unwrap()
    });
    // Both processes get on.
    let more_calls = async || {
        let patience = Instant::now() + Duration::from_secs(60);
        let enough = good.each_ref().map(|count| count.load(Ordering::Relaxed) + 20);
        while good.iter().zip(enough).any(|(count, enough)| count.load(Ordering::Relaxed) < enough) {
            assert!(Instant::now() < patience, "no call is answered well any more");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    more_calls().await;
    drop(redis);
    more_calls().await;
    let Some(_redis) = Redis::start_at(port).await else { return };
    more_calls().await;
    *accepted.lock().unwrap() = "Bearer two";
    more_calls().await;
    *accepted.lock().unwrap() = "end";
    for fellow in &mut fellows {
        assert!(fellow.wait().unwrap().success());
    }
    assert_eq!(tokens.journal().complete(), 2);
}
