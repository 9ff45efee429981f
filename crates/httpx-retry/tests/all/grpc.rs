//! gRPC: the rows of `SURVEY.md` §2 as far as a pure decision can show them.
//!
//! Where C-core differs from the others (a stream that is refused), this follows grpc-js and grpc-java.

use std::num::NonZeroU32;
use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use httpx_retry::{
    Attempt, Budget, Connection, DeadlineField, Failure, FailureKind, GrpcHedging, GrpcPolicy, GrpcRetry, GrpcStatus,
    GrpcThrottling, History, Idempotency, Outcome, Phase, Policy, Reason, Replay, Request, Sample, Sent, Step,
    Uncounted,
};

use crate::told::{AT_ONCE, fresh, ms, n, secs, status};

const GRPC_STATUS: HeaderName = HeaderName::from_static("grpc-status");
const PUSHBACK: HeaderName = HeaderName::from_static("grpc-retry-pushback-ms");

/// How an attempt ends.
#[derive(Clone, Copy)]
enum End {
    Answer(u16, &'static [(&'static str, &'static str)]),
    Failure(FailureKind, Phase, Sent),
    /// On a connection that had carried a request before.
    Stale(FailureKind, Sent),
}

use End::{Answer, Failure as Fails, Stale};

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
    let (mut history, mut waits, mut uncounted) = (History::start(*bucket), Vec::new(), Uncounted::default());
    loop {
        let number = NonZeroU32::MIN.saturating_add(u32::try_from(waits.len()).expect("few"));
        let end = ends[waits.len().min(ends.len() - 1)];
        let mut headers = HeaderMap::new();
        let (outcome, sent) = match end {
            Answer(status, fields) => {
                headers.extend(
                    fields.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value))),
                );
                let status = StatusCode::from_u16(status).expect("a status");
                (Outcome::Answer { status, transient: false, headers: &headers }, Sent::Maybe)
            }
            Fails(kind, phase, sent) => (Outcome::Failure(Failure { kind, phase }), sent),
            Stale(kind, sent) => (Outcome::Failure(Failure { kind, phase: Phase::Answer }), sent),
        };
        let connection = if matches!(end, Stale(..)) { Connection::Reused } else { Connection::Fresh };
        let request = Request {
            method: &Method::POST,
            url: "http://a/",
            idempotency: Idempotency::Method,
            replay: Replay::Possible,
            timeout: None,
        };
        let attempt = Attempt { request, outcome, sent, number, uncounted, connection };
        let step = policy.next_step(&history, &attempt, AT_ONCE, Sample::MIDDLE);
        history.bucket = step.apply(history.bucket, policy);
        *bucket = history.bucket;
        if policy.restarts_backoff(&attempt) {
            history.backoff_from = attempt.counted().get();
        }
        if policy.verdict(&attempt).is_uncounted() {
            uncounted = uncounted.and(sent);
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
    let hedging = GrpcHedging { max_attempts: n(9), delay: ms(50), non_fatal: Vec::new() };
    let hedging = GrpcPolicy { hedging: Some(hedging), ..GrpcPolicy::default() }.policy().hedging();
    assert_eq!(hedging.map(|hedging| hedging.max_attempts()), Some(n(5)));
}

#[test]
fn waits_grow_to_the_longest_and_are_varied_by_a_fifth_there_too() {
    let policy = with_retry(GrpcRetry { max_attempts: n(5), ..retry() });
    assert_eq!(call(&policy, &[UNAVAILABLE], &mut Budget::DEFAULT.bucket()).0, [100, 200, 300, 300]);
    for (retry, shortest, longest) in [(1, 80, 120), (2, 160, 240), (4, 240, 360), (9, 240, 360)] {
        let samples = (0..10_000).map(|at| Sample::from_bits(u64::MAX / 10_000 * at));
        let waits: Vec<_> = samples.map(|sample| policy.backoff().wait(n(retry), sample)).collect();
        let (least, most) = (waits.iter().min().expect("some"), waits.iter().max().expect("some"));
        assert!(*least == ms(shortest) && *most <= ms(longest) && *most > ms(longest - 1), "{least:?} to {most:?}");
    }
}

#[test]
fn a_pushback_is_the_exact_wait_and_begins_the_backoff_anew() {
    let pushed = Answer(200, &[("grpc-status", "14"), ("grpc-retry-pushback-ms", "7")]);
    let policy = with_retry(GrpcRetry { max_attempts: n(5), ..retry() });
    let waits = |ends: &[End]| call(&policy, ends, &mut Budget::DEFAULT.bucket()).0;
    assert_eq!(waits(&[UNAVAILABLE, UNAVAILABLE, pushed, UNAVAILABLE]), [100, 200, 7, 100]);
    assert_eq!(waits(&[pushed, UNAVAILABLE]), [7, 100, 200, 300]);
}

#[test]
fn a_pushback_is_digits_of_32_bits_and_one_line_that_is_not_stops_the_call() {
    // The lines of the first answer, and what follows: the wait, or the end.
    let rows: &[(&[&str], Option<u64>)] = &[
        (&["0"], Some(0)),
        (&["7"], Some(7)),
        (&[" 7 "], Some(7)),
        (&["2147483647"], Some(2_147_483_647)),
        (&["2147483648"], None),
        (&["18446744073709551616"], None),
        (&["+7"], None),
        (&["-1"], None),
        (&["7.0"], None),
        (&[""], None),
        (&["soon"], None),
        (&["3", "-1"], None),
        (&["-1", "3"], None),
        (&["3", "soon"], None),
        (&["3", "5"], Some(5)),
    ];
    let policy = with_retry(retry());
    for (lines, wait) in rows {
        let headers =
            lines.iter().fold(status(200).header(GRPC_STATUS, "14"), |told, line| told.header(PUSHBACK, line));
        let step = policy.next_step(&fresh(), &headers.attempt(), AT_ONCE, Sample::MIDDLE);
        let waited = match step {
            Step::Retry { wait, .. } => Some(wait),
            Step::Stop { reason, .. } => {
                assert_eq!(reason, Reason::PushedBack, "{lines:?}");
                None
            }
        };
        assert_eq!(waited, wait.map(ms), "{lines:?}");
    }
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
fn what_never_left_is_sent_again_as_often_as_it_takes_and_what_was_not_processed_once() {
    use FailureKind::{Closed, ConnectAbandoned, GoAway, StreamRefused};
    let refused = Fails(StreamRefused, Phase::Answer, Sent::NotProcessed);
    let excluded = Fails(GoAway, Phase::Answer, Sent::NotProcessed);
    let unsent = Stale(Closed, Sent::No);
    let abandoned = Fails(ConnectAbandoned, Phase::Connect, Sent::No);
    let plain = GrpcPolicy::without_service_config().policy();
    let policy = with_retry(retry());
    // Policy, how the sends end (the last one for ever), the waits before the following ones.
    let rows: &[(&Policy, &[End], &[u64])] = &[
        (&plain, &[unsent, unsent, abandoned, unsent, unsent, unsent, unsent, OK], &[0; 7]),
        // Each kind for itself, in any order.
        (&plain, &[unsent, refused, unsent, OK], &[0, 0, 0]),
        (&plain, &[refused, unsent, excluded, OK], &[0, 0]),
        // Four count, the one that was refused does not: the back-off knows nothing of it.
        (&policy, &[refused, UNAVAILABLE], &[0, 100, 200, 300]),
        (&policy, &[UNAVAILABLE, refused, UNAVAILABLE], &[100, 0, 200, 300]),
        (&policy, &[refused, excluded, UNAVAILABLE], &[0, 100, 200, 300]),
        (&policy, &[unsent, unsent, unsent, UNAVAILABLE], &[0, 0, 0, 100, 200, 300]),
    ];
    for (at, (policy, ends, waits)) in rows.iter().enumerate() {
        assert_eq!(call(policy, ends, &mut Budget::DEFAULT.bucket()).0, *waits, "row {at}");
    }
}

#[test]
fn transparent_retries_take_no_token() {
    let refused = Fails(FailureKind::StreamRefused, Phase::Answer, Sent::NotProcessed);
    let throttling = Some(GrpcThrottling { max_tokens: 4, token_ratio_thousandths: 1 });
    let policy = GrpcPolicy { retry: Some(retry()), throttling, ..GrpcPolicy::default() }.policy();
    let mut bucket = policy.budget().expect("a throttling").bucket().drain(2000);
    // At half of the tokens retries cease, and this is none.
    assert_eq!(call(&policy, &[refused, OK], &mut bucket), (vec![0], Reason::FinalAnswer));
    assert_eq!(bucket.tokens(), 2001);
}

#[test]
fn a_stream_that_is_reset_counts_as_internal() {
    let reset = Fails(FailureKind::StreamReset, Phase::Answer, Sent::Maybe);
    let internal = with_retry(GrpcRetry { codes: vec![GrpcStatus::INTERNAL], ..retry() });
    let lost = Fails(FailureKind::Closed, Phase::Answer, Sent::Maybe);
    assert_eq!((sends(&internal, &[reset]), sends(&internal, &[lost])), (4, 1));
}

#[test]
fn a_hedging_policy_goes_on_after_the_codes_that_are_not_fatal_and_ends_after_all_others() {
    let hedging = GrpcHedging { max_attempts: n(3), delay: ms(500), non_fatal: vec![GrpcStatus::UNAVAILABLE] };
    let policy = GrpcPolicy { hedging: Some(hedging), ..GrpcPolicy::default() }.policy();
    let rows: &[(&[End], &[u64])] = &[
        (&[UNAVAILABLE], &[0, 0]),
        (&[Fails(FailureKind::Closed, Phase::Answer, Sent::Maybe)], &[0, 0]),
        (&[Answer(200, &[("grpc-status", "14"), ("grpc-retry-pushback-ms", "7")])], &[7, 7]),
        (&[Answer(200, &[("grpc-status", "14"), ("grpc-retry-pushback-ms", "-1")])], &[]),
        (&[Answer(200, &[("grpc-status", "8")])], &[]),
    ];
    for (at, (ends, waits)) in rows.iter().enumerate() {
        assert_eq!(call(&policy, ends, &mut Budget::DEFAULT.bucket()).0, *waits, "row {at}");
    }
    let everything_is_fatal = GrpcHedging { max_attempts: n(3), delay: ms(500), non_fatal: Vec::new() };
    let policy = GrpcPolicy { hedging: Some(everything_is_fatal), ..GrpcPolicy::default() }.policy();
    assert_eq!(sends(&policy, &[UNAVAILABLE]), 1);
}

#[test]
fn the_time_that_is_left_is_told_in_eight_digits_and_a_unit() {
    let rows = [
        (ms(2_500), "2500m"),
        (ms(1), "1m"),
        // Rounded up; zero is not allowed.
        (Duration::from_nanos(1), "1m"),
        (Duration::ZERO, "1m"),
        (Duration::from_micros(2_409_001), "2410m"),
        (ms(99_999_999), "99999999m"),
        (ms(100_000_000), "100000S"),
        (ms(100_000_001), "100001S"),
        (secs(99_999_999), "99999999S"),
        (secs(100_000_000), "1666667M"),
        (secs(60 * 99_999_999), "99999999M"),
        (secs(60 * 100_000_000), "1666667H"),
        (Duration::MAX, "99999999H"),
    ];
    for (left, told) in rows {
        assert_eq!(DeadlineField::GrpcTimeout.value(left), told, "{left:?}");
    }
    assert_eq!(DeadlineField::GrpcTimeout.name(), "grpc-timeout");
    assert_eq!(GrpcPolicy::default().policy().deadline_field(), Some(DeadlineField::GrpcTimeout));
    assert_eq!(Policy::default().deadline_field(), None);
}
