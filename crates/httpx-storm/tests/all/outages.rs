//! Who recovers.

use std::time::Duration;

use http::Method;
use httpx_retry::{Connection, PRESETS, Policy, Rule, preset};
use httpx_storm::{Outage, OutageKind, Recovery, Scenario, simulate};

fn recovery(scenario: &Scenario, policy: &Policy) -> Recovery {
    simulate(scenario, policy, |_| ()).unwrap().recovery
}

fn through(kind: OutageKind) -> Scenario {
    let standard = Scenario::of(1_000);
    Scenario { outage: standard.outage.map(|outage| Outage { kind, ..outage }), ..standard }
}

#[test]
fn after_a_hang_only_those_never_recover_that_retry_timeouts_without_a_budget() {
    let scenario = through(OutageKind::Hang);
    let never: Vec<_> = PRESETS
        .iter()
        .filter(|preset| recovery(&scenario, &preset.policy()) == Recovery::Never)
        .map(|preset| preset.name)
        .collect();
    assert_eq!(never, ["lib_httpx_2_4", "reqwest_retry_0_9", "go_retryablehttp"]);
}

#[test]
fn a_budget_alone_makes_the_difference() {
    let policy = preset("any_io_error").unwrap().policy();
    for kind in [OutageKind::Hang, OutageKind::Refuse, OutageKind::Busy] {
        let scenario = through(kind);
        assert!(matches!(recovery(&scenario, &policy), Recovery::After(..30)), "{kind:?}");
        assert_eq!(recovery(&scenario, &policy.clone().without_budget()), Recovery::Never, "{kind:?}");
    }
}

#[test]
fn a_budget_that_nobody_shares_is_hardly_one() {
    // A bucket for each client, which calls every ten seconds, is not empty for a long time.
    let alone = Scenario { processes: 1_000, ..through(OutageKind::Hang) };
    let any_io_error = preset("any_io_error").unwrap().policy();
    assert!(matches!(recovery(&alone, &any_io_error), Recovery::After(120..)));
    assert!(matches!(recovery(&alone, &Policy::default()), Recovery::After(..60)));
}

#[test]
fn who_retries_nothing_is_back_when_the_queues_are() {
    // Ten seconds of work waits, and leaves at what the new calls leave of the capacity until two seconds are left.
    let never = preset("never").unwrap().policy();
    let Recovery::After(seconds) = recovery(&through(OutageKind::Hang), &never) else { panic!("it recovers") };
    assert!((23..=31).contains(&seconds), "{seconds}");
    assert_eq!(recovery(&through(OutageKind::Busy), &never), Recovery::After(0));
    assert_eq!(recovery(&through(OutageKind::Refuse), &never), Recovery::After(0));
    assert_eq!(recovery(&Scenario { outage: None, ..Scenario::of(1_000) }, &never), Recovery::NoOutage);
}

#[test]
fn what_is_refused_never_arrives_and_what_is_answered_busy_does() {
    let rows = [(OutageKind::Refuse, 0), (OutageKind::Busy, 100)];
    for (kind, share) in rows {
        let report = simulate(&through(kind), &Policy::default(), |_| ()).unwrap();
        let outage = &report.seconds[121..149];
        let (attempts, reached) =
            outage.iter().fold((0, 0), |sum, second| (sum.0 + second.attempts, sum.1 + second.reached));
        assert_eq!(reached, attempts * share / 100, "{kind:?}");
        assert!(attempts > 0, "{kind:?}");
    }
}

#[test]
fn what_is_refused_was_not_sent_and_met_a_fresh_connection() {
    let unsent_only = preset("idempotent_only").unwrap().policy();
    let stale_only = Policy::default().with_rule(
        Rule::any_io_error()
            .unless("only a pooled connection may be stale", |attempt| attempt.connection != Connection::Reused),
    );
    let rows = [
        (OutageKind::Refuse, &unsent_only, true),
        (OutageKind::Busy, &unsent_only, false),
        (OutageKind::Hang, &unsent_only, false),
        (OutageKind::Refuse, &stale_only, false),
        (OutageKind::Busy, &stale_only, true),
        (OutageKind::Hang, &stale_only, true),
    ];
    for (kind, policy, retried) in rows {
        let total = simulate(&through(kind), policy, |_| ()).unwrap().total;
        assert_eq!(total.attempts > total.calls, retried, "{kind:?} {policy:?}");
    }
}

#[test]
fn who_stops_at_a_timeout_duplicates_nothing() {
    let rows = [
        ("default", Method::POST, false),
        ("idempotent_only", Method::POST, false),
        ("any_io_error", Method::POST, true),
        ("lib_httpx_2_4", Method::POST, true),
        ("urllib3_2", Method::POST, false),
    ];
    for (name, method, duplicates) in rows {
        let scenario = Scenario { method, ..through(OutageKind::Hang) };
        let report = simulate(&scenario, &preset(name).unwrap().policy(), |_| ()).unwrap();
        assert_eq!(report.total.duplicates > 0, duplicates, "{name}: {:?}", report.total);
    }
}

#[test]
fn a_retry_after_keeps_clients_away_for_so_long() {
    // Every first attempt fails, in the first second; every retry comes three seconds later and meets a good server.
    let outage = Some(Outage { from: Duration::ZERO, to: Duration::from_secs(1), kind: OutageKind::Busy });
    let scenario = Scenario { retry_after: Some(3), outage, duration: Duration::from_secs(10), ..Scenario::of(1_000) };
    let policy = Policy::default().without_budget();
    let report = simulate(&scenario, &policy, |_| ()).unwrap();
    let retries: Vec<_> = report.seconds.iter().map(|second| second.attempts - second.calls).collect();
    let came: u64 = retries[3..=4].iter().sum();
    assert_eq!((came, retries.iter().sum()), (report.seconds[0].calls, came), "{retries:?}");
}
