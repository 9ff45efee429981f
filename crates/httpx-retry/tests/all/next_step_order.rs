//! The order in which a policy refuses: of several refusals the first one is told.

use std::time::Duration;

use httpx_retry::{
    Backoff, Budget, FailureKind, History, Jitter, Now, OverCap, Policy, RetryAfter, Rule, Sample, Sent,
};

use crate::told::{EPOCH, Told, bucket, failed, ms, n, secs, status, told_step};

/// What stands against a retry of this attempt, worst first.
#[derive(Clone)]
struct Against {
    policy: Policy,
    told: Told,
    elapsed: Duration,
    tokens: u32,
}

impl Against {
    fn everything_but_the_rule() -> Self {
        Against {
            policy: Policy::default()
                .with_backoff(Backoff::DEFAULT.with_jitter(Jitter::None))
                .with_retry_after(RetryAfter::LowerBound(OverCap::GiveUp))
                .with_deadline(ms(1)),
            told: status(503).one_shot().number(5).retry_after("31"),
            elapsed: secs(1),
            tokens: 0,
        }
    }

    fn reason(&self) -> String {
        let history = History {
            last_cost: 0,
            bucket: bucket(Budget::DEFAULT, self.tokens),
            backoff_from: 0,
            closed_for: Duration::ZERO,
        };
        let now = Now { elapsed: self.elapsed, wall: EPOCH };
        told_step(&self.policy.next_step(&history, &self.told.attempt(), now, Sample::MIDDLE))
    }
}

#[test]
fn rule_body_attempts_retry_after_deadline_budget() {
    let mut against = Against::everything_but_the_rule();
    against.policy = against.policy.with_rule(Rule::never());
    assert_eq!(against.reason(), "stop giving 0: never");

    let mut against = Against::everything_but_the_rule();
    assert_eq!(against.reason(), "stop giving 0: body-not-replayable");

    against.told = status(503).number(5).retry_after("31");
    assert_eq!(against.reason(), "stop giving 0: attempts-exhausted");

    against.policy = against.policy.with_max_attempts(n(6));
    assert_eq!(against.reason(), "stop giving 0: retry-after-too-long");

    against.policy = against.policy.with_retry_after(RetryAfter::LowerBound(OverCap::Wait));
    assert_eq!(against.reason(), "stop giving 0: deadline");

    against.policy = against.policy.without_deadline();
    assert_eq!(against.reason(), "stop giving 0: budget-empty");

    against.tokens = 5;
    assert_eq!(against.reason(), "retry after 30s for 5: transient-status");
}

#[test]
fn a_refusal_of_the_rule_comes_before_every_other_whatever_it_is() {
    let mut against = Against::everything_but_the_rule();
    for (told, expected) in [
        (status(200).one_shot(), "stop giving 1: final-answer"),
        (status(404).one_shot().number(5), "stop giving 0: final-answer"),
        (failed(FailureKind::RequestTimeout, Sent::Maybe).one_shot(), "stop giving 0: may-be-working"),
        (failed(FailureKind::Certificate, Sent::No).one_shot().number(9), "stop giving 0: permanent"),
        (failed(FailureKind::Deadline, Sent::Maybe).number(5), "stop giving 0: deadline"),
    ] {
        against.told = told;
        assert_eq!(against.reason(), expected);
    }
}
