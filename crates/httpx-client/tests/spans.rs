//! Tracing: one span an attempt. Alone in its binary, since a subscriber sees the spans of its own thread only.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use httpx_client::ClientBuilder;
use httpx_client::httpx_retry::{Hedging, Policy};
use httpx_faults::{Fault, Script, Server};
use tracing::field::{Field, Visit};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};

/// Collects what a span and its events record.
struct Recorder(Arc<Mutex<Vec<String>>>);

struct Words<'a>(&'a mut Vec<String>);

impl Visit for Words<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.0.push(format!("{}={value:?}", field.name()));
    }
}

impl<S: tracing::Subscriber> Layer<S> for Recorder {
    fn on_new_span(&self, span: &tracing::span::Attributes<'_>, _: &tracing::span::Id, _: Context<'_, S>) {
        if span.metadata().name() == "http.attempt" {
            span.record(&mut Words(&mut self.0.lock().unwrap()));
        }
    }

    fn on_event(&self, event: &tracing::Event<'_>, _: Context<'_, S>) {
        if event.metadata().target().starts_with("httpx") {
            event.record(&mut Words(&mut self.0.lock().unwrap()));
        }
    }

    fn on_record(&self, _: &tracing::span::Id, values: &tracing::span::Record<'_>, _: Context<'_, S>) {
        values.record(&mut Words(&mut self.0.lock().unwrap()));
    }
}

#[tokio::test]
async fn there_is_a_span_for_each_send_and_no_other() {
    let hedging = Hedging::new(Duration::from_secs(10), 2.try_into().unwrap());
    for policy in [Policy::default(), Policy::default().with_hedging(hedging)] {
        let words = Arc::new(Mutex::new(Vec::new()));
        let subscriber = tracing_subscriber::registry().with(Recorder(Arc::clone(&words)));
        let _guard = tracing::subscriber::set_default(subscriber);
        let server = Server::start(Script::first(Fault::status(503)).then(Fault::status(404))).await.unwrap();
        let client = ClientBuilder::new().policy(policy).delay(Duration::ZERO).build().unwrap();
        let answer = client.get(server.url()).send().await.unwrap();
        let words = words.lock().unwrap();
        let spans = words.iter().filter(|word| word.starts_with("http.request.resend_count="));
        assert_eq!(spans.count(), answer.attempts().count(), "{words:#?}");
    }
}

#[tokio::test]
async fn spans_carry_the_names_of_opentelemetry_and_no_secret() {
    let words = Arc::new(Mutex::new(Vec::new()));
    let subscriber = tracing_subscriber::registry().with(Recorder(Arc::clone(&words)));
    let _guard = tracing::subscriber::set_default(subscriber);
    let unreadable = Fault::status(503).retry_after("soon");
    let script = Script::first(Fault::ResetAfterRequest).then(unreadable).then(Fault::status(404));
    let server = Server::start(script).await.unwrap();
    let client = ClientBuilder::new().delay(Duration::ZERO).build().unwrap();
    client.get(server.url_at("/x?s3cret")).header("authorization", "s3cret").fetch_bytes().await.unwrap();
    let words = words.lock().unwrap().clone();
    let port = format!("server.port={}", server.address().port());
    for expected in [
        "http.request.method=GET",
        "server.address=\"127.0.0.1\"",
        &port,
        "http.request.resend_count=0",
        "error.type=\"reset\"",
        "http.request.resend_count=1",
        "http.response.status_code=404",
        "message=retrying",
        "message=Retry-After is neither seconds nor a date, and is ignored",
        "value=Some(\"soon\")",
    ] {
        assert!(words.iter().any(|word| word == expected), "{expected} is missing: {words:#?}");
    }
    assert!(!words.concat().contains("s3cret"), "{words:#?}");
}
