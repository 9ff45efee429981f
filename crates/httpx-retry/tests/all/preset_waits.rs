//! How long each preset waits: every one of 10,000 samples lies in the range that its source states, and they fill it.

use std::time::Duration;

use httpx_retry::{FailureKind, History, Now, Policy, Sample, Sent, Step, preset};

use crate::told::{EPOCH, Told, failed, fresh, ms, secs, status};

const SAMPLES: u64 = 10_000;

/// The shortest and the longest of the waits.
fn range(policy: &Policy, told: &Told) -> (Duration, Duration) {
    let now = Now { elapsed: Duration::ZERO, wall: EPOCH };
    let bucket = policy.budget().map_or(fresh().bucket, httpx_retry::Budget::bucket);
    let wait = |sample| match policy.next_step(&History::start(bucket), &told.attempt(), now, sample) {
        Step::Retry { wait, .. } => wait,
        Step::Stop { reason, .. } => panic!("{}: {reason}", policy.name()),
    };
    let samples = (0..SAMPLES).map(|at| Sample::from_bits(u64::MAX / SAMPLES * at));
    let waits: Vec<_> = samples.map(wait).collect();
    (*waits.iter().min().expect("some"), *waits.iter().max().expect("some"))
}

fn lost() -> Told {
    failed(FailureKind::Reset, Sent::Maybe)
}

/// Policy, what happened, shortest and longest wait.
fn rows() -> Vec<(&'static str, Told, Duration, Duration)> {
    let none = ms(0);
    vec![
        ("apache_4_5", lost(), none, none),
        ("apache_4_5", lost().number(3), none, none),
        ("apache_5", lost(), none, none),
        ("apache_5", status(503), secs(1), secs(1)),
        ("apache_5", status(503).retry_after("0"), secs(1), secs(1)),
        ("apache_5", status(429).retry_after("7"), secs(7), secs(7)),
        ("apache_5", status(429).retry_after("86400"), secs(86_400), secs(86_400)),
        ("apache_5", status(503).retry_after("Thu, 01 Jan 1970 00:00:20 GMT"), secs(20), secs(20)),
        ("jdk_http_17", lost(), none, none),
        ("lib_httpx_2_5", status(503), ms(375), ms(625)),
        ("lib_httpx_2_5", status(503).number(4), secs(3), secs(5)),
        // Jitter undercuts what was asked: 3 s asked, 2.48 s waited.
        ("lib_httpx_2_5", status(503).retry_after("3"), ms(2_250), ms(3_750)),
        // Capped, and varied afterwards.
        ("lib_httpx_2_5", status(503).retry_after("99"), ms(22_500), ms(37_500)),
        // Seconds only: the date is no hint.
        ("lib_httpx_2_5", status(503).retry_after("Thu, 01 Jan 1970 00:00:20 GMT"), ms(375), ms(625)),
        ("lib_httpx_2_4", lost(), ms(375), ms(625)),
        ("aws_java2_legacy", lost(), none, ms(100)),
        ("aws_java2_legacy", lost().number(3), none, ms(400)),
        ("aws_java2_legacy", status(429), ms(250), ms(500)),
        ("aws_java2_legacy", status(429).number(3), secs(1), secs(2)),
        ("aws_java2_legacy", status(503).retry_after("60"), secs(60), secs(60)),
        ("aws_standard_2020", status(500).number(2), none, ms(200)),
        ("aws_standard_2020", status(429).number(2), none, secs(2)),
        ("aws_standard_2026", lost(), none, ms(50)),
        ("aws_standard_2026", lost().number(2), none, ms(100)),
        ("aws_standard_2026", status(429), none, secs(1)),
        ("aws_standard_2026", status(503).retry_after("2"), secs(2), secs(2)),
        // At most five seconds above the wait it would have been.
        ("aws_standard_2026", status(503).retry_after("60"), secs(5), ms(5_050)),
        ("reqwest_retry_0_9", lost(), none, secs(1)),
        ("reqwest_retry_0_9", status(503).number(3).retry_after("9"), none, secs(4)),
        ("urllib3_2", lost(), none, none),
        ("urllib3_2", status(503).retry_after("9"), secs(9), secs(9)),
        ("urllib3_2", status(503).retry_after("99999"), secs(21_600), secs(21_600)),
        ("go_retryablehttp", lost(), secs(1), secs(1)),
        ("go_retryablehttp", status(500).number(4), secs(8), secs(8)),
        ("go_retryablehttp", status(503).retry_after("90"), secs(90), secs(90)),
        ("go_retryablehttp", status(429).retry_after("0"), none, none),
        // Only 429 and 503 have their Retry-After read.
        ("go_retryablehttp", status(500).retry_after("90"), secs(1), secs(1)),
        ("got_14", lost(), secs(1), ms(1_100)),
        ("got_14", status(503).number(2), secs(2), ms(2_100)),
        ("got_14", status(503).retry_after("9"), secs(9), secs(9)),
        // Nothing, to JavaScript.
        ("got_14", status(503).retry_after("0"), secs(1), ms(1_100)),
        ("default", status(503), ms(375), ms(625)),
        ("default", status(503).retry_after("10"), secs(10), ms(12_500)),
        ("default", status(503).retry_after("99"), secs(30), secs(30)),
    ]
}

#[test]
fn every_wait_lies_in_the_stated_range_and_the_waits_fill_it() {
    for (name, told, shortest, longest) in rows() {
        let (least, most) = range(&preset(name).expect("a preset").policy(), &told);
        // What 10,000 even steps may leave out at the upper end, and what f64 may lose.
        let slack = (longest - shortest) / 2_000 + Duration::from_nanos(10);
        assert!(
            least + Duration::from_nanos(10) >= shortest && most <= longest,
            "{name}: {least:?} to {most:?} {told:?}"
        );
        assert!(least <= shortest + slack && most + slack >= longest, "{name}: {least:?} to {most:?} {told:?}");
    }
}

#[test]
fn a_wait_beyond_the_timeout_of_an_attempt_ends_the_call_where_the_client_says_so() {
    let rows = [
        ("apache_5", status(503), None, "1s"),
        ("apache_5", status(503), Some(ms(1_000)), "1s"),
        ("apache_5", status(503), Some(ms(999)), "wait-beyond-timeout"),
        ("apache_5", status(503).retry_after("2"), Some(ms(1_500)), "wait-beyond-timeout"),
        // A broken connection is tried again at once, whatever the timeout.
        ("apache_5", lost(), Some(ms(1)), "0ns"),
        ("got_14", status(503).retry_after("2"), Some(ms(1_500)), "wait-beyond-timeout"),
        // got's own wait is not measured against it.
        ("got_14", status(503), Some(ms(500)), "1s"),
        ("go_retryablehttp", status(503).retry_after("2"), Some(ms(500)), "2s"),
    ];
    for (name, told, timeout, expected) in rows {
        let policy = preset(name).expect("a preset").policy();
        let mut attempt = told.attempt();
        attempt.request.timeout = timeout;
        let now = Now { elapsed: Duration::ZERO, wall: EPOCH };
        let ended = match policy.next_step(&fresh(), &attempt, now, Sample::LOWEST) {
            Step::Retry { wait, .. } => format!("{wait:?}"),
            Step::Stop { reason, .. } => reason.code().to_owned(),
        };
        assert_eq!(ended, expected, "{name} {timeout:?}");
    }
}

#[test]
fn what_amazon_asks_in_milliseconds_is_read_first() {
    let policy = preset("aws_standard_2026").expect("a preset").policy();
    let amazon = http::HeaderName::from_static("x-amz-retry-after");
    let told = status(503).retry_after("2").header(amazon, "1500");
    assert_eq!(range(&policy, &told), (ms(1_500), ms(1_500)));
}
