//! Policies by name, and policies built setting by setting.

use std::time::Duration;

use http::StatusCode;
use httpx_retry::{Backoff, Budget, FailureKind, OverCap, PRESETS, Policy, RetryAfter, Rule, Sent, StatusSet, preset};

use crate::told::{failed, n, said, secs, status};

#[test]
fn every_preset_is_found_by_its_name_and_carries_it() {
    let names: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
    for (place, name) in names.iter().enumerate() {
        assert!(!names[..place].contains(name), "{name} stands twice");
        let found = preset(name).expect("it stands in the list");
        assert_eq!(found.name, *name);
        assert_eq!(found.policy().name(), *name);
        assert!(!found.summary.is_empty() && !found.summary.ends_with('.'), "{name}: {}", found.summary);
    }
}

#[test]
fn a_name_is_taken_exactly() {
    for name in ["", "Default", "default ", "idempotent-only", "no such policy"] {
        assert!(preset(name).is_none(), "{name:?}");
    }
}

#[test]
fn a_preset_asks_the_rule_of_its_name() {
    let rows = [
        ("default", "default", "retry transient-status", "stop may-be-working"),
        ("idempotent_only", "idempotent_only", "stop not-idempotent", "stop may-be-working"),
        ("any_io_error", "any_io_error", "retry transient-status", "retry io-failure"),
        ("never", "never", "stop never", "stop may-be-working"),
    ];
    for (name, rule, on_status, on_timeout) in rows {
        let policy = preset(name).expect("a preset").policy();
        let timeout = failed(FailureKind::RequestTimeout, Sent::Maybe).post();
        assert_eq!(policy.rule_name(), rule);
        assert_eq!(said(&policy.verdict(&status(503).post().attempt())), on_status, "{name}");
        assert_eq!(said(&policy.verdict(&timeout.attempt())), on_timeout, "{name}");
    }
}

#[test]
fn a_policy_keeps_every_setting_that_is_given_to_it() {
    let statuses = StatusSet::empty().with(StatusCode::REQUEST_TIMEOUT);
    let budget = Budget { capacity: 1, retry_cost: 2, timeout_cost: 3, first_success: 4, ..Budget::DEFAULT };
    let policy = Policy::default()
        .with_name("mine")
        .with_rule(Rule::never())
        .with_statuses(statuses.clone())
        .with_backoff(Backoff::NONE)
        .with_retry_after(RetryAfter::Ignored)
        .with_max_attempts(n(7))
        .with_deadline(secs(9))
        .with_budget(budget);
    assert_eq!((policy.name(), policy.rule_name()), ("mine", "never"));
    assert_eq!(policy.statuses(), &statuses);
    assert_eq!(policy.backoff(), &Backoff::NONE);
    assert_eq!(policy.retry_after(), RetryAfter::Ignored);
    assert_eq!(policy.max_attempts().get(), 7);
    assert_eq!(policy.deadline(), Some(secs(9)));
    assert_eq!(policy.budget(), Some(&budget));
    assert_eq!(policy.clone().without_deadline().deadline(), None::<Duration>);
    assert_eq!(policy.without_budget().budget(), None);
}

#[test]
fn the_default_policy_takes_retry_after_as_a_lower_bound_and_waits_at_most_the_cap() {
    let policy = Policy::default();
    assert_eq!((policy.name(), policy.rule_name()), ("default", "default"));
    assert_eq!(policy.retry_after(), RetryAfter::LowerBound(OverCap::Wait));
}
