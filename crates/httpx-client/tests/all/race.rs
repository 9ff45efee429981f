//! Hedging: sends of one call that race.

use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use http::Method;
use httpx_client::httpx_retry::{Budget, Hedging, Outcome, Policy, Reason, Rule, Sent, Verdict, default_rule};
use httpx_client::{Client, Ended, HttpVersion};
use httpx_faults::{Answer, Fault, Script, Server};

use crate::support::{LONG, SHORT, quick, stream_of};

const SENDS: NonZeroU32 = NonZeroU32::new(3).unwrap();

fn client(policy: Policy) -> Client {
    quick().policy(policy).timeout(LONG).build().unwrap()
}

fn hedging(delay: Duration) -> Policy {
    Policy::default().with_hedging(Hedging::new(delay, SENDS))
}

fn slow() -> Answer {
    Answer::ok().body("slow").after(LONG)
}

#[tokio::test]
async fn a_silent_server_is_asked_again_and_the_first_answer_wins() {
    let server = Server::start(Script::first(slow()).then(Fault::Ok)).await.unwrap();
    let answer = client(hedging(SHORT)).get(server.url()).fetch_text().await.unwrap();
    assert_eq!((answer.body().as_str(), server.journal().recorded()), ("ok", 2));
    let story: Vec<_> = answer.attempts().iter().map(|attempt| (attempt.number, attempt.ended)).collect();
    assert_eq!(story, [(1, Ended::Cancelled), (2, Ended::Answer(http::StatusCode::OK))]);
    assert!(answer.attempts().elapsed() >= SHORT && answer.attempts().elapsed() < LONG);
}

#[tokio::test]
async fn a_fast_answer_is_asked_for_once() {
    let server = Server::start(Script::always(Fault::Ok)).await.unwrap();
    let answer = client(hedging(LONG)).get(server.url()).fetch_text().await.unwrap();
    assert_eq!((answer.attempts().count(), server.journal().complete()), (1, 1));
    assert_eq!(answer.attempts().stop_reason(), &Reason::FinalAnswer);
}

#[tokio::test]
async fn at_most_so_many_sends_race_and_the_last_failure_is_told() {
    let server = Server::start(Script::always(Fault::status(503))).await.unwrap();
    let answer = client(hedging(LONG)).get(server.url()).fetch_bytes().await.unwrap();
    assert_eq!((answer.status().as_u16(), server.journal().complete()), (503, 3));
    assert_eq!((answer.attempts().count(), answer.attempts().stop_reason()), (3, &Reason::AttemptsExhausted));

    let server = Server::start(Script::always(Fault::NeverAnswer)).await.unwrap();
    let client =
        quick().policy(hedging(Duration::ZERO).with_rule(Rule::any_io_error())).timeout(SHORT).build().unwrap();
    let error = client.get(server.url()).fetch_bytes().await.unwrap_err();
    assert_eq!((error.attempts().unwrap().count(), server.journal().complete()), (3, 3));
}

#[tokio::test]
async fn a_failure_that_the_rule_lets_stand_ends_the_race() {
    let server = Server::start(Script::first(Fault::status(404)).then(Fault::Ok)).await.unwrap();
    let answer = client(hedging(LONG)).get(server.url()).fetch_bytes().await.unwrap();
    assert_eq!((answer.status().as_u16(), server.journal().complete()), (404, 1));
}

#[tokio::test]
async fn a_race_that_nobody_wins_outruns_nobody_and_may_have_been_seen() {
    let server = Server::start(Script::always(Fault::NeverAnswer)).await.unwrap();
    let client = quick().policy(hedging(SHORT / 4)).deadline(SHORT).build().unwrap();
    let error = client.get(server.url()).fetch_bytes().await.unwrap_err();
    let story = error.attempts().unwrap();
    assert!(story.iter().any(|attempt| attempt.ended == Ended::Cancelled), "{story:?}");
    assert!(story.iter().all(|attempt| attempt.sent == Sent::Maybe && attempt.reason == Reason::Deadline), "{story:?}");

    // One that was refused ends the race, and another one was read.
    let rule = Rule::new("refused is final", |attempt| match attempt.outcome {
        Outcome::Failure(_) => Verdict::Stop(Reason::Permanent),
        Outcome::Answer { .. } => default_rule(attempt),
    });
    let server = Server::h2(Script::first(Fault::NeverAnswer).then(Fault::RefusedStream)).await.unwrap();
    let client = quick().http_version(HttpVersion::Http2).policy(hedging(SHORT).with_rule(rule)).build().unwrap();
    let error = client.put(server.url()).body("x").send().await.unwrap_err();
    assert_eq!((error.sent(), error.attempts().unwrap().last().sent), (Sent::Maybe, Sent::NotProcessed));
}

#[tokio::test]
async fn a_send_that_times_out_leaves_the_race_to_the_others() {
    // The first is never answered; the second, which leaves a while later, is, after the first has timed out.
    let server = Server::start(Script::first(Fault::NeverAnswer).then(Answer::ok().after(SHORT * 3))).await.unwrap();
    let policy = Policy::default().with_hedging(Hedging::new(SHORT * 2, NonZeroU32::new(2).unwrap()));
    let client = quick().policy(policy).timeout(SHORT * 4).build().unwrap();
    let answer = client.get(server.url()).fetch_text().await.unwrap();
    let reasons: Vec<_> = answer.attempts().iter().map(|attempt| attempt.reason.clone()).collect();
    assert_eq!((answer.body().as_str(), reasons), ("ok", vec![Reason::MayBeWorking, Reason::FinalAnswer]));
}

#[tokio::test]
async fn every_send_that_fails_is_told_as_it_happens() {
    let server = Server::start(Script::first(Fault::status(503)).times(2).then(Fault::Ok)).await.unwrap();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&heard);
    let client = quick().policy(hedging(LONG)).on_retry(move |event| log.lock().unwrap().push(event.attempt().number));
    client.build().unwrap().get(server.url()).fetch_bytes().await.unwrap();
    assert_eq!(*heard.lock().unwrap(), [1, 2]);
}

#[tokio::test]
async fn a_send_that_is_paid_for_is_not_paid_again() {
    // Ten tokens pay for a hedge and for the third send. Both others fail before it leaves.
    let budget = Budget { capacity: 10, retry_cost: 5, ..Budget::DEFAULT };
    let busy = |after| Answer::status(503).after(after);
    let server = Server::start(Script::first(busy(SHORT * 3)).then(busy(SHORT)).then(Fault::Ok)).await.unwrap();
    let client = quick().delay(SHORT).max_delay(SHORT).jitter(0.0).policy(hedging(SHORT * 2).with_budget(budget));
    let answer = client.timeout(LONG).build().unwrap().get(server.url()).fetch_bytes().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.attempts().count(), server.journal().complete()), (200, 3, 3));
}

#[tokio::test]
async fn a_server_that_asks_for_a_wait_has_it_from_the_hedges_too() {
    let script = Script::first(Fault::status(503).retry_after("1")).then(Fault::Ok);
    let server = Server::start(script).await.unwrap();
    // The cap is what becomes of that second; the hedge would be due at a third of it.
    let client = quick().max_delay(SHORT * 3).policy(hedging(SHORT)).build().unwrap();
    let answer = client.get(server.url()).fetch_bytes().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.attempts().count()), (200, 2));
    assert!(answer.attempts().elapsed() >= SHORT * 3, "{:?}", answer.attempts());
}

#[tokio::test]
async fn only_requests_that_may_be_repeated_race() {
    // Method, declared idempotent, sends.
    for (method, declared, sends) in [(Method::GET, false, 2), (Method::POST, false, 1), (Method::POST, true, 2)] {
        let server = Server::start(Script::first(Answer::ok().after(SHORT * 3)).then(Fault::Ok)).await.unwrap();
        let request = client(hedging(SHORT)).request(method.clone(), server.url()).body("x");
        let request = if declared { request.idempotent() } else { request };
        request.fetch_bytes().await.unwrap();
        assert_eq!(server.journal().recorded(), sends, "{method}, declared: {declared}");
    }
    let server = Server::start(Script::first(Answer::ok().after(SHORT * 3)).then(Fault::Ok)).await.unwrap();
    client(hedging(SHORT)).put(server.url()).body(stream_of("x")).fetch_bytes().await.unwrap();
    assert_eq!(server.journal().recorded(), 1);
}

#[tokio::test]
async fn hedges_are_paid_for_from_the_budget() {
    // Two tokens pay for one send more, and nothing gives them back.
    let budget = Budget { capacity: 2, retry_cost: 2, ..Budget::DEFAULT };
    let client = client(hedging(SHORT).with_budget(budget));
    let server = Server::start(Script::always(Fault::NeverAnswer)).await.unwrap();
    for recorded in [2, 3] {
        client.get(server.url()).timeout(SHORT * 4).fetch_bytes().await.unwrap_err();
        assert_eq!(server.journal().recorded(), recorded);
    }
}

#[tokio::test]
async fn a_body_that_breaks_off_loses_the_race() {
    let server = Server::start(Script::first(Fault::HalfBodyFin).then(Fault::Ok)).await.unwrap();
    let answer = client(hedging(LONG)).get(server.url()).fetch_text().await.unwrap();
    assert_eq!((answer.body().as_str(), answer.attempts().count()), ("ok", 2));
}
