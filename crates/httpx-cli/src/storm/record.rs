//! Settings and results, for programs.

use std::time::Duration;

use httpx_storm::{Recovery, Report, Scenario};
use serde_json::{Value, json};

/// One value with all of it.
pub(super) fn json(scenario: &Scenario, reports: &[Report]) -> Value {
    json!({ "scenario": of_scenario(scenario, reports), "policies": reports.iter().map(of_report).collect::<Vec<_>>() })
}

fn of_scenario(scenario: &Scenario, reports: &[Report]) -> Value {
    let outage = scenario.outage.map(
        |outage| json!({ "kind": outage.kind.name(), "from_ms": millis(outage.from), "to_ms": millis(outage.to) }),
    );
    let service = reports.first().map(|report| (report.servers, report.capacity));
    json!({
        "clients": scenario.clients,
        "processes": scenario.processes,
        "pause_ms": millis(scenario.pause),
        "method": scenario.method.as_str(),
        "timeout_ms": millis(scenario.timeout),
        "servers": service.map(|(servers, _)| servers),
        "workers": scenario.workers,
        "service_ms": millis(scenario.service),
        "load": scenario.load,
        "capacity_per_s": service.map(|(_, capacity)| capacity),
        "queue_ms": millis(scenario.queue),
        "failing": scenario.failing,
        "retry_after_s": scenario.retry_after,
        "outage": outage,
        "duration_ms": millis(scenario.duration),
        "seed": scenario.seed,
    })
}

fn of_report(report: &Report) -> Value {
    let (recovery, seconds) = match report.recovery {
        Recovery::NoOutage => ("no-outage", None),
        Recovery::After(seconds) => ("after", Some(seconds)),
        Recovery::Never => ("never", None),
    };
    json!({
        "policy": report.policy,
        "calls": report.total.calls,
        "attempts": report.total.attempts,
        "reached": report.total.reached,
        "amplification": report.amplification(),
        "good": report.total.good,
        "failed": report.total.failed,
        "duplicates": report.total.duplicates,
        "wasted": report.total.wasted,
        "peak_per_s": report.peak,
        "recovery": recovery,
        "recovered_after_s": seconds,
        "seconds": report.seconds,
    })
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}
