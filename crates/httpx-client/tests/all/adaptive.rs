//! Attempts wait their turn at a server that throttles. At which rate is told by the tests of `httpx-retry`.

use std::sync::Arc;
use std::time::Duration;

use http::StatusCode;
use httpx_client::httpx_retry::{FailureKind, Policy, Rule, Sent, StatusSet, Throttling};
use httpx_client::reqwest::dns::{Name, Resolve, Resolving};
use httpx_client::{Client, ErrorKind, Limit};
use httpx_faults::{Fault, Script, Server};

use crate::support::{SHORT, quick};

/// Sends once, so that what waits is the next call; without a limit that a clock which jumps would let elapse.
fn client(policy: Policy) -> Client {
    quick().policy(policy.with_rule(Rule::never())).connect_timeout(Limit::Off).build().unwrap()
}

async fn throttling(status: u16) -> Server {
    Server::start(Script::first(Fault::status(status)).then(Fault::Ok)).await.unwrap()
}

async fn status(client: &Client, server: &Server) -> u16 {
    client.get(server.url()).send().await.unwrap().status().as_u16()
}

#[tokio::test(start_paused = true)]
async fn after_a_throttled_answer_calls_to_that_server_wait_their_turn_clones_too() {
    let server = throttling(429).await;
    let client = client(Policy::default().with_adaptive_rate());
    assert_eq!(status(&client, &server).await, 429);
    // Half a call a second is the least, so the next turn comes after two seconds, less what has passed.
    let answer = client.clone().get(server.url()).send().await.unwrap();
    assert!(answer.attempts().last().elapsed > Duration::from_millis(1_500), "{:?}", answer.attempts());
}

#[tokio::test]
async fn a_turn_after_the_deadline_is_not_taken_and_nothing_is_sent() {
    let server = throttling(429).await;
    let client = client(Policy::default().with_adaptive_rate());
    assert_eq!(status(&client, &server).await, 429);
    for _ in 0..3 {
        let error = client.get(server.url()).deadline(SHORT).send().await.unwrap_err();
        assert_eq!((error.kind(), error.sent()), (ErrorKind::Failure(FailureKind::Deadline), Sent::No));
    }
    assert_eq!(server.journal().recorded(), 1);
    // Another origin has a rate of its own, and nobody has throttled there.
    let other = throttling(429).await;
    client.get(other.url()).deadline(Duration::from_secs(1)).send().await.unwrap();
}

#[tokio::test]
async fn without_that_option_or_another_status_nobody_waits() {
    let throttled = |codes: StatusSet| {
        let of_default = Policy::default();
        let throttling = Throttling { statuses: codes, backoff: *of_default.backoff(), cost: 5 };
        of_default.with_throttling(throttling).with_adaptive_rate()
    };
    let slow_down = StatusSet::empty().with(StatusCode::SERVICE_UNAVAILABLE);
    // Policy, what the server answers first, whether the next call has to wait.
    let rows = [
        (Policy::default(), 429, false),
        (Policy::default().with_adaptive_rate(), 503, false),
        (Policy::default().with_adaptive_rate(), 429, true),
        (throttled(slow_down.clone()), 503, true),
        (throttled(slow_down), 429, false),
    ];
    for (at, (policy, first, waits)) in rows.into_iter().enumerate() {
        let server = throttling(first).await;
        let client = client(policy);
        assert_eq!(status(&client, &server).await, first);
        let next = client.get(server.url()).deadline(SHORT).send().await;
        assert_eq!(next.is_err(), waits, "row {at}: {next:?}");
    }
}

#[tokio::test]
async fn the_timeout_of_an_attempt_begins_with_its_turn() {
    let server = throttling(429).await;
    let client = client(Policy::default().with_adaptive_rate());
    assert_eq!(status(&client, &server).await, 429);
    // The turn comes after two seconds, less what has passed.
    let answer = client.get(server.url()).timeout(Duration::from_secs(1)).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
}

/// Knows no name.
struct Nobody;

impl Resolve for Nobody {
    fn resolve(&self, _: Name) -> Resolving {
        Box::pin(async { Err("this host does not exist".into()) })
    }
}

#[tokio::test(start_paused = true)]
async fn however_many_other_servers_are_asked_the_one_that_throttles_is_remembered() {
    let server = throttling(429).await;
    let never = Policy::default().with_rule(Rule::never()).with_adaptive_rate();
    let client = quick().policy(never).connect_timeout(Limit::Off);
    let client = client.customise_reqwest(|reqwest| reqwest.dns_resolver(Arc::new(Nobody))).build().unwrap();
    assert_eq!(status(&client, &server).await, 429);
    // More than are kept.
    for other in 0..1_010 {
        client.get(format!("http://host-{other}.test/")).send().await.unwrap_err();
    }
    let answer = client.get(server.url()).send().await.unwrap();
    assert!(answer.attempts().last().elapsed > Duration::from_millis(1_500), "{:?}", answer.attempts());
}
