//! A whole policy, told.

use comfy_table::{Cell, Color, Table};
use httpx_retry::{Jitter, Origin, PRESETS, Policy, Preset, truth_table};
use serde_json::{Value, json};

use crate::{human, paint, table, words};

/// Its parts, and its truth table.
pub(super) fn text(preset: &Preset) -> String {
    let policy = preset.policy();
    let mut told = format!("{}: {}\n", paint::strong(format!("policy {}", preset.name)), preset.summary);
    for (name, value) in parts(&policy) {
        told += &format!("\n  {} {value}", paint::quiet(format!("{name:<12}")));
    }
    if let Origin::Client { client, source } = preset.origin {
        told += &format!("\n  {} {client}: {source}", paint::quiet(format!("{:<12}", "source")));
    }
    if let Some(rows) = rule_rows(&policy) {
        told += &format!("\n\n{}", rows.trim_fmt());
    }
    let others: Vec<_> = PRESETS.iter().map(|other| other.name).filter(|name| *name != preset.name).collect();
    told + &format!("\n\n{}\n\nOther policies: {}", table(&policy).trim_fmt(), others.join(", "))
}

/// The same for programs.
pub(super) fn json(preset: &Preset) -> String {
    let policy = preset.policy();
    let backoff = policy.backoff();
    json!({
        "policy": preset.name,
        "summary": preset.summary,
        "rule": policy.rule_name(),
        "origin": match preset.origin {
            Origin::Httpx => Value::Null,
            Origin::Client { client, source } => json!({"client": client, "source": source}),
        },
        "rows": policy.table().map(|rows| rows.iter().map(|row| {
            json!({"when": row.condition(), "then": row.consequence()})
        }).collect::<Vec<_>>()),
        "max_attempts": policy.max_attempts().get(),
        "statuses": policy.statuses().iter().map(|status| status.as_u16()).collect::<Vec<_>>(),
        "delay_ms": backoff.initial().as_millis() as u64,
        "factor": backoff.factor(),
        "max_delay_ms": backoff.cap().as_millis() as u64,
        "jitter": jitter(backoff.jitter()),
        "retry_after": words::retry_after(&policy),
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

/// The ratio, or the name of another shape.
fn jitter(jitter: Jitter) -> Value {
    match jitter {
        Jitter::None => json!(0.0),
        Jitter::Ratio(ratio) | Jitter::RatioOverCap(ratio) => json!(ratio),
        Jitter::Full => json!("full"),
        Jitter::Half => json!("half"),
        Jitter::Additive(most) => json!({"additive_ms": most.as_millis() as u64}),
    }
}

fn parts(policy: &Policy) -> [(&'static str, String); 7] {
    [
        ("rule", policy.rule_name().to_owned()),
        ("attempts", format!("at most {}", words::attempts(policy))),
        ("statuses", words::statuses(policy)),
        ("waits", words::waits(policy)),
        ("Retry-After", words::retry_after(policy)),
        ("deadline", policy.deadline().map_or_else(|| "none".to_owned(), human::took)),
        ("budget", words::budget(policy)),
    ]
}

/// The rows that the rule consists of, if it does: the first one that holds decides.
fn rule_rows(policy: &Policy) -> Option<Table> {
    let rows = policy.table()?;
    let mut table = table::wrapped(["", "the first row that holds", "decides"].map(str::to_owned));
    for (number, row) in rows.iter().enumerate() {
        table.add_row([Cell::new(number + 1), Cell::new(row.condition()), coloured(&row.consequence())]);
    }
    table.add_row([Cell::new(rows.len() + 1), Cell::new("anything else"), coloured("stop")]);
    Some(table)
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
        "stop" | "**stop**" => cell.fg(Color::Red),
        _ if verdict.starts_with("retry") => cell.fg(Color::Yellow),
        _ => cell,
    }
}
