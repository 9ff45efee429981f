//! The one decision after every attempt: attempts, body, deadline, wait.

use std::time::Duration;

use httpx_retry::{Backoff, FailureKind, Jitter, Now, Policy, Reason, Rule, Sample, Sent, Verdict};

use crate::told::{AT_ONCE, EPOCH, Told, failed, fresh, ms, n, secs, status, told_step};

/// The default policy without jitter.
fn plain() -> Policy {
    Policy::default().with_backoff(Backoff::DEFAULT.with_jitter(Jitter::None))
}

fn step(policy: &Policy, told: &Told, elapsed: Duration) -> String {
    told_step(&policy.next_step(&fresh(), &told.attempt(), Now { elapsed, wall: EPOCH }, Sample::HIGHEST))
}

fn own_wait(wait: Duration) -> Policy {
    plain().with_rule(Rule::new("own wait", move |_| Verdict::RetryIn(wait, Reason::Custom("mine".into()))))
}

#[test]
fn five_attempts_at_most_with_growing_waits_and_none_after_the_last() {
    let rows = [
        (1, "retry after 500ms for 5: transient-status"),
        (2, "retry after 1s for 5: transient-status"),
        (3, "retry after 2s for 5: transient-status"),
        (4, "retry after 4s for 5: transient-status"),
        (5, "stop giving 0: attempts-exhausted"),
        (6, "stop giving 0: attempts-exhausted"),
        (u32::MAX, "stop giving 0: attempts-exhausted"),
    ];
    for (number, expected) in rows {
        assert_eq!(step(&plain(), &status(503).number(number), Duration::ZERO), expected, "attempt {number}");
    }
}

#[test]
fn max_attempts_counts_sends_the_first_included() {
    let told = failed(FailureKind::Refused, Sent::No);
    let rows = [
        (1, 1, "stop giving 0: attempts-exhausted"),
        (2, 1, "retry after 500ms for 5: not-sent"),
        (2, 2, "stop giving 0: attempts-exhausted"),
        (u32::MAX, u32::MAX - 1, "retry after 30s for 5: not-sent"),
        (u32::MAX, u32::MAX, "stop giving 0: attempts-exhausted"),
    ];
    for (max, number, expected) in rows {
        let policy = plain().with_max_attempts(n(max));
        assert_eq!(step(&policy, &told.clone().number(number), Duration::ZERO), expected, "{number} of {max}");
    }
}

#[test]
fn a_one_shot_body_is_sent_once_and_the_step_says_so() {
    let rows = [
        (status(503).one_shot(), "stop giving 0: body-not-replayable"),
        (failed(FailureKind::Reset, Sent::Maybe).one_shot(), "stop giving 0: body-not-replayable"),
        (failed(FailureKind::Refused, Sent::No).one_shot(), "stop giving 0: body-not-replayable"),
        (status(200).one_shot(), "stop giving 1: final-answer"),
        (failed(FailureKind::Certificate, Sent::No).one_shot(), "stop giving 0: permanent"),
    ];
    for (told, expected) in rows {
        assert_eq!(step(&plain(), &told, Duration::ZERO), expected, "{told:?}");
    }
}

#[test]
fn the_call_stops_at_once_when_the_wait_would_reach_the_deadline() {
    let nanosecond = Duration::from_nanos(1);
    let ten = plain().with_deadline(secs(10));
    let retry = "retry after 500ms for 5: transient-status";
    let stop = "stop giving 0: deadline";
    let rows = [
        ("at the start", &ten, Duration::ZERO, retry),
        ("wait just shorter than what remains", &ten, ms(9_500) - nanosecond, retry),
        ("wait exactly what remains", &ten, ms(9_500), stop),
        ("wait longer than what remains", &ten, ms(9_501), stop),
        ("at the deadline", &ten, secs(10), stop),
        ("long past it", &ten, Duration::MAX, stop),
    ];
    for (name, policy, elapsed, expected) in rows {
        assert_eq!(step(policy, &status(503), elapsed), expected, "{name}");
    }
    assert_eq!(step(&plain().with_deadline(Duration::ZERO), &status(503), Duration::ZERO), stop, "zero is zero");
    assert_eq!(step(&ten.without_deadline(), &status(503), Duration::MAX), retry, "no deadline, no limit");
}

#[test]
fn the_deadline_counts_the_wait_that_the_server_asks_for() {
    let told = status(503).retry_after("10");
    let policy = |deadline| plain().with_deadline(deadline);
    assert_eq!(step(&policy(secs(10)), &told, Duration::ZERO), "stop giving 0: deadline");
    assert_eq!(step(&policy(ms(10_001)), &told, Duration::ZERO), "retry after 10s for 5: transient-status");
}

#[test]
fn a_rules_own_wait_is_kept_to_the_letter() {
    let rows = [
        ("short", secs(0), status(503), "retry after 0ns for 5: mine"),
        ("below the back-off", ms(7), status(503).number(4), "retry after 7ms for 5: mine"),
        ("above the cap", secs(3_600), status(503), "retry after 3600s for 5: mine"),
        ("below a Retry-After", secs(1), status(503).retry_after("20"), "retry after 1s for 5: mine"),
        ("for a failure", secs(2), failed(FailureKind::Reset, Sent::Maybe), "retry after 2s for 5: mine"),
    ];
    for (name, wait, told, expected) in rows {
        assert_eq!(step(&own_wait(wait), &told, Duration::ZERO), expected, "{name}");
        let jittery = own_wait(wait).with_backoff(Backoff::DEFAULT);
        assert_eq!(step(&jittery, &told, Duration::ZERO), expected, "{name}, with jitter");
    }
}

#[test]
fn a_rules_own_wait_still_obeys_attempts_body_and_deadline() {
    let policy = own_wait(secs(5));
    assert_eq!(step(&policy, &status(503).number(5), Duration::ZERO), "stop giving 0: attempts-exhausted");
    assert_eq!(step(&policy, &status(503).one_shot(), Duration::ZERO), "stop giving 0: body-not-replayable");
    assert_eq!(step(&policy.with_deadline(secs(5)), &status(503), Duration::ZERO), "stop giving 0: deadline");
    let endless = own_wait(Duration::MAX);
    assert!(step(&endless, &status(503), secs(1)).starts_with("retry after 18446744073709551615.999999999s"));
    assert_eq!(step(&endless.with_deadline(Duration::MAX), &status(503), secs(1)), "stop giving 0: deadline");
}

#[test]
fn the_sample_varies_the_wait_and_nothing_else() {
    let wait =
        |sample| told_step(&Policy::default().next_step(&fresh(), &status(503).number(2).attempt(), AT_ONCE, sample));
    assert_eq!(wait(Sample::LOWEST), "retry after 750ms for 5: transient-status");
    assert_eq!(wait(Sample::MIDDLE), "retry after 1s for 5: transient-status");
    assert_eq!(wait(Sample::HIGHEST), "retry after 1.25s for 5: transient-status");
}
