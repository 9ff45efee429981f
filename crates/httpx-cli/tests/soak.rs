//! Two thousand calls of each consumer through a server that fails 30 % of them in every way it can: each answer is right or
//! an error of its type, and none comes late. The consumers inherit the default; a POST under `idempotent_only` is here too.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use httpx_client::httpx_retry::Rule;
use httpx_client::{Auth, Challenges, Client};
use httpx_cloudinfo::{CloudInfo, Provider, Query};
use httpx_faults::{Answer, Fault, Request, Script, Server};
use httpx_plugin_repo::PluginRepo;
use httpx_registry::Registry;

const CALLS: u32 = 2_000;
const AT_ONCE: u32 = 20;

/// The limit on one attempt, which a stalled one meets, and on a whole call. What takes longer than a few of them hangs.
const TIMEOUT: Duration = Duration::from_secs(1);
const DEADLINE: Duration = Duration::from_secs(8);
const HANGS: Duration = Duration::from_secs(40);

/// A server that answers a request by the last number in its path.
async fn serve(seed: u64, answer: impl Fn(&Request, &str) -> String + Send + 'static) -> Server {
    let faults = [Fault::sudden(), vec![Fault::NeverAnswer, Fault::HeadersThenStall(500)]].concat();
    let script = Script::by_chance(0.3, faults, seed, move |request| {
        let number = request.path.split(|char: char| !char.is_ascii_digit()).rfind(|digits| digits.len() == 4);
        Answer::status(200).body(answer(request, number.unwrap_or_default())).into()
    });
    Server::start(script).await.unwrap()
}

fn client() -> Client {
    let quick = Client::builder().delay(Duration::from_millis(1)).max_delay(Duration::from_millis(5));
    let auth = Auth::challenges(Challenges::anonymous());
    quick.timeout(TIMEOUT).deadline(DEADLINE).auth(auth).build().unwrap()
}

/// Calls so often, with numbers from 1000, and counts what was right. `call` returns whether its answer was, and fails the
/// test when an error is none of those that may be.
async fn soak<F>(call: impl Fn(u32) -> F + Send + Sync + 'static) -> u32
where
    F: Future<Output = Option<String>> + Send,
{
    let (call, next, right) = (Arc::new(call), Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
    let worker = || {
        let (call, next, right) = (Arc::clone(&call), Arc::clone(&next), Arc::clone(&right));
        tokio::spawn(async move {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= CALLS {
                    return;
                }
                let (number, began) = (number + 1000, Instant::now());
                if let Some(answer) = call(number).await {
                    assert_eq!(answer, number.to_string());
                    right.fetch_add(1, Ordering::Relaxed);
                }
                assert!(began.elapsed() < HANGS, "call {number} took {:?}", began.elapsed());
            }
        })
    };
    join_all((0..AT_ONCE).map(|_| worker())).await.into_iter().for_each(Result::unwrap);
    right.load(Ordering::Relaxed)
}

/// The answer; `None` after an error that may be.
fn told<T, E: Debug>(answer: Result<T, E>, may_be: impl Fn(&E) -> bool) -> Option<T> {
    match answer {
        Ok(answer) => Some(answer),
        Err(error) => {
            assert!(may_be(&error), "{error:?}");
            None
        }
    }
}

/// A stall is not sent again; all else is, unless it meets five faults in a row.
fn assert_most(right: u32) {
    assert!(right > CALLS * 8 / 10, "{right} of {CALLS}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cloudinfo_answers_right_or_not_at_all() {
    let server = serve(1, |_, number| {
        format!(
            r#"{{"products":[{{"type":"{number}","category":"","cpusPerVm":1,"memPerVm":1,"gpusPerVm":0,"onDemandPrice":1,
            "spotPrice":null,"ntwPerf":"","ntwPerfCategory":"","zones":null,"attributes":null,"currentGen":true}}]}}"#
        )
    })
    .await;
    let cloud = CloudInfo::builder(&server.url()).client(client()).timeout(TIMEOUT).build().unwrap();
    let right = soak(move |number| {
        let cloud = cloud.clone();
        async move {
            let found = cloud.products(Provider::Amazon, &number.to_string(), &Query::new()).await;
            let found = told(found, |error| {
                use httpx_cloudinfo::ErrorKind::{NoAnswer, Status};
                matches!(error.kind(), NoAnswer(_) | Status { .. })
            });
            found.map(|found| found.products[0].instance_type.clone())
        }
    });
    assert_most(right.await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_registry_answers_right_or_not_at_all() {
    let server = serve(2, |request, number| match request.path.as_str() {
        "/config.json" => r#"{"dl":"https://static.example.test"}"#.to_owned(),
        _ => format!(r#"{{"name":"a{number}","vers":"{number}.0.0","deps":[],"cksum":"00","features":{{}}}}"#),
    })
    .await;
    let registry = Registry::builder(&server.url()).client(client()).build().unwrap();
    let right = soak(move |number| {
        let registry = registry.clone();
        async move {
            let found = registry.newest(&format!("a{number}"), &"*".parse().unwrap()).await;
            let found = told(found, |error| {
                use httpx_registry::ErrorKind::{NoAnswer, Status};
                matches!(error.kind(), NoAnswer(_) | Status { .. })
            });
            found.map(|row| row.unwrap().vers.major.to_string())
        }
    });
    assert_most(right.await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_plugin_repository_answers_right_or_not_at_all() {
    let server = serve(3, |request, _| {
        let version = request.path.split(['@', '&']).nth(1).unwrap_or_default();
        format!(r#"{{"plugins":[{{"id":"nf-x","releases":[{{"version":"{version}","url":"/{version}.zip"}}]}}]}}"#)
    })
    .await;
    let repo = PluginRepo::builder("24.04.4".parse().unwrap()).client(client()).repository(server.url());
    let repo = repo.build().unwrap();
    let right = soak(move |number| {
        let repo = repo.clone();
        async move {
            let found = repo.resolve(&format!("nf-x@{number}.0.0").parse().unwrap()).await;
            let found = told(found, |error| {
                use httpx_plugin_repo::ErrorKind::{NoAnswer, Status};
                matches!(error.kind(), NoAnswer(_) | Status { .. })
            });
            found.map(|found| found.release.version.trim_end_matches(".0.0").to_owned())
        }
    });
    assert_most(right.await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_post_that_was_carried_out_is_sent_again_under_idempotent_only() {
    let server = serve(4, |_, number| number.to_owned()).await;
    let (client, url) = (client(), server.url());
    let right = soak(move |number| {
        let request = client.post(format!("{url}/{number}")).rule(Rule::idempotent_only()).body("once");
        async move {
            use httpx_client::ErrorKind::{Failure, Status};
            let answer = request.fetch_text().await.and_then(httpx_client::Response::error_for_status);
            let answer = told(answer, |error| matches!(error.kind(), Failure(_) | Status(_)));
            answer.map(httpx_client::Response::into_body)
        }
    });
    assert!(right.await > CALLS * 6 / 10);
    let journal = server.journal();
    let applied: Vec<_> = (1000..1000 + CALLS).map(|number| journal.applied_for(&format!("POST /{number}"))).collect();
    assert!(applied.iter().all(|times| *times <= 1), "{:?} at the most", applied.iter().max());
    assert!(applied.contains(&1));
}
