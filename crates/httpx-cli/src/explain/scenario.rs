//! One verdict, told.

use std::time::{Duration, SystemTime};

use http::HeaderMap;
use http::header::RETRY_AFTER;
use httpx_retry::{End, Explanation, Idempotency, Policy, Scenario, retry_after_is_malformed};
use serde_json::{Value, json};

use crate::{human, paint};

/// Two lines: what was asked, and the verdict.
pub(super) fn text(scenario: &Scenario, policy: &Policy) -> String {
    let explanation = scenario.explain(policy, SystemTime::now());
    let verdict = match &explanation {
        Explanation::Retry { reason, shortest, longest } => {
            format!("{}: {reason}", paint::careful(format!("retry after {}", range(*shortest, *longest))))
        }
        Explanation::Stop { reason } => format!("{}: {reason}", paint::bad("stop")),
    };
    format!("{}\n{verdict}{}", paint::strong(asked(scenario, policy)), ignored(scenario))
}

/// The same for programs.
pub(super) fn json(scenario: &Scenario, policy: &Policy) -> String {
    let explanation = scenario.explain(policy, SystemTime::now());
    let wait = match &explanation {
        Explanation::Retry { shortest, longest, .. } => {
            json!({"shortest": shortest.as_millis() as u64, "longest": longest.as_millis() as u64})
        }
        Explanation::Stop { .. } => Value::Null,
    };
    let reason = explanation.reason();
    json!({
        "policy": policy.name(),
        "verdict": explanation.verdict(),
        "reason": reason.code(),
        "message": reason.to_string(),
        "wait_ms": wait,
    })
    .to_string()
}

fn asked(scenario: &Scenario, policy: &Policy) -> String {
    let end = match &scenario.end {
        End::Answer(status, None) => format!("answered {status}"),
        End::Answer(status, Some(wait)) => format!("answered {status}, Retry-After: {}", wait.to_str().unwrap_or("?")),
        End::Failure(kind, sent) => format!("failed, {}, sent: {sent}", kind.phrase()),
    };
    let declared = match scenario.idempotency {
        Idempotency::Method => "",
        Idempotency::Key | Idempotency::Declared => " declared idempotent",
    };
    format!("{}{declared} {end} (policy {})", scenario.method, policy.name())
}

fn range(shortest: Duration, longest: Duration) -> String {
    match (human::took(shortest), human::took(longest)) {
        (shortest, longest) if shortest == longest => shortest,
        (shortest, longest) => format!("{shortest} to {longest}"),
    }
}

/// A word on a hint that nobody can read, since it changes nothing.
fn ignored(scenario: &Scenario) -> &'static str {
    let End::Answer(_, Some(value)) = &scenario.end else { return "" };
    let headers = HeaderMap::from_iter([(RETRY_AFTER, value.clone())]);
    if retry_after_is_malformed(&headers, SystemTime::now()) {
        "\nthis Retry-After is ignored: it is neither whole seconds nor an HTTP date"
    } else {
        ""
    }
}
