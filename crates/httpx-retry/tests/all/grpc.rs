//! gRPC: the rows of `SURVEY.md` §2 as far as a pure decision can show them.
//!
//! Where C-core differs from the others (a stream that is refused), this follows grpc-js and grpc-java.

use std::num::NonZeroU32;

use http::{HeaderMap, HeaderValue, Method, StatusCode};
use httpx_retry::{
    Attempt, Budget, Connection, Failure, FailureKind, GrpcPolicy, GrpcRetry, GrpcStatus, GrpcThrottling, Hedging,
    History, Idempotency, Outcome, Phase, Policy, Reason, Replay, Request, Sample, Sent, Step,
};

use crate::told::{AT_ONCE, ms, n};

/// How an attempt ends.
#[derive(Clone, Copy)]
enum End {
    Answer(u16, &'static [(&'static str, &'static str)]),
    Failure(FailureKind, Phase, Sent),
}

use End::{Answer, Failure as Fails};

const UNAVAILABLE: End = Answer(200, &[("grpc-status", "14")]);
const OK: End = Answer(200, &[]);

fn retry() -> GrpcRetry {
    GrpcRetry {
        max_attempts: n(4),
        initial_backoff: ms(100),
        max_backoff: ms(300),
        backoff_multiplier: 2.0,
        codes: vec![GrpcStatus::UNAVAILABLE],
    }
}

fn with_retry(retry: GrpcRetry) -> Policy {
    GrpcPolicy { retry: Some(retry), ..GrpcPolicy::default() }.policy()
}

/// A call whose attempts end so, the last end for ever: the waits, and why it stopped.
fn call(policy: &Policy, ends: &[End], bucket: &mut httpx_retry::Bucket) -> (Vec<u64>, Reason) {
    let (mut history, mut waits) = (History::start(*bucket), Vec::new());
    loop {
        let number = NonZeroU32::MIN.saturating_add(u32::try_from(waits.len()).expect("few"));
        let end = ends[waits.len().min(ends.len() - 1)];
        let mut headers = HeaderMap::new();
        let (outcome, sent) = match end {
            Answer(status, fields) => {
                headers.extend(
                    fields
                        .iter()
                        .map(|(name, value)| (http::HeaderName::from_static(name), HeaderValue::from_static(value))),
                );
                let status = StatusCode::from_u16(status).expect("a status");
                (Outcome::Answer { status, transient: false, headers: &headers }, Sent::Maybe)
            }
            Fails(kind, phase, sent) => (Outcome::Failure(Failure { kind, phase }), sent),
        };
        let request = Request {
            method: &Method::POST,
            url: "http://a/",
            idempotency: Idempotency::Method,
            replay: Replay::Possible,
            timeout: None,
        };
        let attempt = Attempt { request, outcome, sent, number, connection: Connection::Unknown };
        let step = policy.next_step(&history, &attempt, AT_ONCE, Sample::MIDDLE);
        history.bucket = step.apply(history.bucket, policy);
        *bucket = history.bucket;
        if policy.restarts_backoff(&attempt) {
            history.backoff_from = number.get();
        }
        match step {
            Step::Retry { wait, .. } => waits.push(u64::try_from(wait.as_millis()).expect("short")),
            Step::Stop { reason, .. } => return (waits, reason),
        }
    }
}

fn sends(policy: &Policy, ends: &[End]) -> usize {
    call(policy, ends, &mut Budget::DEFAULT.bucket()).0.len() + 1
}

#[test]
fn streams_seen_without_a_service_config_and_with_a_retry_policy_of_four() {
    use FailureKind::{
        Closed, ConnectTimeout, GoAway, Refused, Reset, StreamRefused, StreamReset, Truncated, UnknownHost,
    };
    let lost = |kind| Fails(kind, Phase::Answer, Sent::Maybe);
    let refused = Fails(StreamRefused, Phase::Answer, Sent::NotProcessed);
    let rows: &[(&str, &[End], usize, usize)] = &[
        ("refuse", &[Fails(Refused, Phase::Connect, Sent::No)], 1, 1),
        ("blackhole", &[Fails(ConnectTimeout, Phase::Connect, Sent::No)], 1, 1),
        ("nxdomain", &[Fails(UnknownHost, Phase::Resolve, Sent::No)], 1, 1),
        ("accept_close", &[Fails(Closed, Phase::Answer, Sent::No)], 1, 1),
        ("read_rst", &[lost(Reset)], 1, 4),
        ("read_fin", &[lost(Closed)], 1, 4),
        ("read_fin_once_then_ok", &[lost(Closed), OK], 1, 2),
        ("stall", &[lost(FailureKind::Deadline)], 1, 1),
        ("unavailable", &[UNAVAILABLE], 1, 4),
        ("unavailable_once_then_ok", &[UNAVAILABLE, OK], 1, 2),
        ("unavailable_pushback700", &[Answer(200, &[("grpc-status", "14"), ("grpc-retry-pushback-ms", "700")])], 1, 4),
        ("unavailable_pushback-1", &[Answer(200, &[("grpc-status", "14"), ("grpc-retry-pushback-ms", "-1")])], 1, 1),
        ("resource_exhausted", &[Answer(200, &[("grpc-status", "8")])], 1, 1),
        ("internal", &[Answer(200, &[("grpc-status", "13")])], 1, 1),
        ("http503", &[Answer(503, &[])], 1, 4),
        ("http429", &[Answer(429, &[])], 1, 4),
        ("rst_refused", &[refused], 2, 5),
        ("rst_refused_once", &[refused, OK], 2, 2),
        ("rst_internal", &[lost(StreamReset)], 1, 1),
        ("goaway_unprocessed", &[Fails(GoAway, Phase::Answer, Sent::NotProcessed)], 2, 5),
        ("goaway_processed", &[lost(Closed)], 1, 4),
        ("headers_then_unavailable", &[OK], 1, 1),
        ("headers_then_fin", &[Fails(Truncated, Phase::Body, Sent::Maybe)], 1, 1),
    ];
    let (plain, retrying) = (GrpcPolicy::without_service_config().policy(), with_retry(retry()));
    for (name, ends, without, with) in rows {
        assert_eq!((sends(&plain, ends), sends(&retrying, ends)), (*without, *with), "{name}");
    }
}

#[test]
fn more_than_five_attempts_are_five() {
    for (asked, made) in [(2, 2), (5, 5), (6, 5), (100, 5)] {
        assert_eq!(sends(&with_retry(GrpcRetry { max_attempts: n(asked), ..retry() }), &[UNAVAILABLE]), made);
    }
    let hedging = GrpcPolicy { hedging: Some(Hedging::new(ms(50), n(9))), ..GrpcPolicy::default() }.policy().hedging();
    assert_eq!(hedging.map(|hedging| hedging.max_attempts()), Some(n(5)));
}

#[test]
fn waits_grow_to_the_longest_and_are_varied_by_a_fifth_there_too() {
    let policy = with_retry(GrpcRetry { max_attempts: n(5), ..retry() });
    assert_eq!(call(&policy, &[UNAVAILABLE], &mut Budget::DEFAULT.bucket()).0, [100, 200, 300, 300]);
    let longest = policy.backoff().wait(n(4), Sample::HIGHEST);
    assert!(longest > ms(359) && longest <= ms(360), "{longest:?}");
    assert_eq!(policy.backoff().wait(n(1), Sample::LOWEST), ms(80));
}

#[test]
fn a_pushback_is_the_exact_wait_and_begins_the_backoff_anew() {
    let pushed = Answer(200, &[("grpc-status", "14"), ("grpc-retry-pushback-ms", "7")]);
    let policy = with_retry(GrpcRetry { max_attempts: n(5), ..retry() });
    let waits = |ends: &[End]| call(&policy, ends, &mut Budget::DEFAULT.bucket()).0;
    assert_eq!(waits(&[UNAVAILABLE, UNAVAILABLE, pushed, UNAVAILABLE]), [100, 200, 7, 100]);
    assert_eq!(waits(&[pushed, UNAVAILABLE]), [7, 100, 200, 300]);
    let silly = Answer(200, &[("grpc-status", "14"), ("grpc-retry-pushback-ms", "soon")]);
    assert_eq!(call(&policy, &[silly], &mut Budget::DEFAULT.bucket()).1, Reason::PushedBack);
}

#[test]
fn four_tokens_are_two_attempts_and_successes_bring_them_back() {
    let throttling = GrpcThrottling { max_tokens: 4, token_ratio_thousandths: 500 };
    let policy = GrpcPolicy { retry: Some(retry()), throttling: Some(throttling), ..GrpcPolicy::default() }.policy();
    let mut bucket = policy.budget().expect("a throttling").bucket();
    let (waits, reason) = call(&policy, &[UNAVAILABLE], &mut bucket);
    assert_eq!((waits.len() + 1, reason, bucket.tokens()), (2, Reason::BudgetEmpty, 2000));
    // The next failure is charged, though nothing is retried, and then the bucket is as low as it goes.
    for left in [1000, 0, 0] {
        assert_eq!(call(&policy, &[UNAVAILABLE], &mut bucket).0.len(), 0);
        assert_eq!(bucket.tokens(), left);
    }
    // A failure that is not retryable neither takes nor gives.
    call(&policy, &[Answer(200, &[("grpc-status", "8")])], &mut bucket);
    assert_eq!(bucket.tokens(), 0);
    for tokens in [500, 1000, 1500, 2000, 2500, 3000] {
        assert_eq!(call(&policy, &[OK], &mut bucket), (Vec::new(), Reason::FinalAnswer));
        assert_eq!(bucket.tokens(), tokens);
    }
    // Three tokens: one failure leaves two, and two are no more than half.
    assert_eq!(call(&policy, &[UNAVAILABLE], &mut bucket).0.len(), 0);
}

#[test]
fn hedged_sends_leave_one_delay_apart() {
    let hedging = Hedging::new(ms(500), n(3));
    let leaving: Vec<_> = (1..=4).map(|attempt| hedging.send_at(n(attempt))).collect();
    assert_eq!(leaving, [Some(ms(0)), Some(ms(500)), Some(ms(1000)), None]);
}

#[cfg(feature = "grpc")]
#[test]
fn a_service_config_is_read_as_it_is_written() {
    let json = r#"{
        "methodConfig": [
            {"name": [{}], "timeout": "1s"},
            {"name": [{"service": "jobs.Jobs"}], "retryPolicy": {"maxAttempts": 4, "initialBackoff": "0.1s",
              "maxBackoff": "0.3s", "backoffMultiplier": 2, "retryableStatusCodes": ["UNAVAILABLE"]}},
            {"name": [{"service": "jobs.Jobs", "method": "Get"}], "hedgingPolicy": {"maxAttempts": 3,
              "hedgingDelay": "0.5s", "nonFatalStatusCodes": ["UNAVAILABLE"]}}
        ],
        "retryThrottling": {"maxTokens": 4, "tokenRatio": 0.5}
    }"#;
    let of = |service, method| GrpcPolicy::from_service_config(json, service, method).expect("it is right");
    let throttling = Some(GrpcThrottling { max_tokens: 4, token_ratio_thousandths: 500 });
    assert_eq!(of("jobs.Jobs", "Put"), GrpcPolicy { retry: Some(retry()), hedging: None, throttling });
    let hedging = Some(Hedging::new(ms(500), n(3)));
    assert_eq!(of("jobs.Jobs", "Get"), GrpcPolicy { retry: None, hedging, throttling });
    assert_eq!(of("other", "Get"), GrpcPolicy { retry: None, hedging: None, throttling });
}

#[cfg(feature = "grpc")]
#[test]
fn a_wrong_service_config_is_refused_with_what_would_be_right() {
    let policy = |inner: &str| format!(r#"{{"methodConfig": [{{"name": [{{}}], "retryPolicy": {{{inner}}}}}]}}"#);
    let right = r#""initialBackoff": "1s", "maxBackoff": "1s", "backoffMultiplier": 1, "retryableStatusCodes": [14]"#;
    let rows = [
        ("{".to_owned(), "service config: the text must be JSON"),
        (
            policy(&format!(r#""maxAttempts": 1, {right}"#)),
            "service config: maxAttempts must be a whole number above 1",
        ),
        (
            policy(r#""maxAttempts": 2, "retryableStatusCodes": []"#),
            "service config: retryableStatusCodes must be a list with at least one code",
        ),
        (
            policy(r#""maxAttempts": 2, "retryableStatusCodes": ["BUSY"]"#),
            "service config: retryableStatusCodes must be a list of codes such as \"UNAVAILABLE\"",
        ),
        (
            policy(r#""maxAttempts": 2, "retryableStatusCodes": [14], "initialBackoff": 1"#),
            "service config: initialBackoff must be a duration such as \"0.1s\"",
        ),
        (
            r#"{"retryThrottling": {"maxTokens": 0, "tokenRatio": 1}}"#.to_owned(),
            "service config: retryThrottling must be a maxTokens from 1 to 1000 and a tokenRatio above 0",
        ),
    ];
    for (json, told) in rows {
        let error = GrpcPolicy::from_service_config(&json, "a", "b").expect_err(&json);
        assert_eq!(error.to_string(), told, "{json}");
    }
}
