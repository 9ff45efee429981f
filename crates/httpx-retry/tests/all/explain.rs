//! What a policy would do, asked without sending.

use http::{HeaderValue, Method, StatusCode};
use httpx_retry::{
    Backoff, Budget, Connection, End, Explanation, FailureKind, Idempotency, Jitter, Outcome, Phase, Policy, Reason,
    Replay, Rule, Scenario, Sent, Verdict,
};

use crate::told::{EPOCH, ms, n, secs};

fn answer(status: StatusCode, retry_after: &'static str) -> End {
    End::Answer(status, Some(HeaderValue::from_static(retry_after)))
}

fn explain(policy: &Policy, method: Method, end: End) -> String {
    told(&Scenario::new(method, end).explain(policy, EPOCH))
}

fn told(explanation: &Explanation) -> String {
    let (verdict, reason) = (explanation.verdict(), explanation.reason().code());
    match explanation {
        Explanation::Retry { shortest, longest, .. } => format!("{verdict} in {shortest:?} to {longest:?}: {reason}"),
        Explanation::Stop { .. } => format!("{verdict}: {reason}"),
    }
}

#[test]
fn an_explanation_gives_verdict_reason_and_the_range_of_waits() {
    let unavailable = StatusCode::SERVICE_UNAVAILABLE;
    let rows = [
        ("transient", End::Answer(unavailable, None), "retry in 375ms to 625ms: transient-status"),
        ("with a hint", answer(unavailable, "10"), "retry in 10s to 12.5s: transient-status"),
        ("with a date", answer(unavailable, "Thu, 01 Jan 1970 00:00:20 GMT"), "retry in 20s to 25s: transient-status"),
        ("with a hint above the cap", answer(unavailable, "99"), "retry in 30s to 30s: transient-status"),
        ("with nonsense", answer(unavailable, "soon"), "retry in 375ms to 625ms: transient-status"),
        ("final", End::Answer(StatusCode::NOT_FOUND, None), "stop: final-answer"),
        ("final with a hint", answer(StatusCode::NOT_FOUND, "10"), "stop: final-answer"),
        ("refused", End::Failure(FailureKind::Refused, Sent::No), "retry in 375ms to 625ms: not-sent"),
        ("timeout", End::Failure(FailureKind::RequestTimeout, Sent::Maybe), "stop: may-be-working"),
    ];
    for (name, end, expected) in rows {
        assert_eq!(explain(&Policy::default(), Method::POST, end), expected, "{name}");
    }
}

#[test]
fn a_scenario_tells_the_rule_everything_it_knows() {
    let reset = || End::Failure(FailureKind::Reset, Sent::Maybe);
    let policy = Policy::default().with_rule(Rule::idempotent_only());
    let post = Scenario::new(Method::POST, reset());
    assert_eq!(explain(&policy, Method::GET, reset()), "retry in 375ms to 625ms: idempotent");
    assert_eq!(told(&post.explain(&policy, EPOCH)), "stop: not-idempotent");
    let keyed = Scenario { idempotency: Idempotency::Key, ..post.clone() };
    assert_eq!(told(&keyed.explain(&policy, EPOCH)), "retry in 375ms to 625ms: idempotent");
    let one_shot = Scenario { replay: Replay::OneShot, ..post };
    assert_eq!(told(&one_shot.explain(&Policy::default(), EPOCH)), "stop: body-not-replayable");
}

#[test]
fn limits_of_the_policy_are_told_too() {
    let end = || End::Answer(StatusCode::BAD_GATEWAY, None);
    let broke = Budget { capacity: 4, ..Budget::DEFAULT };
    let statuses = Policy::default().statuses().clone().without(StatusCode::BAD_GATEWAY);
    let plain = Backoff::DEFAULT.with_jitter(Jitter::None);
    let rows = [
        ("one attempt", Policy::default().with_max_attempts(n(1)), "stop: attempts-exhausted"),
        ("no time", Policy::default().with_deadline(ms(375)), "stop: deadline"),
        ("time for all waits", Policy::default().with_deadline(ms(626)), "retry in 375ms to 625ms: transient-status"),
        ("time for some waits", Policy::default().with_deadline(ms(500)), "retry in 375ms to 500ms: transient-status"),
        ("a bucket too small", Policy::default().with_budget(broke), "stop: budget-empty"),
        ("no budget", Policy::default().without_budget(), "retry in 375ms to 625ms: transient-status"),
        ("another set", Policy::default().with_statuses(statuses), "stop: final-answer"),
        ("no jitter", Policy::default().with_backoff(plain), "retry in 500ms to 500ms: transient-status"),
        ("no wait", Policy::default().with_backoff(Backoff::NONE), "retry in 0ns to 0ns: transient-status"),
    ];
    for (name, policy, expected) in rows {
        assert_eq!(explain(&policy, Method::GET, end()), expected, "{name}");
    }
}

#[test]
fn a_rules_own_wait_is_the_whole_range() {
    let rule = Rule::new("own", |_| Verdict::RetryIn(secs(3), Reason::Custom("mine".into())));
    let end = End::Failure(FailureKind::Io, Sent::Maybe);
    assert_eq!(explain(&Policy::default().with_rule(rule), Method::GET, end), "retry in 3s to 3s: mine");
}

/// The phase that a scenario assumes, by what is known of the request: no, not processed, maybe.
#[test]
fn a_failure_is_placed_in_the_phase_where_it_usually_happens() {
    use Phase::{Answer, Body, Connect, Prepare, Resolve, Tls};
    let later = [Connect, Answer, Answer];
    let rows: [(FailureKind, [Phase; 3]); 23] = [
        (FailureKind::ConnectTimeout, [Connect; 3]),
        (FailureKind::RequestTimeout, later),
        (FailureKind::ReadTimeout, later),
        (FailureKind::Deadline, later),
        (FailureKind::UnknownHost, [Resolve; 3]),
        (FailureKind::Refused, [Connect; 3]),
        (FailureKind::Unreachable, [Connect; 3]),
        (FailureKind::TlsHandshake, [Tls; 3]),
        (FailureKind::Certificate, [Tls; 3]),
        (FailureKind::Reset, later),
        (FailureKind::Closed, later),
        (FailureKind::Truncated, [Body; 3]),
        (FailureKind::Garbage, later),
        (FailureKind::HeadTooLarge, later),
        (FailureKind::StreamRefused, later),
        (FailureKind::StreamReset, later),
        (FailureKind::GoAway, later),
        (FailureKind::Io, later),
        (FailureKind::Builder, [Prepare; 3]),
        (FailureKind::UnsupportedScheme, [Prepare; 3]),
        (FailureKind::Redirect, later),
        (FailureKind::RequestBody, later),
        (FailureKind::Decode, [Body; 3]),
    ];
    let echo = Policy::default().with_rule(Rule::new("echo", |attempt| {
        let phase = match attempt.outcome {
            Outcome::Failure(failure) => failure.phase.name(),
            Outcome::Answer { .. } => "answered",
        };
        let first = attempt.number == n(1)
            && attempt.connection == Connection::Unknown
            && attempt.request.url == "http://example.test/";
        Verdict::Stop(Reason::Custom(if first { phase.into() } else { "not a first attempt".into() }))
    }));
    for (kind, phases) in rows {
        for (sent, phase) in Sent::ALL.iter().zip(phases) {
            let stop = format!("stop: {phase}");
            assert_eq!(explain(&echo, Method::GET, End::Failure(kind, *sent)), stop, "{kind}, sent {sent}");
        }
    }
}
