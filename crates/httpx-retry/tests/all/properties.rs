//! What holds for all inputs, whatever the numbers.

use std::time::{Duration, SystemTime};

use httpx_retry::{
    Backoff, Bucket, Budget, FailureKind, History, Jitter, Now, Policy, Reason, Rule, Sample, Sent, Step, Verdict,
};
use proptest::prelude::*;
use proptest::sample::select;

use crate::told::{EPOCH, Told, bucket, failed, n, status};

/// Durations of every size, zero and the largest included.
fn durations() -> impl Strategy<Value = Duration> {
    prop_oneof![
        Just(Duration::ZERO),
        Just(Duration::MAX),
        (0_u64..100_000).prop_map(Duration::from_millis),
        any::<Duration>(),
    ]
}

fn samples() -> impl Strategy<Value = Sample> {
    prop_oneof![Just(Sample::LOWEST), Just(Sample::HIGHEST), any::<u64>().prop_map(Sample::from_bits)]
}

/// Any numbers at all, NaN and the infinite among them.
fn backoffs() -> impl Strategy<Value = Backoff> {
    let factors = prop_oneof![1.0..4.0, any::<f64>()];
    let ratios = prop_oneof![0.0..=1.0, any::<f64>()];
    (durations(), factors, durations(), ratios).prop_map(|(initial, factor, cap, ratio)| {
        let jitter = Jitter::Ratio(ratio);
        Backoff::DEFAULT.with_initial(initial).with_factor(factor).with_cap(cap).with_jitter(jitter)
    })
}

const DATES: &[&str] =
    &["Thu, 01 Jan 1970 00:00:00 GMT", "Wed, 21 Oct 2015 07:28:30 GMT", "Fri, 31 Dec 9999 23:59:59 GMT"];

fn policies() -> impl Strategy<Value = Policy> {
    (backoffs(), 1_u32..9, prop::option::of(durations()), prop::option::of(budgets())).prop_map(
        |(backoff, max, deadline, budget)| {
            let policy = Policy::default().with_backoff(backoff).with_max_attempts(n(max));
            let policy = deadline.map_or(policy.clone(), |deadline| policy.with_deadline(deadline));
            budget.map_or(policy.clone().without_budget(), |budget| policy.with_budget(budget))
        },
    )
}

fn budgets() -> impl Strategy<Value = Budget> {
    let numbers = || prop_oneof![0_u32..50, any::<u32>()];
    (numbers(), numbers(), numbers(), numbers()).prop_map(|(capacity, retry_cost, timeout_cost, first_success)| {
        Budget { capacity, retry_cost, timeout_cost, first_success, ..Budget::DEFAULT }
    })
}

fn attempts() -> impl Strategy<Value = Told> {
    let values = vec!["0", "3", "29", "9999", "18446744073709551616", "junk"];
    prop_oneof![
        select(vec![200, 404, 429, 503]).prop_map(status),
        (select(vec![429, 503]), select(values)).prop_map(|(code, value)| status(code).retry_after(value)),
        (select(FailureKind::ALL), select(Sent::ALL)).prop_map(|(kind, sent)| failed(kind, sent)),
    ]
}

/// Clocks that show any time there is: one that was set back, a flat battery, a far future.
fn clocks() -> impl Strategy<Value = SystemTime> {
    let seconds = prop_oneof![0_u64..3_000_000_000, 0..=i64::MAX.unsigned_abs()];
    (seconds, any::<bool>()).prop_filter_map("no system time", |(seconds, after)| {
        let seconds = Duration::from_secs(seconds);
        if after { EPOCH.checked_add(seconds) } else { EPOCH.checked_sub(seconds) }
    })
}

fn full(policy: &Policy) -> Bucket {
    policy.budget().unwrap_or(&Budget::DEFAULT).bucket()
}

fn step(policy: &Policy, told: &Told, elapsed: Duration, sample: Sample) -> Step {
    step_at(EPOCH, policy, told, elapsed, sample)
}

fn step_at(wall: SystemTime, policy: &Policy, told: &Told, elapsed: Duration, sample: Sample) -> Step {
    let history = History { last_cost: 0, bucket: full(policy), backoff_from: 0, closed_for: Duration::ZERO };
    policy.next_step(&history, &told.attempt(), Now { elapsed, wall }, sample)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_call_never_sends_more_often_than_the_policy_allows(
        policy in policies(), told in attempts(), sample in samples(),
    ) {
        let max = policy.max_attempts().get();
        let mut sends = 1;
        while let Step::Retry { .. } = step(&policy, &told.clone().number(sends), Duration::ZERO, sample) {
            sends += 1;
            prop_assert!(sends <= max);
        }
    }

    #[test]
    fn no_wait_is_longer_than_the_cap(
        policy in policies(), told in attempts(), number in 1_u32..9, sample in samples(),
    ) {
        if let Step::Retry { wait, .. } = step(&policy, &told.number(number), Duration::ZERO, sample) {
            prop_assert!(wait <= policy.backoff().cap());
        }
    }

    #[test]
    fn a_clock_that_jumps_makes_no_wait_longer_than_the_cap(
        policy in policies(), date in select(DATES), clock in clocks(), sample in samples(),
    ) {
        let told = status(503).retry_after(date);
        if let Step::Retry { wait, .. } = step_at(clock, &policy, &told, Duration::ZERO, sample) {
            prop_assert!(wait <= policy.backoff().cap());
        }
    }

    #[test]
    fn only_a_date_makes_the_clock_matter(
        policy in policies(), told in attempts(), elapsed in durations(), sample in samples(),
        one in clocks(), other in clocks(),
    ) {
        let at = |clock| step_at(clock, &policy, &told, elapsed, sample);
        prop_assert_eq!(at(one), at(other));
    }

    #[test]
    fn a_hedge_is_paid_like_a_retry_or_is_not_sent(budget in budgets(), tokens in 0_u32..100) {
        let (policy, bucket) = (Policy::default().with_budget(budget), budget.holding(tokens));
        match policy.hedge_step(bucket) {
            Step::Retry { wait, cost, .. } => {
                prop_assert_eq!((wait, cost), (Duration::ZERO, budget.retry_cost));
                prop_assert!(bucket.tokens() >= cost);
            }
            Step::Stop { reason, refund, cost } => {
                prop_assert_eq!((reason, refund, cost), (Reason::BudgetEmpty, 0, 0));
                prop_assert!(bucket.tokens() < budget.retry_cost);
            }
        }
    }

    #[test]
    fn only_a_rules_own_wait_may_be_longer_than_the_cap(policy in policies(), own in durations(), sample in samples()) {
        let rule = Rule::new("own", move |_| Verdict::RetryIn(own, Reason::Custom("own".into())));
        let policy = policy.with_rule(rule).without_deadline();
        if let Step::Retry { wait, .. } = step(&policy, &status(503), Duration::ZERO, sample) {
            prop_assert_eq!(wait, own);
        }
    }

    #[test]
    fn a_retry_always_leaves_time_before_the_deadline(
        policy in policies(), told in attempts(), elapsed in durations(), deadline in durations(), sample in samples(),
    ) {
        let policy = policy.with_deadline(deadline);
        if let Step::Retry { wait, .. } = step(&policy, &told, elapsed, sample) {
            prop_assert!(elapsed.saturating_add(wait) < deadline);
        }
    }

    #[test]
    fn a_wait_is_never_below_the_hint_unless_the_cap_is(
        backoff in backoffs(), hint in durations(), retry in 1..=u32::MAX, sample in samples(),
    ) {
        let wait = backoff.wait_at_least(hint, n(retry), sample);
        prop_assert!(wait >= hint.min(backoff.cap()));
        prop_assert!(wait >= backoff.wait(n(retry), sample));
        prop_assert!(wait <= backoff.cap());
    }

    #[test]
    fn waits_grow_from_retry_to_retry_and_with_the_sample(
        backoff in backoffs(), retry in 1..u32::MAX, one in samples(), other in samples(),
    ) {
        prop_assert!(backoff.wait(n(retry), one) <= backoff.wait(n(retry + 1), one));
        let (low, high) = if one <= other { (one, other) } else { (other, one) };
        prop_assert!(backoff.wait(n(retry), low) <= backoff.wait(n(retry), high));
    }

    #[test]
    fn without_jitter_the_sample_does_not_matter(
        backoff in backoffs(), retry in 1..=u32::MAX, one in samples(), other in samples(),
    ) {
        let plain = backoff.with_jitter(Jitter::None);
        prop_assert_eq!(plain.wait(n(retry), one), plain.wait(n(retry), other));
    }

    #[test]
    fn the_same_arguments_give_the_same_step(
        policy in policies(), told in attempts(), elapsed in durations(), sample in samples(),
    ) {
        prop_assert_eq!(step(&policy, &told, elapsed, sample), step(&policy.clone(), &told.clone(), elapsed, sample));
    }

    #[test]
    fn a_bucket_stays_between_empty_and_full_and_a_retry_takes_what_it_names(
        budget in budgets(), calls in prop::collection::vec((attempts(), 1_u32..6, any::<u32>()), 0..60),
    ) {
        let policy = Policy::default().with_budget(budget);
        let mut tokens = budget.bucket();
        for (told, number, last_cost) in calls {
            let now = Now { elapsed: Duration::ZERO, wall: EPOCH };
            let history = History { last_cost, bucket: tokens, backoff_from: 0, closed_for: Duration::ZERO };
            let step = policy.next_step(&history, &told.number(number).attempt(), now, Sample::MIDDLE);
            let after = step.apply(tokens, &policy).tokens();
            prop_assert!(after <= budget.capacity);
            match step {
                Step::Retry { cost, .. } => prop_assert_eq!(Some(after), tokens.tokens().checked_sub(cost)),
                Step::Stop { refund, .. } => {
                    prop_assert_eq!(after, tokens.tokens().saturating_add(refund).min(budget.capacity));
                }
            }
            tokens = bucket(budget, after);
        }
    }
}
