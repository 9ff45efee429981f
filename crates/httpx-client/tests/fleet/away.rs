//! A store that cannot be reached, and a setting that names none.

use std::fmt::Debug;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use httpx_client::Client;
use tracing::field::{Field, Visit};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};

use crate::redis_server::Redis;
use crate::{half_broken, quick, retries};

/// The messages of all events.
#[derive(Clone, Default)]
struct Messages(Arc<Mutex<Vec<String>>>);

impl Visit for Messages {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            self.0.lock().unwrap().push(format!("{value:?}"));
        }
    }
}

impl<S: tracing::Subscriber> Layer<S> for Messages {
    fn on_event(&self, event: &tracing::Event<'_>, _: Context<'_, S>) {
        event.record(&mut self.clone());
    }
}

impl Messages {
    fn count(&self, part: &str) -> usize {
        self.0.lock().unwrap().iter().filter(|message| message.contains(part)).count()
    }
}

const ALONE: &str = "retries are paid from the process's own budget";
const AGAIN: &str = "from the budget of the fleet again";

#[tokio::test]
async fn without_redis_each_goes_by_its_own_budget_and_says_so_until_redis_is_back() {
    let Some(redis) = Redis::start().await else { return };
    let (api, port, url) = (half_broken().await, redis.port, redis.url());
    let messages = Messages::default();
    let _listening = tracing::subscriber::set_default(tracing_subscriber::registry().with(messages.clone()));
    let bad = api.url_at("/bad");
    let [one, other] = [(); 2].map(|()| quick(&url).build().unwrap());
    assert_eq!((retries(&one, &bad, 60).await, retries(&other, &bad, 60).await), (100, 0));
    assert_eq!(messages.count(ALONE), 0);

    drop(redis);
    let began = Instant::now();
    assert_eq!((retries(&one, &bad, 60).await, retries(&other, &bad, 60).await), (100, 100));
    assert!(began.elapsed() < Duration::from_secs(25), "{:?}", began.elapsed());
    // Once for each client, however many calls found out.
    let said = messages.count(ALONE);
    assert!((2..10).contains(&said), "said {said} times");

    let Some(_redis) = Redis::start_at(port).await else { return };
    let patience = Instant::now() + Duration::from_secs(60);
    while messages.count(AGAIN) == 0 {
        assert!(Instant::now() < patience, "the client never came back to its fleet");
        retries(&one, &bad, 1).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // The bucket of a new Redis is full.
    assert!(retries(&one, &bad, 60).await > 90);
}

#[tokio::test]
async fn a_redis_that_never_answers_holds_no_call_up_beyond_its_deadline() {
    let hole = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let api = half_broken().await;
    let client = quick(&format!("redis://{}/", hole.local_addr().unwrap())).deadline(Duration::from_millis(300));
    let client = client.build().unwrap();
    let began = Instant::now();
    let failed = client.get(api.url_at("/bad")).fetch_bytes().await.unwrap_err();
    assert!(failed.to_string().contains("deadline"), "{failed}");
    assert!(began.elapsed() < Duration::from_secs(2), "{:?}", began.elapsed());
}

#[test]
fn a_url_that_is_none_is_refused_without_being_told() {
    let told = Client::builder().fleet("http://u:s3cret@example.test").build().unwrap_err().to_string();
    assert_eq!(told, "fleet: the store failed: Redis: invalid client config; write it as redis://host:6379/0");
    let builder = Client::builder().fleet("redis://u:s3cret@example.test");
    assert!(!format!("{builder:?} {:?}", builder.config()).contains("s3cret"));
}
