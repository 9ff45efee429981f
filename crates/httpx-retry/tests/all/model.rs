//! `next_step` against a second, naive implementation: whole numbers, one `if` after the other, nothing shared.

use std::time::Duration;

use http::Method;
use httpx_retry::{
    Backoff, Budget, FailureKind, History, Jitter, Now, OverCap, Policy, RetryAfter, Rule, Sample, Sent,
};
use proptest::prelude::*;
use proptest::sample::select;

use crate::told::{EPOCH, bucket, failed, ms, n, status, told_step};

/// A decision in plain numbers; times in milliseconds.
#[derive(Clone, Debug)]
struct Facts {
    rule: &'static str,
    /// A status with its `Retry-After` in seconds, or a failure.
    end: Result<(u16, Option<&'static str>), (FailureKind, Sent)>,
    post: bool,
    one_shot: bool,
    number: u32,
    max_attempts: u32,
    initial: u64,
    factor: u64,
    cap: u64,
    /// In quarters.
    jitter: u64,
    /// In eighths.
    sample: u64,
    over: RetryAfter,
    elapsed: u64,
    deadline: Option<u64>,
    /// What the bucket holds; `None`: no budget.
    tokens: Option<u32>,
    last_cost: u32,
}

fn ends() -> impl Strategy<Value = Result<(u16, Option<&'static str>), (FailureKind, Sent)>> {
    let hints = vec![None, Some("0"), Some("1"), Some("7"), Some("30"), Some("31"), Some("junk")];
    prop_oneof![
        (select(vec![200, 304, 404, 429, 500, 501, 503]), select(hints)).prop_map(Ok),
        (select(FailureKind::ALL), select(Sent::ALL)).prop_map(Err),
    ]
}

fn facts() -> impl Strategy<Value = Facts> {
    let rules = vec!["default", "idempotent_only", "any_io_error", "never"];
    let overs =
        vec![RetryAfter::Ignored, RetryAfter::LowerBound(OverCap::Wait), RetryAfter::LowerBound(OverCap::GiveUp)];
    let request = (select(rules), ends(), any::<bool>(), prop::bool::weighted(0.1), 1_u32..7, 1_u32..7);
    let waits = (0_u64..3_000, 1_u64..4, 0_u64..40_000, 0_u64..=4, 0_u64..8, select(overs));
    let limits = (0_u64..60_000, prop::option::of(0_u64..120_000), prop::option::of(0_u32..=20), 0_u32..20);
    (request, waits, limits).prop_map(|(request, waits, limits)| {
        let (rule, end, post, one_shot, number, max_attempts) = request;
        let (initial, factor, cap, jitter, sample, over) = waits;
        let (elapsed, deadline, tokens, last_cost) = limits;
        Facts {
            rule,
            end,
            post,
            one_shot,
            number,
            max_attempts,
            initial,
            factor,
            cap,
            jitter,
            sample,
            over,
            elapsed,
            deadline,
            tokens,
            last_cost,
        }
    })
}

const SMALL: Budget = Budget { capacity: 20, retry_cost: 5, timeout_cost: 10, first_success: 1, ..Budget::DEFAULT };

fn ask(facts: &Facts) -> String {
    let rule = match facts.rule {
        "default" => Rule::default_rule(),
        "idempotent_only" => Rule::idempotent_only(),
        "any_io_error" => Rule::any_io_error(),
        _ => Rule::never(),
    };
    let backoff = Backoff::NONE
        .with_initial(ms(facts.initial))
        .with_factor(facts.factor as f64)
        .with_cap(ms(facts.cap))
        .with_jitter(Jitter::Ratio(facts.jitter as f64 / 4.0));
    let policy = Policy::default()
        .with_rule(rule)
        .with_backoff(backoff)
        .with_retry_after(facts.over)
        .with_max_attempts(n(facts.max_attempts));
    let policy = facts.deadline.map_or(policy.clone(), |deadline| policy.with_deadline(ms(deadline)));
    let policy = facts.tokens.map_or(policy.clone().without_budget(), |_| policy.with_budget(SMALL));
    let told = match facts.end {
        Ok((code, None)) => status(code),
        Ok((code, Some(value))) => status(code).retry_after(value),
        Err((kind, sent)) => failed(kind, sent),
    };
    let told = told.method(if facts.post { Method::POST } else { Method::GET }).number(facts.number);
    let told = if facts.one_shot { told.one_shot() } else { told };
    let history = History {
        last_cost: facts.last_cost,
        bucket: bucket(SMALL, facts.tokens.unwrap_or(0)),
        backoff_from: 0,
        closed_for: Duration::ZERO,
    };
    let now = Now { elapsed: ms(facts.elapsed), wall: EPOCH };
    told_step(&policy.next_step(&history, &told.attempt(), now, Sample::from_bits(facts.sample << 61)))
}

/// The rule alone: `Ok` retries, `Err` stops.
fn model_rule(facts: &Facts) -> Result<&'static str, &'static str> {
    use FailureKind::{
        Builder, Certificate, Deadline, Decode, HeadTooLarge, ProxyAuthentication, ReadTimeout, Redirect, RequestBody,
        RequestTimeout, UnsupportedScheme,
    };
    let permanent =
        [HeadTooLarge, Certificate, ProxyAuthentication, Builder, UnsupportedScheme, Redirect, RequestBody, Decode];
    let (usual, maybe) = match facts.end {
        Ok((code, _)) if [429, 500, 502, 503, 504].contains(&code) => (Ok("transient-status"), true),
        Ok(_) => (Err("final-answer"), true),
        Err((Deadline, _)) => (Err("deadline"), true),
        Err((kind, _)) if permanent.contains(&kind) => (Err("permanent"), true),
        Err((_, Sent::No)) => (Ok("not-sent"), false),
        Err((_, Sent::NotProcessed)) => (Ok("not-processed"), false),
        Err((RequestTimeout | ReadTimeout, Sent::Maybe)) => (Err("may-be-working"), true),
        Err((_, Sent::Maybe)) => (Ok("io-failure"), true),
    };
    match (facts.rule, usual) {
        ("any_io_error", Err("may-be-working")) => Ok("io-failure"),
        ("never", Ok(_)) => Err("never"),
        ("idempotent_only", Ok(_)) if maybe => {
            if facts.post {
                Err("not-idempotent")
            } else {
                Ok("idempotent")
            }
        }
        (_, usual) => usual,
    }
}

/// Nanoseconds to wait, and `None` where the hint is too long.
fn model_wait(facts: &Facts) -> Option<u64> {
    if let Err((FailureKind::ConnectAbandoned, Sent::No)) = facts.end {
        return Some(0);
    }
    let cap = facts.cap * 1_000_000;
    let mut wait = facts.initial * 1_000_000;
    for _retry in 1..facts.number {
        wait = (wait * facts.factor).min(cap);
    }
    wait = wait.min(cap);
    // 1 + jitter/4 × (2 × sample/8 - 1), over 16.
    wait = (wait / 16 * (16 + facts.jitter * facts.sample - 4 * facts.jitter)).min(cap);
    let hint = match facts.end {
        Ok((_, Some(value))) if facts.over != RetryAfter::Ignored => value.parse::<u64>().ok(),
        Ok(_) | Err(_) => None,
    };
    let Some(hint) = hint.map(|seconds| seconds * 1_000_000_000) else { return Some(wait) };
    if hint > cap && facts.over == RetryAfter::LowerBound(OverCap::GiveUp) {
        return None;
    }
    Some(wait.max(hint / 32 * (32 + facts.jitter * facts.sample)).min(cap))
}

fn model(facts: &Facts) -> String {
    let stop = |refund: u32, reason: &str| format!("stop giving {refund}: {reason}");
    let reason = match model_rule(facts) {
        Ok(reason) => reason,
        Err(reason) => {
            let success = matches!(facts.end, Ok((200 | 304, _)));
            let refund = if facts.number == 1 { 1 } else { facts.last_cost };
            return stop(if success && facts.tokens.is_some() { refund } else { 0 }, reason);
        }
    };
    if facts.one_shot {
        return stop(0, "body-not-replayable");
    }
    if facts.number >= facts.max_attempts {
        return stop(0, "attempts-exhausted");
    }
    let Some(wait) = model_wait(facts) else { return stop(0, "retry-after-too-long") };
    if let Some(deadline) = facts.deadline
        && facts.elapsed * 1_000_000 + wait >= deadline * 1_000_000
    {
        return stop(0, "deadline");
    }
    use FailureKind::{ConnectTimeout, ReadTimeout, RequestTimeout};
    let cost = match facts.end {
        Err((ConnectTimeout | ReadTimeout | RequestTimeout, _)) => 10,
        Ok(_) | Err(_) => 5,
    };
    match facts.tokens {
        None => format!("retry after {:?} for 0: {reason}", std::time::Duration::from_nanos(wait)),
        Some(tokens) if tokens < cost => stop(0, "budget-empty"),
        Some(_) => format!("retry after {:?} for {cost}: {reason}", std::time::Duration::from_nanos(wait)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_policy_and_the_model_take_the_same_step(facts in facts()) {
        prop_assert_eq!(ask(&facts), model(&facts));
    }
}
