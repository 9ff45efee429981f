//! The layer for services of tower: the policy decides, the layer only does as told. Time is paused.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::convert::Infallible;
use std::future::{Ready, ready};
use std::io;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use http::{Method, Request, Response};
use httpx_retry::{Failure, FailureKind, Phase, Policy, RetryLayer, Rule, Sent};
use tokio::time::Instant;
use tower_layer::Layer as _;
use tower_service::Service;

/// What a server of the tests does.
#[derive(Clone, Copy)]
enum Does {
    Answer(u16),
    /// With this `Retry-After`.
    Later(u16, &'static str),
    Refuse,
    TimeOut,
}

/// A service that does these things in turn, the last one for ever, and notes what it was asked.
#[derive(Clone)]
struct Scripted {
    script: &'static [Does],
    asked: Arc<Mutex<Vec<Request<&'static str>>>>,
    is_ready: bool,
}

impl Service<Request<&'static str>> for Scripted {
    type Response = Response<&'static str>;
    type Error = io::Error;
    type Future = Ready<Result<Self::Response, io::Error>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.is_ready = true;
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<&'static str>) -> Self::Future {
        assert!(std::mem::take(&mut self.is_ready), "called before it said that it is ready");
        let mut asked = self.asked.lock().unwrap();
        let does = self.script[asked.len().min(self.script.len() - 1)];
        asked.push(request);
        let answer = |status, later: Option<&str>| {
            let answer = Response::builder().status(status);
            Ok(later
                .into_iter()
                .fold(answer, |answer, later| answer.header("retry-after", later))
                .body("body")
                .unwrap())
        };
        ready(match does {
            Does::Answer(status) => answer(status, None),
            Does::Later(status, later) => answer(status, Some(later)),
            Does::Refuse => Err(io::ErrorKind::ConnectionRefused.into()),
            Does::TimeOut => Err(io::ErrorKind::TimedOut.into()),
        })
    }
}

fn classify(error: &io::Error) -> (Failure, Sent) {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => (Failure { kind: FailureKind::Refused, phase: Phase::Connect }, Sent::No),
        _ => (Failure { kind: FailureKind::RequestTimeout, phase: Phase::Answer }, Sent::Maybe),
    }
}

/// What a POST came to: its status or kind of error, how often it was sent, and how long it took.
async fn post(policy: Policy, script: &'static [Does]) -> (Result<u16, io::ErrorKind>, usize, Duration) {
    let service = Scripted { script, asked: Arc::default(), is_ready: false };
    let asked = Arc::clone(&service.asked);
    let mut service = RetryLayer::new(policy, classify).layer(service);
    let request = Request::builder().method(Method::POST).uri("http://h/p").header("x-kept", "1").body("sent").unwrap();
    let began = Instant::now();
    std::future::poll_fn(|cx| service.poll_ready(cx)).await.unwrap();
    let ended = service.call(request).await;
    let asked = asked.lock().unwrap();
    let is_whole = |request: &Request<&str>| *request.body() == "sent" && request.headers()["x-kept"] == "1";
    assert!(asked.iter().all(is_whole), "{asked:?}");
    (ended.map(|answer| answer.status().as_u16()).map_err(|error| error.kind()), asked.len(), began.elapsed())
}

fn steady() -> Policy {
    Policy::default().with_backoffs(|backoff| backoff.with_jitter(httpx_retry::Jitter::None))
}

/// Script, end, sends, milliseconds.
type Row = (&'static [Does], Result<u16, io::ErrorKind>, usize, u64);

#[tokio::test(start_paused = true)]
async fn the_default_rule_decides() {
    use Does::{Answer, Later, Refuse, TimeOut};
    let rows: [Row; 7] = [
        (&[Answer(200)], Ok(200), 1, 0),
        (&[Answer(404)], Ok(404), 1, 0),
        (&[Answer(503), Answer(429), Answer(200)], Ok(200), 3, 1_500),
        (&[Answer(503)], Ok(503), 5, 7_500),
        (&[Later(503, "7"), Answer(200)], Ok(200), 2, 7_000),
        (&[Refuse, Answer(200)], Ok(200), 2, 500),
        // It may have been sent.
        (&[TimeOut, Answer(200)], Err(io::ErrorKind::TimedOut), 1, 0),
    ];
    for (script, ended, sends, millis) in rows {
        let (was, sent, took) = post(steady(), script).await;
        // A clock of whole milliseconds fires one later.
        let late = took.saturating_sub(Duration::from_millis(millis));
        assert_eq!((was, sent), (ended, sends));
        assert!(took >= Duration::from_millis(millis) && late < Duration::from_millis(10), "{took:?}, not {millis} ms");
    }
}

#[tokio::test(start_paused = true)]
async fn another_policy_decides_otherwise() {
    let five = NonZeroU32::new(5).unwrap();
    let rows = [
        (steady().with_rule(Rule::never()), 1),
        (steady().with_rule(Rule::any_io_error()), 5),
        (steady().with_max_attempts(NonZeroU32::new(2).unwrap()).with_rule(Rule::any_io_error()), 2),
        (steady().with_rule(Rule::any_io_error()).with_deadline(Duration::from_secs(1)), 2),
        (Policy::bare(Rule::idempotent_only(), five), 1),
    ];
    for (policy, sends) in rows {
        assert_eq!(post(policy.clone(), &[Does::TimeOut]).await.1, sends, "{policy:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn services_of_one_layer_share_a_budget_and_a_storm_ends() {
    let service = Scripted { script: &[Does::Answer(503)], asked: Arc::default(), is_ready: false };
    let asked = Arc::clone(&service.asked);
    let layer = RetryLayer::new(steady(), classify);
    for _ in 0..200 {
        let mut service = layer.layer(service.clone());
        std::future::poll_fn(|cx| service.poll_ready(cx)).await.unwrap();
        service.call(Request::new("")).await.unwrap();
    }
    // 500 tokens, 5 a retry.
    assert_eq!(asked.lock().unwrap().len(), 200 + 100);
}

#[tokio::test(start_paused = true)]
async fn an_idempotency_key_is_seen() {
    #[derive(Clone)]
    struct Keyed(Arc<Mutex<usize>>);
    impl Service<Request<()>> for Keyed {
        type Response = Response<()>;
        type Error = Infallible;
        type Future = Ready<Result<Response<()>, Infallible>>;
        fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
            Poll::Ready(Ok(()))
        }
        fn call(&mut self, _: Request<()>) -> Self::Future {
            *self.0.lock().unwrap() += 1;
            ready(Ok(Response::builder().status(503).body(()).unwrap()))
        }
    }
    for (key, sends) in [(None, 1), (Some("k1"), 5)] {
        let count = Arc::new(Mutex::new(0));
        let policy = steady().with_rule(Rule::idempotent_only());
        let never = |error: &Infallible| -> (Failure, Sent) { match *error {} };
        let mut service = RetryLayer::new(policy, never).layer(Keyed(Arc::clone(&count)));
        let request = Request::post("http://h/");
        let request = key.into_iter().fold(request, |request, key| request.header("idempotency-key", key));
        service.call(request.body(()).unwrap()).await.unwrap();
        assert_eq!(*count.lock().unwrap(), sends, "{key:?}");
    }
}
