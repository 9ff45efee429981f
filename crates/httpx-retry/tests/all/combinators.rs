//! Rules made from rules.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use httpx_retry::{FailureKind, Outcome, Reason, Rule, Sent, Verdict};

use crate::told::{failed, said, secs, status};

fn yes(name: &'static str) -> Rule {
    Rule::new(name, move |_| Verdict::Retry(Reason::Custom(name.into())))
}

fn yes_in(name: &'static str, wait: Duration) -> Rule {
    Rule::new(name, move |_| Verdict::RetryIn(wait, Reason::Custom(name.into())))
}

fn no(name: &'static str) -> Rule {
    Rule::new(name, move |_| Verdict::Stop(Reason::Custom(name.into())))
}

/// A rule, its name and what it says.
fn check(rows: Vec<(Rule, &str, &str)>) {
    for (rule, name, verdict) in rows {
        assert_eq!(rule.name(), name);
        assert_eq!(said(&rule.verdict(&status(503).attempt())), verdict, "{name}");
    }
}

#[test]
fn or_retries_when_either_does_and_the_first_yes_gives_the_reason() {
    check(vec![
        (yes("a").or(yes("b")), "a or b", "retry a"),
        (yes("a").or(no("b")), "a or b", "retry a"),
        (no("a").or(yes("b")), "a or b", "retry b"),
        (no("a").or(no("b")), "a or b", "stop b"),
        (yes_in("a", secs(5)).or(yes("b")), "a or b", "retry in 5s a"),
        (no("a").or(yes_in("b", secs(5))), "a or b", "retry in 5s b"),
        (yes("a").or(yes_in("b", secs(5))), "a or b", "retry a"),
        (no("a").or(no("b")).or(yes("c")), "a or b or c", "retry c"),
    ]);
}

#[test]
fn and_retries_when_both_do_and_the_first_no_gives_the_reason() {
    check(vec![
        (yes("a").and(yes("b")), "a and b", "retry a"),
        (yes("a").and(no("b")), "a and b", "stop b"),
        (no("a").and(yes("b")), "a and b", "stop a"),
        (no("a").and(no("b")), "a and b", "stop a"),
        (yes_in("a", secs(5)).and(no("b")), "a and b", "stop b"),
        (no("a").and(yes_in("b", secs(5))), "a and b", "stop a"),
    ]);
}

#[test]
fn and_keeps_the_wait_that_either_asks_for_the_longer_of_two() {
    check(vec![
        (yes_in("a", secs(5)).and(yes("b")), "a and b", "retry in 5s a"),
        (yes("a").and(yes_in("b", secs(5))), "a and b", "retry in 5s b"),
        (yes_in("a", secs(5)).and(yes_in("b", secs(7))), "a and b", "retry in 7s b"),
        (yes_in("a", secs(7)).and(yes_in("b", secs(5))), "a and b", "retry in 7s a"),
        (yes_in("a", secs(5)).and(yes_in("b", secs(5))), "a and b", "retry in 5s a"),
    ]);
}

#[test]
fn unless_stops_where_the_exception_holds_and_keeps_the_rest_wait_included() {
    check(vec![
        (yes("a").unless("x", |_| true), "a unless x", "stop x"),
        (yes("a").unless("x", |_| false), "a unless x", "retry a"),
        (yes_in("a", secs(5)).unless("x", |_| false), "a unless x", "retry in 5s a"),
        (yes_in("a", secs(5)).unless("x", |_| true), "a unless x", "stop x"),
        (no("a").unless("x", |_| true), "a unless x", "stop a"),
        (no("a").unless("x", |_| false), "a unless x", "stop a"),
    ]);
}

#[test]
fn unless_sees_the_attempt() {
    let typo = Rule::default_rule().unless("typo", |attempt| match attempt.outcome {
        Outcome::Failure(failure) => failure.kind == FailureKind::UnknownHost,
        Outcome::Answer { .. } => false,
    });
    let unknown = failed(FailureKind::UnknownHost, Sent::No);
    let refused = failed(FailureKind::Refused, Sent::No);
    assert_eq!(said(&typo.verdict(&unknown.attempt())), "stop typo");
    assert_eq!(said(&typo.verdict(&refused.attempt())), "retry not-sent");
}

#[test]
fn the_second_rule_is_asked_only_when_the_first_leaves_it_open() {
    let counted = |rule: fn(Rule, Rule) -> Rule, first: Rule| {
        let asked = Arc::new(AtomicU32::new(0));
        let count = Arc::clone(&asked);
        let second = Rule::new("counting", move |_| {
            count.fetch_add(1, Ordering::Relaxed);
            Verdict::Stop(Reason::Never)
        });
        let _verdict = rule(first, second).verdict(&status(503).attempt());
        asked.load(Ordering::Relaxed)
    };
    assert_eq!(counted(Rule::or, yes("a")), 0);
    assert_eq!(counted(Rule::or, no("a")), 1);
    assert_eq!(counted(Rule::and, yes("a")), 1);
    assert_eq!(counted(Rule::and, no("a")), 0);
}
