//! A rule of the caller's own: what it sees, and that it is the one the policy asks.

use http::Method;
use httpx_retry::{Connection, FailureKind, Outcome, Policy, Reason, Replay, Rule, Sample, Sent, Verdict};

use crate::told::{AT_ONCE, Told, failed, fresh, said, status, told_step};

/// The sends of a call whose every attempt ends like this.
fn sends(policy: &Policy, told: &Told) -> u32 {
    let retried = |number: &u32| {
        let told = told.clone().number(*number);
        told_step(&policy.next_step(&fresh(), &told.attempt(), AT_ONCE, Sample::MIDDLE)).starts_with("retry")
    };
    (1..).find(|number| !retried(number)).expect("attempts run out")
}

#[test]
fn c07_a_rule_that_sees_the_method_sends_a_get_three_times_and_a_post_once() {
    let timeouts_of_idempotent_requests = Rule::new("mine", |attempt| match attempt.outcome {
        Outcome::Failure(failure) if failure.kind == FailureKind::RequestTimeout && attempt.request.is_idempotent() => {
            Verdict::Retry(Reason::Custom("may be repeated".into()))
        }
        Outcome::Failure(_) | Outcome::Answer { .. } => Verdict::Stop(Reason::NotIdempotent),
    });
    let three = std::num::NonZeroU32::new(3).expect("3 is not 0");
    let policy = Policy::default().with_rule(timeouts_of_idempotent_requests).with_max_attempts(three);
    let timeout = failed(FailureKind::RequestTimeout, Sent::Maybe);
    for (method, expected) in [
        (Method::GET, 3),
        (Method::HEAD, 3),
        (Method::PUT, 3),
        (Method::DELETE, 3),
        (Method::POST, 1),
        (Method::PATCH, 1),
    ] {
        assert_eq!(sends(&policy, &timeout.clone().method(method.clone())), expected, "{method}");
    }
    assert_eq!(sends(&policy, &failed(FailureKind::Reset, Sent::Maybe)), 1, "the rule asks for the kind too");
}

#[test]
fn c07_a_rule_sees_the_url() {
    let rule = Rule::new("only jobs", |attempt| {
        if attempt.request.url.ends_with("/jobs") {
            Verdict::Retry(Reason::Custom("jobs may be repeated".into()))
        } else {
            Verdict::Stop(Reason::NotIdempotent)
        }
    });
    let told = failed(FailureKind::Reset, Sent::Maybe).post();
    let jobs = told.clone().url("https://api.example.test/jobs");
    let pay = told.url("https://api.example.test/pay");
    assert_eq!(said(&rule.verdict(&jobs.attempt())), "retry jobs may be repeated");
    assert_eq!(said(&rule.verdict(&pay.attempt())), "stop not-idempotent");
}

#[test]
fn c07_a_rule_sees_status_headers_number_connection_and_whether_it_was_sent() {
    let rule = Rule::new("echo", |attempt| {
        let end = match attempt.outcome {
            Outcome::Answer { status, transient, headers } => format!("{status} {transient} {}", headers.len()),
            Outcome::Failure(failure) => failure.kind.to_string(),
        };
        let replay = match attempt.request.replay {
            Replay::Possible => "again",
            Replay::OneShot => "once",
        };
        let words = format!("{end}, {}, #{}, {:?}, {replay}", attempt.sent, attempt.number, attempt.connection);
        Verdict::Stop(Reason::Custom(words.into()))
    });
    let answer = status(503).retry_after("5").number(4).over(Connection::Reused).one_shot();
    let failure = failed(FailureKind::Closed, Sent::No).over(Connection::Unknown);
    assert_eq!(said(&rule.verdict(&answer.attempt())), "stop 503 Service Unavailable true 1, maybe, #4, Reused, once");
    assert_eq!(said(&rule.verdict(&failure.attempt())), "stop closed, no, #1, Unknown, again");
}

#[test]
fn the_policy_asks_the_rule_that_was_set_and_about_answers_too() {
    let rule = Rule::new("accepted is not done", |attempt| match attempt.outcome {
        Outcome::Answer { status, .. } if status.as_u16() == 202 => Verdict::Retry(Reason::Custom("not ready".into())),
        Outcome::Answer { .. } | Outcome::Failure(_) => Verdict::Stop(Reason::Never),
    });
    let policy = Policy::default().with_rule(rule);
    assert_eq!(policy.rule_name(), "accepted is not done");
    let step = |told: Told| told_step(&policy.next_step(&fresh(), &told.attempt(), AT_ONCE, Sample::MIDDLE));
    assert_eq!(step(status(202)), "retry after 500ms for 5: not ready");
    assert_eq!(step(status(503)), "stop giving 0: never");
    assert_eq!(step(failed(FailureKind::Refused, Sent::No)), "stop giving 0: never");
}

#[test]
fn verdicts_tell_whether_they_are_a_yes_and_reasons_have_a_code_and_a_sentence() {
    let wait = std::time::Duration::from_secs(1);
    assert!(Verdict::Retry(Reason::Never).is_retry());
    assert!(Verdict::RetryIn(wait, Reason::Never).is_retry());
    assert!(!Verdict::Stop(Reason::Never).is_retry());
    let reasons = [
        (Reason::FinalAnswer, "final-answer", "the answer is final"),
        (Reason::TransientStatus, "transient-status", "transient by convention"),
        (Reason::NotSent, "not-sent", "nothing was sent, so a retry cannot duplicate anything"),
        (Reason::NotProcessed, "not-processed", "the server said that it did not act on it"),
        (Reason::IoFailure, "io-failure", "I/O failures are retried"),
        (Reason::Idempotent, "idempotent", "the request is idempotent, so repeating it does no harm"),
        (Reason::MayBeWorking, "may-be-working", "it may have been sent, and the server may be working on it"),
        (Reason::NotIdempotent, "not-idempotent", "it may have been acted on and is not idempotent"),
        (Reason::Permanent, "permanent", "the next attempt would fail alike"),
        (Reason::Never, "never", "this policy never retries"),
        (Reason::Custom("mine".into()), "mine", "mine"),
        (Reason::AttemptsExhausted, "attempts-exhausted", "all attempts are used up"),
        (Reason::Deadline, "deadline", "the deadline leaves no time for another attempt"),
        (Reason::BudgetEmpty, "budget-empty", "the shared retry budget is empty"),
        (Reason::BodyNotReplayable, "body-not-replayable", "the body was a stream that can be read only once"),
        (
            Reason::BodyHandedOut,
            "body-handed-out",
            "pieces of the answer had been handed out, and it is not fetched again",
        ),
        (
            Reason::RetryAfterTooLong,
            "retry-after-too-long",
            "the server asked for a longer wait than the policy accepts",
        ),
    ];
    for (reason, code, sentence) in reasons {
        assert_eq!((reason.code(), reason.to_string().as_str()), (code, sentence));
    }
}
