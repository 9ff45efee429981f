//! Servers beside the formulas of queueing theory.

use std::time::Duration;

use httpx_retry::{Policy, preset};
use httpx_storm::{Report, Scenario, simulate};

fn never() -> Policy {
    preset("never").unwrap().policy()
}

/// One server with so many workers, asked ten times a second by clients who wait for ever.
fn played(workers: u32, load: f64, queue: Duration) -> Report {
    let scenario = Scenario {
        clients: 100,
        pause: Duration::from_secs(10),
        workers,
        load,
        // As long as makes exactly one server.
        service: Duration::from_secs_f64(load * f64::from(workers) / 10.0),
        queue,
        timeout: Duration::from_secs(1_000_000),
        outage: None,
        duration: Duration::from_secs(10 * 60 * 60),
        ..Scenario::of(100)
    };
    let report = simulate(&scenario, &never(), |_| ()).unwrap();
    assert_eq!(report.servers, 1);
    report
}

/// The probability that an arrival has to wait in M/M/k, where `load` is the share of the capacity (Erlang C).
fn erlang_c(workers: u32, load: f64) -> f64 {
    let erlangs = load * f64::from(workers);
    let blocked = (1..=workers).fold(1.0, |blocked, k| erlangs * blocked / (f64::from(k) + erlangs * blocked));
    blocked / (1.0 - load * (1.0 - blocked))
}

#[test]
fn queues_are_as_long_as_in_m_m_k() {
    for (workers, load) in [(1, 0.5), (1, 0.7), (4, 0.8), (10, 0.9)] {
        let report = played(workers, load, Duration::from_secs(3600));
        let measured = report.seconds.iter().map(|second| second.queued as f64).sum::<f64>() / 36_000.0;
        let expected = erlang_c(workers, load) * load / (1.0 - load);
        assert!((measured / expected - 1.0).abs() < 0.08, "M/M/{workers} at {load}: {measured}, not {expected}");
        assert_eq!(report.total.failed, 0);
    }
}

#[test]
fn a_full_queue_turns_away_as_many_as_in_m_m_1_k() {
    // Three in the system at most: one is served, two wait.
    let load: f64 = 0.8;
    let report = played(1, load, Duration::from_secs_f64(2.01 * load / 10.0));
    let turned_away = 1.0 - report.success();
    let expected = (1.0 - load) * load.powi(3) / (1.0 - load.powi(4));
    assert!((turned_away / expected - 1.0).abs() < 0.05, "{turned_away}, not {expected}");
}

#[test]
fn calls_come_at_the_rate_of_the_fleet_and_as_by_chance() {
    let report = played(1, 0.5, Duration::from_secs(3600));
    let mean = report.total.calls as f64 / 36_000.0;
    let variance = report.seconds.iter().map(|second| (second.calls as f64 - mean).powi(2)).sum::<f64>() / 36_000.0;
    assert!((mean / 10.0 - 1.0).abs() < 0.01, "{mean}");
    // The variance of a Poisson distribution is its mean.
    assert!((variance / mean - 1.0).abs() < 0.05, "{variance}");
}
