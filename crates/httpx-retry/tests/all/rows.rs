//! Rules as rows.

use http::{Method, StatusCode};
use httpx_retry::{
    Backoff, Budget, Connection, FailureKind, Hint, History, Methods, Now, Policy, Rule, Sample, Sent, When,
};

use crate::told::{AT_ONCE, bucket, failed, fresh, ms, n, said, secs, status, told_step};

const LOST: &[FailureKind] = &[FailureKind::Closed, FailureKind::Reset];

#[test]
fn the_first_row_that_holds_decides_and_the_rest_is_final() {
    let rule = Rule::rows(
        "mine",
        [
            When::failure(LOST).methods(Methods::Only(&[Method::PUT])).stop(),
            When::failure(LOST).retry_at_once(),
            When::transient().retry(),
        ],
    );
    let rows = [
        (failed(FailureKind::Closed, Sent::Maybe), "retry in 0ns io-failure"),
        (failed(FailureKind::Closed, Sent::No), "retry in 0ns not-sent"),
        (failed(FailureKind::Closed, Sent::Maybe).method(Method::PUT), "stop not-retried"),
        (failed(FailureKind::Refused, Sent::No), "stop not-retried"),
        (failed(FailureKind::Deadline, Sent::Maybe), "stop deadline"),
        (status(503), "retry transient-status"),
        (status(404), "stop final-answer"),
        // No rule of another client speaks of it: it is a thing of this client's pool.
        (failed(FailureKind::ConnectAbandoned, Sent::No), "retry in 0ns not-sent"),
    ];
    for (told, expected) in rows {
        assert_eq!(said(&rule.verdict(&told.attempt())), expected, "{told:?}");
    }
}

#[test]
fn a_row_says_its_conditions_and_what_follows() {
    let rows = [
        (When::transient().retry(), "a transient status: retry"),
        (When::status(StatusCode::CONFLICT).stop(), "status 409: stop"),
        (
            When::status(StatusCode::CONFLICT).with_retry_after().retry(),
            "status 409 with a readable Retry-After: retry",
        ),
        (When::transient().without_retry_after().stop(), "a transient status without Retry-After: stop"),
        (
            When::transient().with_retry_after_zero().retry_at_once(),
            "a transient status with Retry-After: 0: retry at once",
        ),
        (
            When::transient().without_retry_after_above_zero().retry(),
            "a transient status without Retry-After, or with 0: retry",
        ),
        (When::failure(LOST).reused().retry(), "closed, reset before the answer; on a reused connection: retry"),
        (When::failure(LOST).sent(Sent::No).retry(), "closed, reset before the answer; sent: no: retry"),
        (When::in_body(LOST).stop(), "closed, reset in the body: stop"),
        (When::in_body(FailureKind::ALL).stop(), "anything in the body: stop"),
        (
            When::failure(LOST).methods(Methods::NO_ENTITY).retry(),
            "closed, reset before the answer; any but POST, PUT, PATCH: retry",
        ),
        (When::transient().retry().up_to(n(2)), "a transient status: retry, at most 2 sends"),
        (
            When::failure(LOST).not_processed_for_the_first_time().retry_uncounted(),
            "closed, reset before the answer; sent: not-processed; for the first time: retry at once, not counted",
        ),
    ];
    for (row, told) in rows {
        assert_eq!(row.to_string(), told);
    }
}

#[test]
fn a_row_for_a_reused_connection_does_not_hold_where_nothing_is_known_of_it() {
    let row = When::failure(LOST).reused().retry();
    for (connection, holds) in [(Connection::Reused, true), (Connection::Fresh, false), (Connection::Unknown, false)] {
        let told = failed(FailureKind::Reset, Sent::Maybe).over(connection);
        assert_eq!(row.verdict(&told.attempt()).is_some(), holds, "{connection:?}");
    }
    assert!(row.asks_connection() && !When::failure(LOST).retry().asks_connection());
    assert_eq!((row.hint(), row.status()), (Hint::Any, None));
}

#[test]
fn a_rows_own_limit_ends_the_call_as_the_policys_would() {
    let row = When::transient().retry().up_to(n(2));
    let verdict = |number| row.verdict(&status(503).number(number).attempt()).map(|verdict| said(&verdict));
    assert_eq!(verdict(1).as_deref(), Some("retry transient-status"));
    assert_eq!(verdict(2).as_deref(), Some("stop attempts-exhausted"));
}

#[test]
fn what_is_not_counted_counts_nowhere() {
    let rule = Rule::rows(
        "mine",
        [
            When::failure(&[FailureKind::StreamRefused]).not_processed_for_the_first_time().retry_uncounted(),
            When::failure(&[FailureKind::StreamRefused]).retry(),
            When::transient().retry(),
        ],
    );
    let policy = Policy::default().with_rule(rule).with_max_attempts(n(2)).with_backoff(Backoff::doubling(ms(100)));
    let refused = || failed(FailureKind::StreamRefused, Sent::NotProcessed);
    let rows = [
        (refused(), "retry after 0ns for 0: not-processed"),
        // The second send of the call is the first that counts.
        (refused().number(2).after_uncounted(1), "retry after 100ms for 5: not-processed"),
        (status(503).number(2).after_uncounted(1), "retry after 100ms for 5: transient-status"),
        (status(503).number(3).after_uncounted(1), "stop giving 0: attempts-exhausted"),
        (status(200).number(2).after_uncounted(1), "stop giving 1: final-answer"),
        (refused().one_shot(), "stop giving 0: body-not-replayable"),
    ];
    for (told, expected) in rows {
        let step = policy.next_step(&fresh(), &told.attempt(), AT_ONCE, Sample::MIDDLE);
        assert_eq!(told_step(&step), expected, "{told:?}");
    }
    // An empty bucket does not end it, and a deadline that has passed does.
    let empty = History { bucket: bucket(Budget::DEFAULT, 0), ..fresh() };
    let step = |policy: &Policy, history: &History, elapsed| {
        let now = Now { elapsed, ..AT_ONCE };
        told_step(&policy.next_step(history, &refused().number(9).attempt(), now, Sample::MIDDLE))
    };
    assert_eq!(step(&policy, &empty, secs(0)), "retry after 0ns for 0: not-processed");
    let policy = policy.with_deadline(secs(1));
    assert_eq!(step(&policy, &fresh(), ms(999)), "retry after 0ns for 0: not-processed");
    assert_eq!(step(&policy, &fresh(), secs(1)), "stop giving 0: deadline");
}

#[test]
fn a_row_may_speak_of_a_connection_that_was_given_up() {
    let rule = Rule::rows("mine", [When::failure(&[FailureKind::ConnectAbandoned]).retry_uncounted()]);
    let told = failed(FailureKind::ConnectAbandoned, Sent::No);
    assert_eq!(said(&rule.verdict(&told.attempt())), "retry uncounted not-sent");
}

#[test]
fn a_row_with_retry_after_holds_where_the_field_can_be_read() {
    let row = When::status(StatusCode::CONFLICT).with_retry_after().retry();
    let rows = [
        ("0", true),
        ("120", true),
        ("Wed, 21 Oct 2015 07:28:00 GMT", true),
        ("soon", false),
        ("0.5", false),
        ("-1", false),
        ("", false),
    ];
    for (value, holds) in rows {
        assert_eq!(row.verdict(&status(409).retry_after(value).attempt()).is_some(), holds, "{value:?}");
    }
    assert_eq!(row.verdict(&status(409).attempt()), None);
}
