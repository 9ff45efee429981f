//! Clients that know nothing of one another but the store.

use std::time::Duration;

use httpx_client::httpx_retry::Reason;
use httpx_faults::{Fault, Script, Server};

use crate::redis_server::Redis;
use crate::{half_broken, quick, retries};

#[tokio::test(flavor = "multi_thread")]
async fn successes_of_one_pay_for_retries_of_the_others() {
    let Some(redis) = Redis::start().await else { return };
    let api = half_broken().await;
    let [one, other] = [(); 2].map(|()| quick(&redis.url()).build().unwrap());
    let (good, bad) = (api.url_at("/good"), api.url_at("/bad"));
    assert_eq!(retries(&one, &bad, 60).await, 100);
    assert_eq!(retries(&other, &bad, 60).await, 0);
    assert_eq!(retries(&one, &good, 200).await, 0);
    // Successes are told together, once a second.
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(retries(&other, &bad, 60).await, 200 / 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_has_collected_it_may_spend_at_once() {
    let Some(redis) = Redis::start().await else { return };
    let api = half_broken().await;
    let client = quick(&redis.url()).build().unwrap();
    assert_eq!(retries(&client, &api.url_at("/bad"), 60).await, 100);
    assert_eq!(retries(&client, &api.url_at("/good"), 100).await, 0);
    assert_eq!(retries(&client, &api.url_at("/bad"), 60).await, 100 / 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn other_origins_and_other_budgets_have_buckets_of_their_own() {
    let Some(redis) = Redis::start().await else { return };
    let [one, other] = [half_broken().await, half_broken().await];
    let [client, fellow] = [(); 2].map(|()| quick(&redis.url()).build().unwrap());
    assert_eq!(retries(&client, &one.url_at("/bad"), 60).await, 100);
    assert_eq!(retries(&fellow, &other.url_at("/bad"), 60).await, 100);
    let own = httpx_client::BudgetSetting::Tokens { capacity: 20, retry_cost: 5, timeout_cost: 5, first_success: 0 };
    let own = quick(&redis.url()).budget(own).build().unwrap();
    assert_eq!(retries(&own, &one.url_at("/bad"), 60).await, 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_dropped_while_it_waits_gives_back_what_it_paid() {
    let Some(redis) = Redis::start().await else { return };
    let api = half_broken().await;
    let patient = quick(&redis.url()).delay(Duration::from_secs(60)).max_delay(Duration::from_secs(60));
    let patient = patient.build().unwrap();
    let calls = [(); 50].map(|()| tokio::spawn(patient.get(api.url_at("/bad")).fetch_bytes()));
    while api.journal().complete() < 50 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // Each has had its answer, and by now has paid.
    tokio::time::sleep(Duration::from_secs(2)).await;
    for call in calls {
        call.abort();
        assert!(call.await.unwrap_err().is_cancelled());
    }
    tokio::time::sleep(Duration::from_secs(5)).await;
    let fellow = quick(&redis.url()).build().unwrap();
    assert_eq!(retries(&fellow, &api.url_at("/bad"), 60).await, 100);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_asked_one_to_stay_away_is_left_alone_by_all() {
    let Some(redis) = Redis::start().await else { return };
    let api = Server::start(Script::by_request(|request| match &*request.path {
        "/asks" => Fault::status(503).header("retry-after", "25").into(),
        _ => Fault::ResetAfterRequest,
    }));
    let api = api.await.unwrap();
    let [one, other, free] = [(); 3].map(|()| quick(&redis.url()));
    // None waits: the deadline would pass meanwhile.
    let soon = |client: httpx_client::ClientBuilder| client.deadline(Duration::from_secs(15)).build().unwrap();
    let (one, other) = (soon(one), soon(other));
    let before = other.get(api.url_at("/resets")).fetch_bytes().await.unwrap_err();
    assert_eq!((attempts(&before).count(), attempts(&before).stop_reason()), (5, &Reason::AttemptsExhausted));
    let asked = one.get(api.url_at("/asks")).fetch_bytes().await.unwrap();
    assert_eq!((asked.attempts().count(), asked.attempts().stop_reason()), (1, &Reason::Deadline));
    let after = other.get(api.url_at("/resets")).fetch_bytes().await.unwrap_err();
    assert_eq!((attempts(&after).count(), attempts(&after).stop_reason()), (1, &Reason::Deadline));
    // Nobody paid for a retry that was not made, and who does not listen to servers is not held up by what they say.
    let free = free.retry_after(httpx_client::RetryAfterSetting::Ignore).build().unwrap();
    tokio::time::sleep(Duration::from_secs(5)).await;
    let resets = (0..60).map(|_| tokio::spawn(free.get(api.url_at("/resets")).fetch_bytes()));
    let retries = futures_util::future::join_all(resets).await.into_iter();
    let retries: usize = retries.map(|ended| attempts(&ended.unwrap().unwrap_err()).count() - 1).sum();
    assert_eq!(retries, 100 - 4);
}

fn attempts(error: &httpx_client::Error) -> &httpx_client::Attempts {
    error.attempts().unwrap()
}
