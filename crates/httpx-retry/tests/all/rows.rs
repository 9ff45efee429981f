//! Rules as rows.

use http::{Method, StatusCode};
use httpx_retry::{Connection, FailureKind, Hint, Methods, Rule, Sent, When};

use crate::told::{failed, n, said, status};

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
        (When::status(StatusCode::CONFLICT).with_retry_after().retry(), "status 409 with Retry-After: retry"),
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
