//! Who shares a bucket, and what it lets through.

use std::time::Duration;

use httpx_retry::{Backoff, Budget, Policy, preset};
use httpx_storm::{Outage, OutageKind, Scenario, simulate};

/// Nothing but 503.
fn always_busy(processes: u32) -> Scenario {
    let duration = Duration::from_secs(60);
    Scenario { processes, failing: 1.0, outage: None, duration, pause: Duration::from_secs(1), ..Scenario::of(40) }
}

#[test]
fn while_everything_fails_each_process_spends_its_bucket_and_no_more() {
    let rows = [
        ("one process", 1, Budget::DEFAULT, 100),
        ("four processes", 4, Budget::DEFAULT, 400),
        ("half of each bucket is its floor", 4, Budget { floor: 250, ..Budget::DEFAULT }, 200),
        ("dear retries", 2, Budget { retry_cost: 100, ..Budget::DEFAULT }, 10),
    ];
    for (what, processes, budget, retries) in rows {
        let total = simulate(&always_busy(processes), &Policy::default().with_budget(budget), |_| ()).unwrap().total;
        assert_eq!(total.attempts - total.calls, retries, "{what}");
        assert_eq!((total.good, total.failed), (0, total.calls), "{what}");
    }
}

#[test]
fn a_timeout_costs_twice_as_much() {
    let duration = Duration::from_secs(60);
    // Nobody works, and the queue takes everybody.
    let outage = Some(Outage { from: Duration::ZERO, to: duration, kind: OutageKind::Hang });
    let scenario = Scenario { processes: 1, outage, duration, queue: Duration::from_secs(3600), ..Scenario::of(100) };
    let total = simulate(&scenario, &preset("any_io_error").unwrap().policy(), |_| ()).unwrap().total;
    assert_eq!(total.attempts - total.calls, 50);
}

#[test]
fn without_a_budget_every_call_makes_all_its_attempts() {
    let total = simulate(&always_busy(4), &Policy::default().without_budget(), |_| ()).unwrap().total;
    assert_eq!(total.attempts, 5 * total.calls);
}

#[test]
fn success_fills_a_bucket_again() {
    // Every second request fails, and a retry costs what one success gives back: for each process, what the calls that
    // fail in the end took is at most a full bucket and a token for each success at once.
    let scenario = Scenario { failing: 0.5, outage: None, duration: Duration::from_secs(120), ..Scenario::of(1_000) };
    let policy = Policy::default().with_backoff(Backoff::fixed(Duration::from_millis(10)));
    let total = simulate(&scenario, &policy, |_| ()).unwrap().total;
    let retries = total.attempts - total.calls;
    let given = u64::from(scenario.processes * Budget::DEFAULT.capacity) + total.good * 5;
    assert!(retries * 5 <= given, "{retries} retries, {given} tokens");
    // Far more than the buckets held at first.
    assert!(retries > 3 * u64::from(scenario.processes * 100), "{retries} retries");
}
