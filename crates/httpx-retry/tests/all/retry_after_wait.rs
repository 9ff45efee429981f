//! What a `Retry-After` does to the wait of a policy.

use std::time::Duration;

use http::HeaderName;
use http::header::{AGE, DATE};
use httpx_retry::{
    Backoff, FailureKind, HintForm, History, Jitter, Now, OverCap, Policy, RetryAfter, Sample, Sent, Step,
};

use crate::told::{AT_ONCE, EPOCH, Told, failed, fresh, ms, n, secs, status, told_step};

fn wait_with(policy: &Policy, told: &Told, now: Now, sample: Sample) -> Duration {
    match policy.next_step(&fresh(), &told.attempt(), now, sample) {
        Step::Retry { wait, .. } => wait,
        Step::Stop { reason, .. } => panic!("stopped: {reason}"),
    }
}

/// The default policy without jitter: its first wait is 500 ms.
fn plain() -> Policy {
    Policy::default().with_backoff(Backoff::DEFAULT.with_jitter(Jitter::None))
}

#[test]
fn c18_a_fractional_value_leaves_the_backoff_as_it_is() {
    for value in ["0.503", "0.129", "1.0", "junk", "120, 60"] {
        assert_eq!(wait_with(&plain(), &status(503).retry_after(value), AT_ONCE, Sample::MIDDLE), ms(500), "{value}");
    }
}

#[test]
fn c20_negative_values_and_dates_that_have_passed_leave_the_backoff_as_it_is() {
    let now = Now { elapsed: Duration::ZERO, wall: EPOCH + secs(1_445_412_510) };
    for value in ["-1", "-99999999999999999999", "Wed, 21 Oct 2015 07:28:00 GMT", "0"] {
        for sample in [Sample::LOWEST, Sample::MIDDLE, Sample::HIGHEST] {
            let bare = wait_with(&Policy::default(), &status(503), now, sample);
            let hinted = wait_with(&Policy::default(), &status(503).retry_after(value), now, sample);
            assert_eq!(hinted, bare, "{value}");
        }
    }
}

#[test]
fn c22_no_skew_of_the_clock_makes_a_call_wait_an_hour() {
    let told = status(503).header(DATE, "Wed, 18 Sep 2019 05:33:23 GMT").retry_after("Wed, 18 Sep 2019 05:34:00 GMT");
    let roomy = Policy::default().with_backoff(Backoff::DEFAULT.with_cap(secs(7_200)).with_jitter(Jitter::None));
    for skew in [0, 3_600, 7_200] {
        let now = Now { elapsed: Duration::ZERO, wall: EPOCH + secs(1_568_784_803 - 3_600 + skew) };
        assert_eq!(wait_with(&roomy, &told, now, Sample::MIDDLE), secs(37));
        let cached = told.clone().header(AGE, "120");
        assert!(wait_with(&Policy::default(), &cached, now, Sample::HIGHEST) <= secs(30), "the cap holds");
    }
}

#[test]
fn c24_ten_thousand_seeds_never_come_back_before_the_hint() {
    let policy = Policy::default().with_backoff(Backoff::DEFAULT.with_initial(secs(1)));
    let (ten, at_cap) = (status(503).retry_after("10"), status(503).retry_after("30"));
    let mut waits = Vec::new();
    for seed in 0..10_000_u64 {
        // Fibonacci hashing spreads consecutive seeds over all of u64.
        let sample = Sample::from_bits(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        waits.push(wait_with(&policy, &ten, AT_ONCE, sample));
        assert_eq!(wait_with(&policy, &at_cap, AT_ONCE, sample), secs(30), "at the cap there is no room for jitter");
    }
    let (shortest, longest) = (waits.iter().min().expect("10,000"), waits.iter().max().expect("10,000"));
    assert!(*shortest >= secs(10) && *longest <= ms(12_500), "{shortest:?} to {longest:?}");
    assert!(*shortest < ms(10_010) && *longest > ms(12_490), "jitter is there: {shortest:?} to {longest:?}");
}

#[test]
fn c24_jitter_goes_upwards_only_and_the_longer_of_hint_and_backoff_holds() {
    let rows = [
        ("a hint above the back-off", "10", ms(10_000), ms(11_250), ms(12_500)),
        ("a hint of the back-off's length", "1", ms(1_000), ms(1_125), ms(1_250)),
        ("a hint just below the cap", "29", ms(29_000), ms(30_000), ms(30_000)),
        ("a hint at the cap", "30", ms(30_000), ms(30_000), ms(30_000)),
        ("a hint above the cap is cut to it", "31", ms(30_000), ms(30_000), ms(30_000)),
        ("a hint beyond all measure", "99999999999999999999", ms(30_000), ms(30_000), ms(30_000)),
        ("a hint of zero changes nothing", "0", ms(750), ms(1_000), ms(1_250)),
    ];
    let policy = Policy::default().with_backoff(Backoff::DEFAULT.with_initial(secs(1)));
    for (name, value, lowest, middle, highest) in rows {
        let wait = |sample| wait_with(&policy, &status(503).retry_after(value), AT_ONCE, sample);
        assert_eq!(
            (wait(Sample::LOWEST), wait(Sample::MIDDLE), wait(Sample::HIGHEST)),
            (lowest, middle, highest),
            "{name}"
        );
    }
    let long = status(503).retry_after("2").number(4);
    assert_eq!(wait_with(&policy, &long, AT_ONCE, Sample::MIDDLE), secs(8), "the back-off has outgrown the hint");
}

#[test]
fn c24_a_long_hint_is_not_cut_short_by_arithmetic() {
    let backoff = Backoff::DEFAULT.with_cap(Duration::MAX);
    for hint in [Duration::new(1_000_000_000, 123_456_789), Duration::new(u64::MAX, 1), Duration::MAX] {
        for jitter in [Jitter::None, Jitter::Ratio(0.25)] {
            let wait = backoff.with_jitter(jitter).wait_at_least(hint, n(1), Sample::LOWEST);
            assert!(wait >= hint, "{wait:?} for a hint of {hint:?}");
        }
    }
}

#[test]
fn c26_the_largest_line_is_waited_for() {
    let policy = plain().with_backoff(Backoff::DEFAULT.with_jitter(Jitter::None).with_cap(secs(300)));
    let told = status(429).retry_after("5").retry_after("120");
    assert_eq!(wait_with(&policy, &told, AT_ONCE, Sample::MIDDLE), secs(120));
}

#[test]
fn a_policy_may_ignore_the_hint_or_give_up_above_the_cap() {
    let ignored = plain().with_retry_after(RetryAfter::Ignored);
    let give_up = plain().with_retry_after(RetryAfter::LowerBound(OverCap::GiveUp));
    let rows = [
        ("ignored", &ignored, "10", "retry after 500ms for 5: transient-status"),
        ("ignored, above the cap", &ignored, "3600", "retry after 500ms for 5: transient-status"),
        ("give up, below the cap", &give_up, "29", "retry after 29s for 5: transient-status"),
        ("give up, at the cap", &give_up, "30", "retry after 30s for 5: transient-status"),
        ("give up, above the cap", &give_up, "31", "stop giving 0: retry-after-too-long"),
        ("give up, malformed", &give_up, "31.0", "retry after 500ms for 5: transient-status"),
    ];
    for (name, policy, value, expected) in rows {
        let step = policy.next_step(&fresh(), &status(503).retry_after(value).attempt(), AT_ONCE, Sample::MIDDLE);
        assert_eq!(told_step(&step), expected, "{name}");
    }
}

#[test]
fn no_backoff_at_all_means_no_wait_for_a_hint_either() {
    let policy = Policy::default().with_backoff(Backoff::NONE);
    assert_eq!(wait_with(&policy, &status(503).retry_after("10"), AT_ONCE, Sample::HIGHEST), Duration::ZERO);
    let failed = failed(FailureKind::Reset, Sent::Maybe);
    assert_eq!(wait_with(&policy, &failed, AT_ONCE, Sample::HIGHEST), Duration::ZERO);
}

#[test]
fn what_another_call_was_asked_bounds_the_wait_as_if_this_one_had_been() {
    let plain = plain();
    let pushback = plain.clone().with_hint_form(HintForm::GrpcPushback);
    let ignoring = plain.clone().with_retry_after(RetryAfter::Ignored);
    let giving_up = plain.clone().with_retry_after(RetryAfter::LowerBound(OverCap::GiveUp));
    let reset = failed(FailureKind::Reset, Sent::Maybe);
    let rows = [
        ("nobody was asked", &plain, reset.clone(), secs(0), "retry after 500ms for 5: io-failure"),
        ("less than the back-off", &plain, reset.clone(), ms(400), "retry after 500ms for 5: io-failure"),
        ("more than the back-off", &plain, reset.clone(), secs(7), "retry after 7s for 5: io-failure"),
        ("more than the cap", &plain, reset.clone(), secs(70), "retry after 30s for 5: io-failure"),
        ("a status without a hint", &plain, status(503), secs(7), "retry after 7s for 5: transient-status"),
        (
            "more than its own hint",
            &plain,
            status(503).retry_after("3"),
            secs(7),
            "retry after 7s for 5: transient-status",
        ),
        (
            "less than its own hint",
            &plain,
            status(503).retry_after("9"),
            secs(7),
            "retry after 9s for 5: transient-status",
        ),
        ("hints are ignored", &ignoring, reset.clone(), secs(7), "retry after 500ms for 5: io-failure"),
        ("pushbacks are for one call", &pushback, reset.clone(), secs(7), "retry after 500ms for 5: io-failure"),
        ("longer than it is worth", &giving_up, reset, secs(70), "stop giving 0: retry-after-too-long"),
    ];
    for (name, policy, told, closed_for, expected) in rows {
        let history = History { closed_for, ..fresh() };
        let step = policy.next_step(&history, &told.attempt(), AT_ONCE, Sample::MIDDLE);
        assert_eq!(told_step(&step), expected, "{name}");
    }
}

#[test]
fn all_are_asked_what_the_policy_would_heed_and_no_longer_than_its_cap() {
    let plain = plain();
    let asked = |policy: &Policy, told: &Told| policy.asks_all(&told.attempt(), EPOCH);
    assert_eq!(asked(&plain, &status(503).retry_after("9")), secs(9));
    assert_eq!(asked(&plain, &status(503).retry_after("900")), secs(30));
    assert_eq!(asked(&plain, &status(503)), secs(0));
    assert_eq!(asked(&plain, &failed(FailureKind::Reset, Sent::Maybe)), secs(0));
    let ignoring = plain.clone().with_retry_after(RetryAfter::Ignored);
    assert_eq!(asked(&ignoring, &status(503).retry_after("9")), secs(0));
    let pushback = plain.with_hint_form(HintForm::GrpcPushback);
    assert_eq!(
        asked(&pushback, &status(503).header(HeaderName::from_static("grpc-retry-pushback-ms"), "9000")),
        secs(0)
    );
}
