//! The rate limit of the AWS SDKs' adaptive mode, against numbers worked out from its source by hand.

use httpx_retry::AdaptiveRate;

use crate::told::{ms, secs};

/// Ten answers a second for `seconds`, after which every full half second was measured.
fn steady(seconds: u64) -> AdaptiveRate {
    (1..=seconds * 10).fold(AdaptiveRate::start(ms(0)), |rate, tenth| rate.answered(ms(tenth * 100)))
}

fn near(value: f64, expected: f64) -> bool {
    (value - expected).abs() < 0.01
}

#[test]
fn without_a_throttled_answer_there_is_no_limit() {
    let rate = steady(10);
    assert_eq!((rate.limit(), rate.acquire(secs(10)).0), (None, ms(0)));
    assert!(near(rate.measured(), 10.0), "{}", rate.measured());
}

#[test]
fn a_client_that_is_throttled_at_once_has_an_empty_bucket_and_the_least_limit() {
    let rate = AdaptiveRate::start(ms(0)).throttled(ms(10));
    assert!(near(rate.limit().expect("throttled"), 0.5), "{rate:?}");
    // A hundredth of a token has come in at one a second.
    assert!((rate.acquire(ms(10)).0.as_secs_f64() - 0.99 / 0.5).abs() < 0.01, "{rate:?}");
}

#[test]
fn the_newest_half_second_counts_four_fifths() {
    // The answers of a first half second, the one that ends it included: 5 / 0.5 s, of which 0.8 count at first.
    let rate = steady(1);
    assert!(near(rate.measured(), 0.8 * 10.0 + 0.2 * 8.0), "{}", rate.measured());
}

#[test]
fn a_throttled_answer_leaves_seven_tenths_of_the_rate_that_was_too_much() {
    let rate = steady(10).throttled(ms(10_050));
    assert!(near(rate.limit().expect("throttled"), 7.0), "{rate:?}");
    // While the limit is lower than what is measured, the limit is what was too much.
    let again = rate.throttled(ms(10_060));
    assert!(near(again.limit().expect("throttled"), 4.9), "{again:?}");
}

#[test]
fn the_limit_never_falls_below_half_a_call_a_second() {
    let rate = (1..100).fold(steady(10), |rate, _| rate.throttled(ms(10_050)));
    assert!(near(rate.limit().expect("throttled"), 0.5), "{rate:?}");
}

#[test]
fn the_limit_comes_back_slowly_to_the_rate_that_was_too_much_and_then_fast_beyond_it() {
    // Back at 10 after cbrt(10 × 0.3 / 0.4) = 1.957 s.
    let throttled = steady(10).throttled(secs(10));
    let recovering = |after: u64| {
        let tenths = 1..=after / 100;
        tenths.fold(throttled, |rate, tenth| rate.answered(ms(10_000 + tenth * 100))).limit().expect("throttled")
    };
    let rows = [
        (500, 10.0 - 0.4 * 1.457_f64.powi(3)),
        (1_000, 10.0 - 0.4 * 0.957_f64.powi(3)),
        (2_000, 10.0),
        (3_000, 10.0 + 0.4 * 1.043_f64.powi(3)),
    ];
    for (after, expected) in rows {
        assert!((recovering(after) - expected).abs() < 0.05, "{after} ms: {} {expected}", recovering(after));
    }
}

#[test]
fn the_limit_is_at_most_twice_what_is_sent() {
    let throttled = steady(10).throttled(secs(10));
    let rate = (1..=200).fold(throttled, |rate, tenth| rate.answered(ms(10_000 + tenth * 100)));
    assert!(near(rate.limit().expect("throttled"), 20.0), "{rate:?}");
}

#[test]
fn those_who_come_at_once_wait_one_after_another() {
    let limited = steady(10).throttled(secs(10));
    // The bucket has filled meanwhile, as far as the new limit lets it, and seven tokens a second come in.
    let mut rate = limited;
    for place in 1..=12_u64 {
        let (wait, next) = rate.acquire(secs(10));
        let behind = place.saturating_sub(7) as f64;
        assert!((wait.as_secs_f64() - behind / 7.0).abs() < 0.01, "{place}: {wait:?}");
        rate = next;
    }
    // A second later two of the seven tokens are left over.
    assert_eq!(rate.acquire(ms(11_100)).0, ms(0));
}
