//! A whole policy, told.

use comfy_table::{Cell, Color, Table};
use httpx_retry::{Backoff, Budget, Jitter, OverCap, PRESETS, Policy, Preset, RetryAfter, truth_table};
use serde_json::{Value, json};

use crate::{human, paint, table};

/// Its parts, and its truth table.
pub(super) fn text(preset: &Preset) -> String {
    let policy = preset.policy();
    let mut told = format!("{}: {}\n", paint::strong(format!("policy {}", preset.name)), preset.summary);
    for (name, value) in parts(&policy) {
        told += &format!("\n  {} {value}", paint::quiet(format!("{name:<12}")));
    }
    let others: Vec<_> = PRESETS.iter().map(|other| other.name).filter(|name| *name != preset.name).collect();
    told + &format!("\n\n{}\n\nOther policies: {}", table(&policy).trim_fmt(), others.join(", "))
}

/// The same for programs.
pub(super) fn json(preset: &Preset) -> String {
    let policy = preset.policy();
    let backoff = policy.backoff();
    let jitter = match backoff.jitter() {
        Jitter::None => 0.0,
        Jitter::Ratio(ratio) => ratio,
    };
    json!({
        "policy": preset.name,
        "summary": preset.summary,
        "rule": policy.rule_name(),
        "max_attempts": policy.max_attempts().get(),
        "statuses": policy.statuses().iter().map(|status| status.as_u16()).collect::<Vec<_>>(),
        "delay_ms": backoff.initial().as_millis() as u64,
        "factor": backoff.factor(),
        "max_delay_ms": backoff.cap().as_millis() as u64,
        "jitter": jitter,
        "retry_after": retry_after(policy.retry_after()),
        "deadline_ms": policy.deadline().map(|deadline| deadline.as_millis() as u64),
        "budget": policy.budget().map_or(Value::Null, |budget| json!({
            "capacity": budget.capacity,
            "retry_cost": budget.retry_cost,
            "timeout_cost": budget.timeout_cost,
            "first_success": budget.first_success,
        })),
        "truth_table": rows(&policy).map(|[outcome, verdict, why]| {
            json!({"outcome": outcome, "verdict": verdict.trim_matches('*'), "why": why})
        }).collect::<Vec<_>>(),
    })
    .to_string()
}

fn parts(policy: &Policy) -> [(&'static str, String); 7] {
    let statuses: Vec<_> = policy.statuses().iter().map(|status| status.as_str().to_owned()).collect();
    [
        ("rule", policy.rule_name().to_owned()),
        ("attempts", format!("at most {}", policy.max_attempts())),
        ("statuses", statuses.join(", ")),
        ("waits", waits(policy.backoff())),
        ("Retry-After", retry_after(policy.retry_after()).to_owned()),
        ("deadline", policy.deadline().map_or_else(|| "none".to_owned(), human::took)),
        ("budget", policy.budget().map_or_else(|| "none".to_owned(), budget)),
    ]
}

fn waits(backoff: &Backoff) -> String {
    let jitter = match backoff.jitter() {
        Jitter::None => "not varied".to_owned(),
        Jitter::Ratio(ratio) => format!("varied by a ratio of ±{ratio}"),
    };
    let (initial, cap) = (human::took(backoff.initial()), human::took(backoff.cap()));
    format!("{initial} before the first retry, times {} each, at most {cap}, {jitter}", backoff.factor())
}

fn retry_after(meaning: RetryAfter) -> &'static str {
    match meaning {
        RetryAfter::Ignored => "ignored",
        RetryAfter::LowerBound(OverCap::Wait) => "a lower bound on the wait; never more than the longest wait",
        RetryAfter::LowerBound(OverCap::GiveUp) => "a lower bound on the wait; above the longest wait the call ends",
        // The type may grow; a meaning without words is better seen than hidden.
        _ => "has no words here yet",
    }
}

fn budget(budget: &Budget) -> String {
    let Budget { capacity, retry_cost, timeout_cost, first_success } = budget;
    format!(
        "{capacity} tokens per server, shared by all calls: a retry takes {retry_cost}, after a timeout {timeout_cost}; \
         a first success gives {first_success}"
    )
}

/// The rows of the Markdown table, without its head.
fn rows(policy: &Policy) -> impl Iterator<Item = [String; 3]> {
    let table = truth_table(policy);
    let lines: Vec<_> = table.lines().skip(2).map(str::to_owned).collect();
    lines.into_iter().filter_map(|line| {
        let cells: Vec<_> = line.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect();
        cells.try_into().ok()
    })
}

fn table(policy: &Policy) -> Table {
    let mut table = table::wrapped(["outcome of an attempt", "verdict", "why"].map(str::to_owned));
    for [outcome, verdict, why] in rows(policy) {
        table.add_row([Cell::new(outcome), coloured(&verdict), Cell::new(why)]);
    }
    table
}

/// The Markdown of the table marks the verdict that surprises; here colour does.
fn coloured(verdict: &str) -> Cell {
    let cell = Cell::new(verdict.trim_matches('*'));
    match verdict {
        "retry" => cell.fg(Color::Yellow),
        "stop" | "**stop**" => cell.fg(Color::Red),
        _ => cell,
    }
}
