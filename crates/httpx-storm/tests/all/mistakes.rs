//! What cannot be played, and what would be right.

use std::time::Duration;

use httpx_retry::Policy;
use httpx_storm::{Outage, OutageKind, Scenario, simulate};

#[test]
fn a_scenario_that_makes_no_sense_is_refused_in_one_sentence() {
    let usual = || Scenario::of(100);
    let second = Duration::from_secs;
    let hang = |from, to| Some(Outage { from: second(from), to: second(to), kind: OutageKind::Hang });
    let rows = [
        (Scenario { clients: 0, ..usual() }, "clients is 0; it must be more than that"),
        (Scenario { processes: 0, ..usual() }, "processes is 0; it must be more than that"),
        (Scenario { processes: 101, ..usual() }, "processes is 101; it must be at most the number of clients, 100"),
        (Scenario { clients: 100_000_001, ..usual() }, "clients is 100000001; it must be at most 100000000"),
        (Scenario { workers: 0, ..usual() }, "workers is 0; it must be more than that"),
        (Scenario { pause: Duration::ZERO, ..usual() }, "pause is 0; it must be more than that"),
        (Scenario { timeout: Duration::ZERO, ..usual() }, "timeout is 0; it must be more than that"),
        (Scenario { service: Duration::ZERO, ..usual() }, "service is 0; it must be more than that"),
        (Scenario { duration: Duration::ZERO, ..usual() }, "duration is 0; it must be more than that"),
        (Scenario { load: 0.0, ..usual() }, "load is 0; it must be more than 0 and at most 10, such as 0.7"),
        (Scenario { load: 70.0, ..usual() }, "load is 70; it must be more than 0 and at most 10, such as 0.7"),
        (Scenario { load: f64::NAN, ..usual() }, "load is NaN; it must be more than 0 and at most 10, such as 0.7"),
        (Scenario { failing: 1.1, ..usual() }, "failing is 1.1; it must be a ratio from 0 to 1"),
        (Scenario { failing: f64::NAN, ..usual() }, "failing is NaN; it must be a ratio from 0 to 1"),
        (Scenario { duration: second(86_401), ..usual() }, "duration is 86401s; it must be at most a day"),
        (
            Scenario { outage: hang(60, 60), ..usual() },
            "the outage is from 60s to 60s; it must end after its beginning and within the duration, 600s",
        ),
        (
            Scenario { outage: hang(60, 601), ..usual() },
            "the outage is from 60s to 601s; it must end after its beginning and within the duration, 600s",
        ),
        (
            Scenario { pause: Duration::from_nanos(1), ..usual() },
            "these would be 6.0e13 calls; fewer clients, longer pauses or a shorter duration keep them below 1e9",
        ),
        (
            Scenario { service: Duration::MAX, ..usual() },
            "it would take 2.6e19 servers; a shorter service, more workers or more load keep them below 1e6",
        ),
    ];
    for (scenario, told) in rows {
        let error = simulate(&scenario, &Policy::default(), |_| ()).unwrap_err();
        assert_eq!(error.to_string(), told);
    }
}

#[test]
fn the_longest_times_are_as_good_as_none() {
    let scenario = Scenario {
        timeout: Duration::MAX,
        queue: Duration::MAX,
        duration: Duration::from_secs(300),
        ..Scenario::of(50)
    };
    let total = simulate(&scenario, &Policy::default().with_deadline(Duration::MAX), |_| ()).unwrap().total;
    assert_eq!((total.good, total.failed), (total.calls, 0));
}
