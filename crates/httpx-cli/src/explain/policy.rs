//! A whole policy, told.

use comfy_table::{Cell, Color, Table};
use httpx_retry::{Origin, PRESETS, Policy, Preset, truth_table};
use serde_json::json;

use crate::{human, paint, portrait, table, words};

/// Its parts, and the rows of its rule; where the rule is a function, the table of what it answers.
pub(super) fn text(preset: &Preset, policy: &Policy) -> String {
    let mut told = format!("{}: {}\n", paint::strong(format!("policy {}", preset.name)), preset.summary);
    for (name, value) in parts(policy) {
        told += &format!("\n  {} {value}", paint::quiet(format!("{name:<12}")));
    }
    if policy.table().is_some() {
        told += &format!("\n  {} {}", paint::quiet(format!("{:<12}", "connection")), words::connection(policy));
    }
    if let Origin::Client { client, source } = preset.origin {
        told += &format!("\n  {} {client}: {source}", paint::quiet(format!("{:<12}", "source")));
    }
    let table = rule_rows(policy).unwrap_or_else(|| table(policy));
    let others: Vec<_> = PRESETS.iter().map(|other| other.name).filter(|name| *name != preset.name).collect();
    told + &format!("\n\n{}\n\nOther policies: {}", table.trim_fmt(), others.join(", "))
}

/// The same for programs.
pub(super) fn json(preset: &Preset, policy: &Policy) -> String {
    let mut told = portrait::portrait(preset, policy);
    told["truth_table"] = rows(policy)
        .map(|[outcome, verdict, why]| json!({"outcome": outcome, "verdict": verdict.replace('*', ""), "why": why}))
        .collect();
    told.to_string()
}

fn parts(policy: &Policy) -> Vec<(&'static str, String)> {
    let mut parts = vec![
        ("rule", policy.rule_name().to_owned()),
        ("attempts", format!("at most {}", words::attempts(policy))),
        ("statuses", words::statuses(policy)),
        ("waits", words::waits(policy)),
        ("Retry-After", words::retry_after(policy)),
        ("deadline", policy.deadline().map_or_else(|| "none".to_owned(), human::took)),
        ("budget", words::budget(policy)),
    ];
    parts.extend(policy.hedging().map(|hedging| ("hedging", words::hedging(hedging))));
    parts
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
