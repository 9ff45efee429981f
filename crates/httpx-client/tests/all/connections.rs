//! A failed answer keeps its connection, and a slow one delays nothing.

use std::time::Duration;

use crate::support::{LONG, quick, trusting};
use httpx_client::httpx_retry::{Budget, FailureKind, Reason};
use httpx_client::{BudgetSetting, ClientBuilder, ErrorKind, HttpVersion, RetryAfterSetting};
use httpx_faults::{Answer, End, Fault, Script, Server};

fn busy(body: usize) -> Answer {
    Answer::status(503).body(vec![b'e'; body])
}

#[tokio::test]
async fn a_failed_answer_is_read_while_waiting_so_its_connection_is_used_again() {
    let rows = [
        ("short", busy(20)),
        ("empty", busy(0)),
        ("64 KiB", busy(64 * 1024)),
        ("chunked", busy(1000).chunked()),
        ("64 KiB, chunked", busy(64 * 1024).chunked()),
    ];
    for (name, answer) in rows {
        let script = || Script::first(answer.clone()).times(2).then(Fault::Ok);

        let server = Server::start(script()).await.unwrap();
        let client = quick().delay(Duration::from_millis(20)).max_delay(Duration::from_millis(20)).build().unwrap();
        let got = client.get(server.url()).fetch_bytes().await.unwrap();
        assert_eq!((got.attempts().count(), server.journal().connects()), (3, 1), "{name}");

        let server = Server::tls(script()).await.unwrap();
        let builder = quick().delay(Duration::from_millis(20)).max_delay(Duration::from_millis(20));
        let client = trusting(builder, &server).build().unwrap();
        client.get(server.url()).fetch_bytes().await.unwrap();
        assert_eq!(server.journal().connects(), 1, "{name}, TLS");
    }
}

#[tokio::test]
async fn a_slow_error_body_delays_nothing() {
    // Read to its end it would take ten seconds.
    let slow = busy(200).drip(Duration::from_millis(50));
    let server = Server::start(Script::first(slow).then(Fault::Ok)).await.unwrap();
    let answer = quick().build().unwrap().get(server.url()).fetch_bytes().await.unwrap();
    assert_eq!(answer.attempts().count(), 2);
    assert!(answer.attempts().elapsed() < Duration::from_secs(2), "{:?}", answer.attempts());
}

#[tokio::test]
async fn an_endless_error_body_is_given_up_at_the_cap() {
    let server = Server::start(Script::first(busy(1 << 20)).then(Fault::Ok)).await.unwrap();
    let wait = Duration::from_millis(50);
    let client = quick().delay(wait).max_delay(wait).jitter(0.0).build().unwrap();
    let answer = client.get(server.url()).fetch_bytes().await.unwrap();
    assert_eq!((answer.attempts().count(), server.journal().connects()), (2, 2));
    assert!(answer.attempts().elapsed() >= wait);
}

#[tokio::test]
async fn retry_after_bounds_the_wait_from_below_and_the_cap_from_above() {
    let server = Server::start(Script::first(Fault::status(503).retry_after("1")).then(Fault::Ok)).await.unwrap();
    let cap = Duration::from_millis(40);
    let client = quick().max_delay(cap).build().unwrap();
    let answer = client.get(server.url()).fetch_bytes().await.unwrap();
    assert_eq!(answer.attempts().iter().next().unwrap().wait, Some(cap));

    let server = Server::start(Script::always(Fault::status(503).retry_after("1"))).await.unwrap();
    let client = quick().retry_after(RetryAfterSetting::GiveUp).build().unwrap();
    let answer = client.get(server.url()).fetch_bytes().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.attempts().count()), (503, 1));
    assert_eq!(answer.attempts().stop_reason(), &Reason::RetryAfterTooLong);

    let server = Server::start(Script::first(Fault::status(503).retry_after("1")).then(Fault::Ok)).await.unwrap();
    let client = quick().retry_after(RetryAfterSetting::Ignore).jitter(0.0).build().unwrap();
    let answer = client.get(server.url()).fetch_bytes().await.unwrap();
    assert_eq!(answer.attempts().iter().next().unwrap().wait, Some(Duration::from_millis(1)));
}

#[tokio::test]
async fn the_budget_ends_a_storm_of_retries_and_success_fills_it_again() {
    // Down for 300 contacts, well for 10, down again.
    let script = Script::first(Fault::status(503)).times(300).then(Fault::Ok).times(10).then(Fault::status(503));
    let server = Server::start(script).await.unwrap();
    let client = quick().delay(Duration::ZERO).build().unwrap();
    let clone = client.clone();
    for call in 0..200 {
        let answer = if call % 2 == 0 { &client } else { &clone }.get(server.url()).send().await.unwrap();
        assert_eq!(answer.status().as_u16(), 503);
    }
    // 500 tokens at 5 each pay for 100 retries, whoever makes them.
    assert_eq!(server.journal().complete(), 300);

    // Another origin has a bucket of its own.
    let other = Server::start(Script::first(Fault::status(503)).then(Fault::Ok)).await.unwrap();
    assert_eq!(client.get(other.url()).send().await.unwrap().attempts().count(), 2);

    for _ in 0..10 {
        assert_eq!(client.get(server.url()).fetch_bytes().await.unwrap().status().as_u16(), 200);
    }
    // Ten successes gave ten tokens: two retries.
    let answer = client.get(server.url()).send().await.unwrap();
    assert_eq!((answer.attempts().count(), answer.attempts().stop_reason()), (3, &Reason::BudgetEmpty));
}

#[tokio::test]
async fn a_budget_of_one_request_leaves_that_of_its_client_alone() {
    let server = Server::start(Script::always(Fault::status(503))).await.unwrap();
    let client = quick().delay(Duration::ZERO).build().unwrap();
    let own = Budget { capacity: 5, ..Budget::DEFAULT };
    for attempts in [2, 1, 1] {
        let request = client.get(server.url()).policy(client.policy().clone().with_budget(own));
        assert_eq!(request.send().await.unwrap().attempts().count(), attempts);
    }
    // 500 tokens pay for four retries of 25 calls.
    for attempts in [5; 25] {
        assert_eq!(client.get(server.url()).send().await.unwrap().attempts().count(), attempts);
    }
    let answer = client.get(server.url()).send().await.unwrap();
    assert_eq!((answer.attempts().count(), answer.attempts().stop_reason()), (1, &Reason::BudgetEmpty));
}

#[tokio::test]
async fn a_call_that_is_dropped_while_it_waits_gets_back_what_its_retry_would_have_cost() {
    let server = Server::start(Script::always(Fault::status(503))).await.unwrap();
    let budget = BudgetSetting::Tokens { capacity: 5, retry_cost: 5, timeout_cost: 5, first_success: 0 };
    let client = ClientBuilder::new().delay(LONG).budget(budget).build().unwrap();
    for _ in 0..2 {
        let waiting = tokio::time::timeout(Duration::from_secs(1), client.get(server.url()).send());
        waiting.await.expect_err("the call waits for its retry");
    }
    let quick = client.policy().clone().with_backoffs(|backoff| backoff.with_initial(Duration::ZERO));
    let answer = client.get(server.url()).policy(quick).send().await.unwrap();
    assert_eq!((answer.attempts().count(), answer.attempts().stop_reason()), (2, &Reason::BudgetEmpty));
}

#[tokio::test]
async fn a_success_after_a_retry_gives_back_what_the_retry_took() {
    let script = Script::first(Fault::status(503)).then(Fault::Ok).then(Fault::status(503)).then(Fault::Ok);
    let server = Server::start(script.then(Fault::status(503))).await.unwrap();
    // Pays for one retry, and a success on the first attempt gives nothing.
    let budget = BudgetSetting::Tokens { capacity: 5, retry_cost: 5, timeout_cost: 5, first_success: 0 };
    let client = quick().delay(Duration::ZERO).budget(budget).build().unwrap();
    for (status, attempts) in [(200, 2), (200, 2), (503, 2), (503, 1)] {
        let answer = client.get(server.url()).send().await.unwrap();
        assert_eq!((answer.status().as_u16(), answer.attempts().count()), (status, attempts));
    }
}

#[tokio::test]
async fn one_http2_connection_carries_calls_and_their_retries() {
    let server = Server::h2(Script::first(busy(500)).times(3).then(Fault::Ok)).await.unwrap();
    let client = quick().http_version(HttpVersion::Http2).timeout(LONG).build().unwrap();
    let answer = client.post(server.url()).body("x").fetch_bytes().await.unwrap();
    assert_eq!((answer.attempts().count(), server.journal().connects()), (4, 1));
}

#[tokio::test]
async fn the_last_failed_answer_is_handed_over_with_its_body() {
    let server = Server::start(Script::always(Answer::status(503).body("try again at noon"))).await.unwrap();
    let answer = quick().build().unwrap().get(server.url()).fetch_text().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.attempts().count()), (503, 5));
    assert_eq!(answer.body(), "try again at noon");
}

#[tokio::test]
async fn a_length_that_lies_reserves_no_room() {
    let lie = Answer::ok().header("content-length", "1000000000000000").body("short").cut(5, End::Fin);
    let server = Server::start(Script::always(lie)).await.unwrap();
    let error = quick().build().unwrap().get(server.url()).fetch_bytes().await.unwrap_err();
    assert_eq!((error.kind(), error.bytes_received()), (ErrorKind::Failure(FailureKind::Truncated), 5));
}
