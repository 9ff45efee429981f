//! What holds in every scenario, whatever the policy.

use std::time::Duration;

use http::Method;
use httpx_retry::PRESETS;
use httpx_storm::{Outage, OutageKind, Report, Scenario, Second, simulate};
use proptest::prelude::*;

fn outages() -> impl Strategy<Value = Option<Outage>> {
    let kinds = prop_oneof![Just(OutageKind::Refuse), Just(OutageKind::Hang), Just(OutageKind::Busy)];
    let outage = (1..10_u64, 1..10_u64, kinds).prop_map(|(from, long, kind)| Outage {
        from: Duration::from_secs(from),
        to: Duration::from_secs(from + long),
        kind,
    });
    prop::option::of(outage)
}

prop_compose! {
    fn scenarios()(
        (clients, processes, workers) in (1..80_u32, 1..20_u32, 1..6_u32),
        (timeout, service, queue) in (20..3_000_u64, 1..500_u64, 0..5_000_u64),
        load in 0.1..3.0_f64,
        failing in prop_oneof![Just(0.0), 0.0..1.0_f64],
        (post, retry_after) in (any::<bool>(), prop::option::of(0..4_u32)),
        outage in outages(),
        seed in any::<u64>(),
    ) -> Scenario {
        Scenario {
            clients: clients + processes, processes, workers, load, failing, retry_after, outage, seed,
            pause: Duration::from_secs(2),
            method: if post { Method::POST } else { Method::GET },
            timeout: Duration::from_millis(timeout),
            service: Duration::from_millis(service),
            queue: Duration::from_millis(queue),
            duration: Duration::from_secs(20),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_call_ends_once_and_makes_no_more_attempts_than_it_may(
        scenario in scenarios(),
        preset in 0..PRESETS.len(),
    ) {
        let policy = PRESETS[preset].policy();
        let mut passed = Vec::new();
        let report = simulate(&scenario, &policy, |seconds| passed.push(seconds)).unwrap();
        let Second { calls, attempts, reached, good, failed, duplicates, wasted, queued } = report.total;
        prop_assert_eq!(good + failed, calls);
        prop_assert_eq!(queued, 0);
        prop_assert!(calls <= attempts && attempts <= calls * u64::from(policy.max_attempts().get()));
        prop_assert!(reached <= attempts);
        // Each good answer is one act that is neither too late nor, at most, the first.
        prop_assert!(good + wasted <= reached);
        prop_assert!(duplicates <= attempts - calls);
        prop_assert_eq!((report.amplification() * calls as f64).round() as u64, attempts);
        prop_assert_eq!(passed, (1..=20).collect::<Vec<_>>());
        prop_assert!(adds_up(&report));
    }
}

/// All that happened within the seconds, and some after them.
fn adds_up(report: &Report) -> bool {
    let sum = |of: fn(&Second) -> u64| report.seconds.iter().map(of).sum::<u64>();
    let within = |of: fn(&Second) -> u64| sum(of) <= of(&report.total);
    sum(|second| second.calls) == report.total.calls
        && within(|second| second.attempts)
        && within(|second| second.good)
        && within(|second| second.failed)
        && report.peak == report.seconds.iter().map(|second| second.attempts).max().unwrap_or(0)
}
