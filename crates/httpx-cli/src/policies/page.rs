//! The page for a person who has to choose a policy: `docs/POLICIES.md`.

use std::fmt::Write as _;

use httpx_retry::{Origin, PRESETS, Preset};

use super::{HEAD, row, whose};
use crate::exit::Trouble;
use crate::words;

/// Written by hand: what no value of a policy tells.
const INTRODUCTION: &str = include_str!("page/introduction.md");
const CHOOSING: &str = include_str!("page/choosing.md");
const SUMMARIES: &str = include_str!("page/summaries.md");

/// The whole page, in Markdown.
pub(super) fn page() -> Result<String, Trouble> {
    let mut page = String::from(INTRODUCTION);
    let choosing = CHOOSING.replace("{budgeted}", &budgeted());
    written(write!(page, "\n{choosing}\n## Side by side\n\n{}\n{SUMMARIES}\n## Each policy\n", side_by_side()))?;
    for preset in PRESETS {
        written(write!(page, "\n{}", section(preset)))?;
    }
    Ok(page.trim_end().to_owned())
}

fn written(written: std::fmt::Result) -> Result<(), Trouble> {
    written.map_err(Trouble::failed)
}

/// The policies that bound retries across calls.
fn budgeted() -> String {
    let with_budget = PRESETS.iter().filter(|preset| preset.policy().budget().is_some());
    with_budget.map(|preset| format!("`{}`", preset.name)).collect::<Vec<_>>().join(", ")
}

fn side_by_side() -> String {
    let line = |cells: &[&str]| format!("| {} |\n", cells.join(" | "));
    let mut table = line(&HEAD) + &line(&["---"; HEAD.len()]);
    for preset in PRESETS {
        let mut cells = row(preset);
        cells[0] = format!("[{0}](#{0})", preset.name);
        table += &line(&cells.each_ref().map(String::as_str));
    }
    table
}

/// What one policy does, row by row where its rule has rows.
fn section(preset: &Preset) -> String {
    let policy = preset.policy();
    let mut told = format!("### {}\n\n{}: {}.\n", preset.name, whose(preset), preset.summary);
    if let Some(rows) = policy.table() {
        told += "\n| the first row that holds | decides |\n| --- | --- |\n";
        for row in rows {
            told += &format!("| {} | {} |\n", row.condition(), row.consequence());
        }
        told += "| anything else | stop |\n";
    }
    told += &format!(
        "\n- attempts: {}\n- waits: {}\n- Retry-After: {}\n- budget: {}\n- connection: {}\n",
        words::attempts(&policy),
        words::waits(&policy),
        words::retry_after(&policy),
        words::budget(&policy),
        words::connection(&policy),
    );
    if let Origin::Client { source, .. } = preset.origin {
        told += &format!("- source: {source}\n");
    }
    told
}
