//! A policy as a JSON value.

use httpx_retry::{Charge, Jitter, Origin, Policy, Preset};
use serde_json::{Value, json};

use crate::words;

/// All parts of `policy`, which is `preset`'s or one made after it. Durations in milliseconds; a limit that is not there is `null`.
pub(crate) fn portrait(preset: &Preset, policy: &Policy) -> Value {
    let backoff = policy.backoff();
    json!({
        "policy": preset.name,
        "summary": preset.summary,
        "origin": match preset.origin {
            Origin::Httpx => Value::Null,
            Origin::Client { client, source } => json!({"client": client, "source": source}),
        },
        "rule": policy.rule_name(),
        "rows": rows(policy),
        "max_attempts": match policy.max_attempts().get() {
            u32::MAX => Value::Null,
            most => json!(most),
        },
        "methods": words::methods(policy),
        "statuses": words::retried_statuses(policy).iter().map(|status| status.as_u16()).collect::<Vec<_>>(),
        "delay_ms": millis(backoff.initial()),
        "factor": backoff.factor(),
        "max_delay_ms": millis(backoff.cap()),
        "jitter": jitter(backoff.jitter()),
        "throttling": policy.throttling().map(|throttling| json!({
            "statuses": throttling.statuses.iter().map(|status| status.as_u16()).collect::<Vec<_>>(),
            "delay_ms": millis(throttling.backoff.initial()),
            "max_delay_ms": millis(throttling.backoff.cap()),
            "jitter": jitter(throttling.backoff.jitter()),
            "cost": throttling.cost,
        })),
        "retry_after": words::retry_after(policy),
        "retry_after_mode": words::retry_after_in_short(policy),
        "hedging": policy.hedging().map(|hedging| json!({
            "delay_ms": millis(hedging.delay()),
            "max_attempts": hedging.max_attempts(),
        })),
        "adaptive_rate": policy.adapts_rate(),
        "deadline_ms": policy.deadline().map(millis),
        "budget": policy.budget().map(|budget| json!({
            "capacity": budget.capacity,
            "retry_cost": budget.retry_cost,
            "timeout_cost": budget.timeout_cost,
            "first_success": budget.first_success,
            "floor": budget.floor,
            "charge": match budget.charge {
                Charge::Retries => "retries",
                Charge::Failures => "failures",
            },
        })),
    })
}

fn rows(policy: &Policy) -> Option<Value> {
    let told = policy.table()?.iter().map(|row| json!({"when": row.condition(), "then": row.consequence()}));
    Some(told.collect())
}

/// The ratio, or the name of another shape.
fn jitter(jitter: Jitter) -> Value {
    match jitter {
        Jitter::None => json!(0.0),
        Jitter::Ratio(ratio) | Jitter::RatioOverCap(ratio) => json!(ratio),
        Jitter::Full => json!("full"),
        Jitter::Half => json!("half"),
        Jitter::Additive(most) => json!({"additive_ms": millis(most)}),
    }
}

/// No cap is `null`.
fn millis(duration: std::time::Duration) -> Option<u64> {
    u64::try_from(duration.as_millis()).ok()
}
