//! The parts of a policy in words, for every command that tells of one.

use std::num::NonZeroU32;
use std::time::{Duration, SystemTime};

use http::Method;
use httpx_retry::{
    Backoff, Budget, Charge, Connection, End, Explanation, FailureKind, Hedging, Hint, HintForm, Jitter, OverCap,
    Patience, Policy, RetryAfter, Row, Scenario, Sent, StatusSet,
};

use crate::human;

/// `4`, or that there is no limit.
pub(crate) fn attempts(policy: &Policy) -> String {
    match policy.max_attempts().get() {
        u32::MAX => "no limit".to_owned(),
        most => most.to_string(),
    }
}

/// The statuses that may be retried, in words.
pub(crate) fn statuses(policy: &Policy) -> String {
    let all = retried_statuses(policy);
    if all.is_empty() { "none".to_owned() } else { all.to_string() }
}

/// The statuses that may be retried: the transient ones, and those that a row of the rule singles out.
pub(crate) fn retried_statuses(policy: &Policy) -> StatusSet {
    if policy.max_attempts() == NonZeroU32::MIN {
        return StatusSet::empty();
    }
    let singled_out = policy.table().unwrap_or_default().iter().filter_map(Row::status);
    singled_out.fold(policy.statuses().clone(), StatusSet::with)
}

/// The back-off, and the other one of a server that throttles.
pub(crate) fn waits(policy: &Policy) -> String {
    let own = backoff(policy.backoff());
    match policy.throttling() {
        None => match only_after(policy) {
            Some(rows) => {
                let rows: Vec<_> = rows.into_iter().map(Row::condition).collect();
                format!("{own}; only after {}", rows.join(", or "))
            }
            None => own,
        },
        Some(throttling) => {
            format!("{own}; when throttled ({}): {}", throttling.statuses, backoff(&throttling.backoff))
        }
    }
}

/// The rows that wait, where a policy waits and others of its rows retry at once.
fn only_after(policy: &Policy) -> Option<Vec<&Row>> {
    let rows = policy.table()?;
    let mixed = !policy.backoff().initial().is_zero() && rows.iter().any(Row::is_at_once);
    mixed.then(|| rows.iter().filter(|row| row.waits()).collect())
}

fn backoff(backoff: &Backoff) -> String {
    let (initial, cap, factor) = (backoff.initial(), backoff.cap(), backoff.factor());
    if initial.is_zero() {
        return "none".to_owned();
    }
    let mut told = long(initial);
    if factor > 1.0 {
        told += &format!(" before the first retry, times {factor} each");
        if cap < Duration::MAX {
            told += &format!(", at most {}", long(cap));
        }
    }
    told + &match backoff.jitter() {
        Jitter::None => ", not varied".to_owned(),
        Jitter::Ratio(ratio) => format!(", varied by a ratio of ±{ratio}"),
        Jitter::RatioOverCap(ratio) => format!(", varied by a ratio of ±{ratio}, at the cap too"),
        Jitter::Full => ", a random part of it".to_owned(),
        Jitter::Half => ", half of it and a random part of the other half".to_owned(),
        Jitter::Additive(most) => format!(", up to {} on top", long(most)),
    }
}

/// Minutes and hours as such: `30m`, `6h`.
fn long(duration: Duration) -> String {
    if duration < Duration::from_secs(60) {
        human::took(duration)
    } else {
        humantime::format_duration(duration).to_string()
    }
}

/// What it does with what is known of the connection.
pub(crate) fn connection(policy: &Policy) -> &'static str {
    if policy.asks_connection() {
        "a reused one is treated apart; one of which nothing is known counts as fresh"
    } else {
        "fresh, reused and unknown alike"
    }
}

/// What `Retry-After` means.
pub(crate) fn retry_after(policy: &Policy) -> String {
    hint(policy).1
}

/// The mode of `Retry-After` in a word or two.
pub(crate) fn retry_after_in_short(policy: &Policy) -> String {
    hint(policy).0
}

/// Both, so that they cannot differ: what it does to the wait, and what it does to the retry.
fn hint(policy: &Policy) -> (String, String) {
    let (wait, told) = hinted_wait(policy);
    if policy.hint_form() == HintForm::GrpcPushback && wait != IGNORED {
        return (format!("{IGNORED}, pushback {wait}"), format!("{IGNORED}; grpc-retry-pushback-ms {told}"));
    }
    let retrying = policy.table().unwrap_or_default().iter().filter(|row| row.retries());
    let hints: Vec<_> = retrying.map(Row::hint).collect();
    let (gate, meaning) = if hints.iter().any(|hint| matches!(hint, Hint::Zero | Hint::AbsentOrZero)) {
        ("gate", "a gate: only 0 lets a status be retried that carries it")
    } else if hints.contains(&Hint::Readable) {
        ("trigger", "a trigger: a status without it is not retried")
    } else {
        return (wait.to_owned(), told);
    };
    if wait == IGNORED {
        (gate.to_owned(), meaning.to_owned())
    } else {
        (format!("{gate}, {wait}"), format!("{meaning}; {told}"))
    }
}

const IGNORED: &str = "ignored";

/// What it does to the wait, in short and in full.
fn hinted_wait(policy: &Policy) -> (&'static str, String) {
    let (short, meaning) = match policy.retry_after() {
        RetryAfter::Ignored => return (IGNORED, IGNORED.to_owned()),
        RetryAfter::LowerBound(OverCap::Wait) => {
            ("capped lower bound", "a lower bound on the wait; never more than the longest wait".to_owned())
        }
        RetryAfter::LowerBound(OverCap::GiveUp) => {
            ("capped lower bound", "a lower bound on the wait; above the longest wait the call ends".to_owned())
        }
        RetryAfter::LowerBound(OverCap::Follow) => {
            ("lower bound", "a lower bound on the wait, however long".to_owned())
        }
        RetryAfter::LowerBoundThenJitter => (
            "capped lower bound, then jitter",
            "a lower bound up to the longest wait, varied afterwards: may be undercut".to_owned(),
        ),
        RetryAfter::LowerBoundWithin(more) => {
            ("capped lower bound", format!("a lower bound, at most {} above the wait", long(more)))
        }
        RetryAfter::Replaces(most) | RetryAfter::ReplacesUnlessZero(most) if most == Duration::MAX => {
            ("replaces", "replaces the wait, however long".to_owned())
        }
        RetryAfter::Replaces(most) | RetryAfter::ReplacesUnlessZero(most) => {
            ("replaces", format!("replaces the wait, at most {}", long(most)))
        }
        // The type may grow; a meaning without words is better seen than hidden.
        _ => ("?", "has no words here yet".to_owned()),
    };
    let form = match policy.hint_form() {
        HintForm::Seconds => "; seconds only",
        HintForm::AmazonMillis => "; x-amz-retry-after first",
        _ => "",
    };
    let hinted = policy.hinted_statuses().map_or_else(String::new, |statuses| format!("; only with {statuses}"));
    let patience = match policy.patience() {
        Patience::Endless => "",
        Patience::HintWithinTimeout | Patience::WithinTimeout => "; beyond the timeout of an attempt the call ends",
    };
    (short, format!("{meaning}{form}{hinted}{patience}"))
}

/// The shared allowance.
pub(crate) fn budget(policy: &Policy) -> String {
    let Some(budget) = policy.budget() else { return "none".to_owned() };
    let Budget { capacity, retry_cost, timeout_cost, first_success, .. } = budget;
    if budget.charge == Charge::Failures {
        // gRPC counts in thousandths.
        let tokens = |thousandths: u32| f64::from(thousandths) / 1000.0;
        return format!(
            "{} tokens per server, shared by all calls: a failure takes {}, a success gives {}; at {} retries cease",
            tokens(*capacity),
            tokens(*retry_cost),
            tokens(*first_success),
            tokens(budget.floor.saturating_sub(1)),
        );
    }
    let throttled =
        policy.throttling().map_or_else(String::new, |throttling| format!(", when throttled {}", throttling.cost));
    format!(
        "{capacity} tokens per server, shared by all calls: a retry takes {retry_cost}, after a timeout \
         {timeout_cost}{throttled}; a first success gives {first_success}"
    )
}

/// When copies of a request leave.
pub(crate) fn hedging(hedging: Hedging) -> String {
    let (delay, most) = (hedging.delay(), hedging.max_attempts());
    format!("another send whenever no answer has come within {}, at most {most} in all", long(delay))
}

/// Waits, and nothing but numbers: `500 ms ×2 ≤ 30.0 s ±0.25`.
pub(crate) fn waits_in_short(policy: &Policy) -> String {
    let own = in_short(policy.backoff());
    match policy.throttling() {
        None if only_after(policy).is_some() => format!("{own}, else at once"),
        None => own,
        Some(throttling) => format!("{own}; {}: {}", throttling.statuses, in_short(&throttling.backoff)),
    }
}

fn in_short(backoff: &Backoff) -> String {
    let (initial, cap, factor) = (backoff.initial(), backoff.cap(), backoff.factor());
    if initial.is_zero() {
        return "none".to_owned();
    }
    let growth = if factor > 1.0 { format!(" ×{factor}") } else { String::new() };
    let bound = if factor > 1.0 && cap < Duration::MAX { format!(" ≤ {}", long(cap)) } else { String::new() };
    let jitter = match backoff.jitter() {
        Jitter::None => String::new(),
        Jitter::Ratio(ratio) | Jitter::RatioOverCap(ratio) => format!(" ±{ratio}"),
        Jitter::Full => " full jitter".to_owned(),
        Jitter::Half => " half jitter".to_owned(),
        Jitter::Additive(most) => format!(" +{}", long(most)),
    };
    format!("{}{growth}{bound}{jitter}", long(initial))
}

/// The budget in numbers: `500: 5, timeout 10`.
pub(crate) fn budget_in_short(policy: &Policy) -> String {
    let Some(budget) = policy.budget() else { return "none".to_owned() };
    let Budget { capacity, retry_cost, timeout_cost, .. } = budget;
    let mut told = format!("{capacity}: {retry_cost}");
    if timeout_cost != retry_cost {
        told += &format!(", timeout {timeout_cost}");
    }
    match policy.throttling() {
        Some(throttling) if throttling.cost != *retry_cost => format!("{told}, throttled {}", throttling.cost),
        Some(_) | None => told,
    }
}

/// The methods that are asked about.
const METHODS: [Method; 8] = [
    Method::GET,
    Method::HEAD,
    Method::OPTIONS,
    Method::TRACE,
    Method::PUT,
    Method::DELETE,
    Method::POST,
    Method::PATCH,
];

/// Which methods are sent again after a connection broke that may have carried the request, asked of the policy.
pub(crate) fn methods(policy: &Policy) -> String {
    let (any, reused) = (sent_again(policy, Connection::Unknown), sent_again(policy, Connection::Reused));
    match (list(&any), list(&reused)) {
        (any, reused) if any == reused => any,
        (any, reused) if any == "none" => format!("{reused}, on a reused connection"),
        (any, reused) => format!("{any}; on a reused connection {reused}"),
    }
}

fn sent_again(policy: &Policy, connection: Connection) -> Vec<Method> {
    let again = |method: &Method| {
        let lost = Scenario::new(method.clone(), End::Failure(FailureKind::Reset, Sent::Maybe));
        let lost = Scenario { connection, ..lost };
        matches!(lost.explain(policy, SystemTime::UNIX_EPOCH), Explanation::Retry { .. })
    };
    METHODS.into_iter().filter(again).collect()
}

fn list(methods: &[Method]) -> String {
    match methods.len() {
        0 => "none".to_owned(),
        all if all == METHODS.len() => "any".to_owned(),
        _ if METHODS.iter().all(|method| method.is_idempotent() == methods.contains(method)) => "idempotent".to_owned(),
        _ => methods.iter().map(Method::as_str).collect::<Vec<_>>().join(", "),
    }
}
