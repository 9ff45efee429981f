//! When everything fails: a preset's bucket is empty after as many retries as the real one's.

use httpx_retry::{Budget, FailureKind, History, Policy, Sample, Sent, Step, preset};

use crate::told::{AT_ONCE, Told, failed, status};

/// How many retries a full bucket allows, when each call fails like this and is retried once; `u32::MAX` without a bucket.
fn retries(policy: &Policy, told: &Told) -> u32 {
    let mut bucket = policy.budget().unwrap_or(&Budget::DEFAULT).bucket();
    for retries in 0..10_000 {
        let step = policy.next_step(&History::start(bucket), &told.attempt(), AT_ONCE, Sample::MIDDLE);
        bucket = step.apply(bucket, policy);
        if let Step::Stop { .. } = step {
            return retries;
        }
    }
    u32::MAX
}

#[test]
fn a_bucket_is_empty_when_the_real_one_is() {
    let timeout = || failed(FailureKind::RequestTimeout, Sent::Maybe);
    let rows = [
        // 500 / 5.
        ("aws_java2_legacy", "a status", status(503), 100),
        ("aws_java2_legacy", "a timeout", timeout(), 100),
        // Throttling costs the legacy mode nothing.
        ("aws_java2_legacy", "throttling", status(429), u32::MAX),
        ("aws_standard_2020", "a status", status(503), 100),
        ("aws_standard_2020", "throttling", status(429), 100),
        // 500 / 14, and 500 / 5 for throttling.
        ("aws_standard_2026", "a status", status(503), 35),
        ("aws_standard_2026", "a timeout", timeout(), 35),
        ("aws_standard_2026", "throttling", status(429), 100),
        // 500 / 5, and 500 / 10 for timeouts before anything was sent.
        ("default", "a status", status(503), 100),
        ("default", "a timeout", failed(FailureKind::ConnectTimeout, Sent::No), 50),
    ];
    for (name, what, told, expected) in rows {
        assert_eq!(retries(&preset(name).expect("a preset").policy(), &told), expected, "{name}: {what}");
    }
}

#[test]
fn a_preset_runs_dry_after_what_its_bucket_holds_and_never_without_one() {
    for preset in httpx_retry::PRESETS {
        let policy = preset.policy();
        for told in [status(503), failed(FailureKind::Closed, Sent::Maybe)] {
            let expected = match (policy.verdict(&told.attempt()).is_retry(), policy.budget()) {
                (false, _) => 0,
                (true, None) => u32::MAX,
                (true, Some(budget)) => (budget.capacity - budget.floor) / budget.retry_cost,
            };
            assert_eq!(retries(&policy, &told), expected, "{}: {told:?}", preset.name);
        }
    }
}

#[test]
fn a_success_gives_back_what_the_last_retry_took_and_one_when_there_was_none() {
    let policy = preset("aws_standard_2026").expect("a preset").policy();
    let empty = policy.budget().expect("a budget").bucket().drain(500);
    let after = |told: Told, last_cost| {
        let history = History { last_cost, ..History::start(empty) };
        policy.next_step(&history, &told.attempt(), AT_ONCE, Sample::MIDDLE).apply(empty, &policy).tokens()
    };
    assert_eq!(after(status(200), 0), 1);
    assert_eq!(after(status(200).number(2), 14), 14);
    assert_eq!(after(status(200).number(2), 5), 5);
}
