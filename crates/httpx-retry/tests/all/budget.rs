//! The shared allowance: its numbers, its arithmetic, and what gives tokens back.

use std::time::Duration;

use httpx_retry::{Bucket, Budget, FailureKind, History, Policy, Reason, Sample, Sent, Step};

use crate::told::{AT_ONCE, Told, bucket, failed, fresh, ms, status};

const SMALL: Budget = Budget { capacity: 20, retry_cost: 5, timeout_cost: 10, first_success: 1, ..Budget::DEFAULT };

fn step_with(policy: &Policy, last_cost: u32, tokens: Bucket, told: &Told) -> Step {
    policy.next_step(
        &History { last_cost, bucket: tokens, backoff_from: 0, closed_for: Duration::ZERO },
        &told.attempt(),
        AT_ONCE,
        Sample::MIDDLE,
    )
}

#[test]
fn the_default_budget_has_the_numbers_of_the_aws_standard_mode() {
    assert_eq!(
        Budget::default(),
        Budget { capacity: 500, retry_cost: 5, timeout_cost: 10, first_success: 1, ..Budget::DEFAULT }
    );
    assert_eq!(Policy::default().budget(), Some(&Budget::DEFAULT));
    assert_eq!(Budget::DEFAULT.bucket().tokens(), 500);
}

#[test]
fn a_bucket_gives_what_it_holds_and_never_holds_more_than_its_capacity() {
    let full = SMALL.bucket();
    let left = |taken: Option<Bucket>| taken.map(|bucket| bucket.tokens());
    assert_eq!(left(full.take(0)), Some(20));
    assert_eq!(left(full.take(19)), Some(1));
    assert_eq!(left(full.take(20)), Some(0));
    assert_eq!(left(full.take(21)), None);
    assert_eq!(left(full.take(u32::MAX)), None);
    assert_eq!(left(bucket(SMALL, 0).take(0)), Some(0));
    assert_eq!(bucket(SMALL, 0).give(0, &SMALL).tokens(), 0);
    assert_eq!(bucket(SMALL, 3).give(4, &SMALL).tokens(), 7);
    assert_eq!(bucket(SMALL, 19).give(5, &SMALL).tokens(), 20);
    assert_eq!(full.give(u32::MAX, &SMALL).tokens(), 20);
    assert_eq!([0, 7, 20, 21].map(|tokens| SMALL.holding(tokens).tokens()), [0, 7, 20, 20]);
    assert_eq!(Budget::DEFAULT.bucket().give(0, &SMALL).tokens(), 20, "a bucket of a larger budget is cut");
}

#[test]
fn a_retry_costs_5_and_after_any_timeout_10() {
    let rows = [
        ("transient status", status(503), 5),
        ("reset", failed(FailureKind::Reset, Sent::Maybe), 5),
        ("unknown host", failed(FailureKind::UnknownHost, Sent::No), 5),
        ("connect timeout", failed(FailureKind::ConnectTimeout, Sent::No), 10),
        ("request timeout, nothing sent", failed(FailureKind::RequestTimeout, Sent::No), 10),
        ("read timeout, nothing sent", failed(FailureKind::ReadTimeout, Sent::No), 10),
    ];
    for (name, told, expected) in rows {
        match step_with(&Policy::default(), 0, Budget::DEFAULT.bucket(), &told) {
            Step::Retry { cost, .. } => assert_eq!(cost, expected, "{name}"),
            Step::Stop { reason, .. } => panic!("{name}: {reason}"),
        }
    }
}

#[test]
fn a_bucket_that_holds_less_than_the_cost_ends_the_call_at_once() {
    let policy = Policy::default().with_budget(SMALL);
    let timeout = failed(FailureKind::ConnectTimeout, Sent::No);
    let empty = Step::Stop { reason: Reason::BudgetEmpty, refund: 0, cost: 0 };
    let retry = |cost, reason| Step::Retry { wait: ms(500), reason, cost };
    let rows = [
        ("exactly enough", 5, status(503), retry(5, Reason::TransientStatus)),
        ("one token short", 4, status(503), empty.clone()),
        ("nothing left", 0, status(503), empty.clone()),
        ("exactly enough for a timeout", 10, timeout.clone(), retry(10, Reason::NotSent)),
        ("one token short for a timeout", 9, timeout, empty),
    ];
    for (name, tokens, told, expected) in rows {
        assert_eq!(step_with(&policy, 0, bucket(SMALL, tokens), &told), expected, "{name}");
    }
}

#[test]
fn without_a_budget_retries_are_free_and_nothing_comes_back() {
    let policy = Policy::default().without_budget();
    let empty = bucket(SMALL, 0);
    let retry = Step::Retry { wait: ms(500), reason: Reason::TransientStatus, cost: 0 };
    assert_eq!(step_with(&policy, 0, empty, &status(503)), retry);
    assert_eq!(
        step_with(&policy, 7, empty, &status(200)),
        Step::Stop { reason: Reason::FinalAnswer, refund: 0, cost: 0 }
    );
    assert_eq!(Step::Stop { reason: Reason::FinalAnswer, refund: 9, cost: 0 }.apply(empty, &policy), empty);
    assert_eq!(
        Step::Retry { wait: ms(0), reason: Reason::NotSent, cost: 9 }.apply(SMALL.bucket(), &policy),
        SMALL.bucket()
    );
}

#[test]
fn success_gives_back_what_the_last_retry_took_or_one_token_at_the_first_attempt() {
    let rows = [
        ("200 at first", status(200), 1),
        ("204 at first", status(204), 1),
        ("304 at first", status(304), 1),
        ("399, the last status that is no error", status(399), 1),
        ("200 after retries", status(200).number(3), 10),
        ("302 after retries", status(302).number(2), 10),
        ("400, the first error", status(400), 0),
        ("404 at first", status(404), 0),
        ("404 after retries", status(404).number(3), 0),
        ("501 after retries", status(501).number(3), 0),
        ("503 on the last attempt", status(503).number(5), 0),
        ("a failure that is not retried", failed(FailureKind::Certificate, Sent::No), 0),
        ("a timeout that may have been sent", failed(FailureKind::RequestTimeout, Sent::Maybe).number(2), 0),
        ("a failure on the last attempt", failed(FailureKind::Reset, Sent::Maybe).number(5), 0),
    ];
    for (name, told, expected) in rows {
        match step_with(&Policy::default(), 10, Budget::DEFAULT.bucket(), &told) {
            Step::Stop { refund, .. } => assert_eq!(refund, expected, "{name}"),
            Step::Retry { .. } => panic!("{name}: retried"),
        }
    }
}

#[test]
fn a_success_that_the_policy_calls_transient_gives_nothing_even_when_the_rule_lets_it_stand() {
    let policy = Policy::default().with_rule(httpx_retry::Rule::never());
    let told = status(503);
    let mut attempt = told.attempt();
    attempt.outcome = match attempt.outcome {
        httpx_retry::Outcome::Answer { headers, .. } => {
            httpx_retry::Outcome::Answer { status: http::StatusCode::ACCEPTED, transient: true, headers }
        }
        failure @ httpx_retry::Outcome::Failure(_) => failure,
    };
    let step = policy.next_step(&fresh(), &attempt, AT_ONCE, Sample::MIDDLE);
    assert_eq!(step, Step::Stop { reason: Reason::Never, refund: 0, cost: 0 });
}

#[test]
fn a_step_applied_moves_the_tokens_that_it_names() {
    let policy = Policy::default().with_budget(SMALL);
    let retry = |cost| Step::Retry { wait: ms(1), reason: Reason::NotSent, cost };
    let stop = |refund| Step::Stop { reason: Reason::FinalAnswer, refund, cost: 0 };
    let rows = [
        ("a retry takes", retry(5), 12, 7),
        ("a retry takes the last", retry(5), 5, 0),
        ("a bucket emptied meanwhile stays as it is", retry(5), 4, 4),
        ("a success gives", stop(5), 12, 17),
        ("a success cannot overfill", stop(5), 18, 20),
        ("a plain stop moves nothing", stop(0), 12, 12),
    ];
    for (name, step, before, after) in rows {
        assert_eq!(step.apply(bucket(SMALL, before), &policy).tokens(), after, "{name}");
    }
}

#[test]
fn an_outage_is_answered_with_a_hundred_retries_and_no_more() {
    let policy = Policy::default();
    let mut tokens = Budget::DEFAULT.bucket();
    let mut retries = 0;
    for _call in 0..1_000 {
        let step = step_with(&policy, 0, tokens, &status(503));
        tokens = step.apply(tokens, &policy);
        retries += u32::from(matches!(step, Step::Retry { .. }));
    }
    assert_eq!((retries, tokens.tokens()), (100, 0));
}
