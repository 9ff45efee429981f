//! Back-off: exact waits, and the ends of every number that goes in.

use std::time::Duration;

use httpx_retry::{Backoff, DEFAULT_MAX_ATTEMPTS, Jitter, Policy, Sample};

use crate::told::{ms, n, secs};

const LOWEST: Sample = Sample::LOWEST;
const MIDDLE: Sample = Sample::MIDDLE;
const HIGHEST: Sample = Sample::HIGHEST;

#[test]
fn the_defaults_are_those_of_the_design() {
    let policy = Policy::default();
    assert_eq!(policy.backoff(), &Backoff::default());
    assert_eq!(policy.backoff().initial(), ms(500));
    assert_eq!(policy.backoff().factor(), 2.0);
    assert_eq!(policy.backoff().cap(), secs(30));
    assert_eq!(policy.backoff().jitter(), Jitter::Ratio(0.25));
    assert_eq!(policy.max_attempts().get(), 5);
    assert_eq!(DEFAULT_MAX_ATTEMPTS.get(), 5);
    assert_eq!(policy.deadline(), None);
}

#[test]
fn the_default_waits_double_from_500_ms_and_are_varied_by_a_quarter() {
    let rows = [
        (1, ms(375), ms(500), ms(625)),
        (2, ms(750), ms(1_000), ms(1_250)),
        (3, ms(1_500), ms(2_000), ms(2_500)),
        (4, ms(3_000), ms(4_000), ms(5_000)),
        (5, ms(6_000), ms(8_000), ms(10_000)),
        (6, ms(12_000), ms(16_000), ms(20_000)),
        // 32 s is above the cap: the cap is varied, and cut again.
        (7, ms(22_500), ms(30_000), ms(30_000)),
        (u32::MAX, ms(22_500), ms(30_000), ms(30_000)),
    ];
    for (retry, lowest, middle, highest) in rows {
        let wait = |sample| Backoff::DEFAULT.wait(n(retry), sample);
        assert_eq!((wait(LOWEST), wait(MIDDLE), wait(HIGHEST)), (lowest, middle, highest), "retry {retry}");
    }
}

#[test]
fn numbers_at_their_ends_neither_overflow_nor_turn_into_another_wait() {
    let plain = Backoff::DEFAULT.with_jitter(Jitter::None);
    let rows = [
        ("no initial wait means no wait", plain.with_initial(Duration::ZERO), 1, Duration::ZERO),
        ("nor on the last possible retry", plain.with_initial(Duration::ZERO), u32::MAX, Duration::ZERO),
        ("nor at an infinite factor", plain.with_initial(Duration::ZERO).with_factor(f64::INFINITY), 2, Duration::ZERO),
        ("a cap of zero means no wait", plain.with_cap(Duration::ZERO), 9, Duration::ZERO),
        ("a cap below the initial wait holds", plain.with_cap(ms(100)), 1, ms(100)),
        ("the cap is reached exactly", plain.with_cap(ms(2_000)), 3, ms(2_000)),
        ("an initial wait beyond all measure is cut", plain.with_initial(Duration::MAX), 1, secs(30)),
        ("an infinite factor spares the first retry", plain.with_factor(f64::INFINITY), 1, ms(500)),
        ("an infinite factor is cut", plain.with_factor(f64::INFINITY), 2, secs(30)),
        ("the largest factor is cut", plain.with_factor(f64::MAX), 3, secs(30)),
        ("a factor of 1 never grows", plain.with_factor(1.0), u32::MAX, ms(500)),
        ("a factor below 1 counts as 1", plain.with_factor(0.5), 3, ms(500)),
        ("a factor of zero counts as 1", plain.with_factor(0.0), 3, ms(500)),
        ("a negative factor counts as 1", plain.with_factor(-2.0), 2, ms(500)),
        ("a factor that is no number counts as 1", plain.with_factor(f64::NAN), 3, ms(500)),
        ("a factor just above 1 grows", plain.with_factor(1.1), 2, ms(550)),
        ("a broken factor grows as it says", plain.with_factor(1.5), 3, ms(1_125)),
        ("without any cap it saturates", plain.with_cap(Duration::MAX), u32::MAX, Duration::MAX),
        ("NONE never waits", Backoff::NONE, u32::MAX, Duration::ZERO),
    ];
    for (name, backoff, retry, expected) in rows {
        for sample in [LOWEST, MIDDLE, HIGHEST] {
            assert_eq!(backoff.wait(n(retry), sample), expected, "{name}");
        }
    }
}

#[test]
fn jitter_is_a_ratio_and_zero_means_none() {
    let rows = [
        ("none", Jitter::None, Jitter::None, ms(500), ms(500)),
        ("zero", Jitter::Ratio(0.0), Jitter::None, ms(500), ms(500)),
        ("below zero", Jitter::Ratio(-0.1), Jitter::None, ms(500), ms(500)),
        ("no number", Jitter::Ratio(f64::NAN), Jitter::None, ms(500), ms(500)),
        ("a half", Jitter::Ratio(0.5), Jitter::Ratio(0.5), ms(250), ms(750)),
        ("one", Jitter::Ratio(1.0), Jitter::Ratio(1.0), Duration::ZERO, ms(1_000)),
        ("just below one", Jitter::Ratio(0.99), Jitter::Ratio(0.99), ms(5), ms(995)),
        ("just above one", Jitter::Ratio(1.1), Jitter::Ratio(1.0), Duration::ZERO, ms(1_000)),
        ("a percentage by mistake", Jitter::Ratio(25.0), Jitter::Ratio(1.0), Duration::ZERO, ms(1_000)),
        ("infinite", Jitter::Ratio(f64::INFINITY), Jitter::Ratio(1.0), Duration::ZERO, ms(1_000)),
    ];
    for (name, jitter, kept, lowest, highest) in rows {
        let backoff = Backoff::DEFAULT.with_jitter(jitter);
        assert_eq!(backoff.jitter(), kept, "{name}");
        assert_eq!(backoff.wait(n(1), LOWEST), lowest, "{name}");
        assert_eq!(backoff.wait(n(1), MIDDLE), ms(500), "{name}");
        assert_eq!(backoff.wait(n(1), HIGHEST), highest, "{name}");
    }
}

#[test]
fn jitter_at_the_cap_only_shortens() {
    let backoff = Backoff::DEFAULT.with_initial(secs(26));
    assert_eq!(backoff.wait(n(1), LOWEST), ms(19_500));
    assert_eq!(backoff.wait(n(1), MIDDLE), secs(26));
    assert_eq!(backoff.wait(n(1), HIGHEST), secs(30), "26 s × 1.25 is above the cap");
}

#[test]
fn samples_span_zero_to_just_below_one_and_nothing_lies_beyond_the_highest() {
    assert_eq!(LOWEST.value(), 0.0);
    assert_eq!(MIDDLE.value(), 0.5);
    assert_eq!(HIGHEST.value(), 1.0_f64.next_down());
    assert_eq!(Sample::from_bits(0), LOWEST);
    assert_eq!(Sample::from_bits(1 << 63), MIDDLE);
    assert_eq!(Sample::from_bits(u64::MAX), HIGHEST);
    assert_eq!(Sample::from_bits(3 << 62).value(), 0.75);
    assert_eq!(Sample::from_bits(1 << 11).value(), 1.0 / 9_007_199_254_740_992.0);
}

#[test]
fn setting_one_number_leaves_the_others() {
    assert_eq!((Backoff::NONE.initial(), Backoff::NONE.factor()), (Duration::ZERO, 1.0));
    assert_eq!((Backoff::NONE.cap(), Backoff::NONE.jitter()), (Duration::ZERO, Jitter::None));
    let set = Backoff::NONE.with_initial(ms(100)).with_factor(3.0).with_cap(secs(9)).with_jitter(Jitter::Ratio(0.5));
    assert_eq!((set.initial(), set.factor(), set.cap()), (ms(100), 3.0, secs(9)));
    assert_eq!(set.jitter(), Jitter::Ratio(0.5));
}
