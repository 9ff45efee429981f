//! `httpx survey`: what each policy does to a failing service, measured.

// What is measured.
mod faults;
mod record;
mod resolver;

mod stage;

mod cell;

// Beside the real clients.
mod compare;

// How it is shown.
mod contacts;
mod durations;

mod page;

use std::sync::Arc;
use std::time::Duration;

use http::Method;
use httpx_retry::{Origin, PRESETS, Preset};
use indicatif::{ProgressBar, ProgressStyle};
use tokio::sync::Semaphore;

use cell::{Cell, Stands};
use faults::Row;
use record::Record;

use crate::exit::{Exit, Trouble};
use crate::{chosen, interrupt, say, values};

/// How many cells are measured at once. Most of their time is waiting for a limit to elapse.
const AT_ONCE: usize = 48;

/// Measure what each retry policy does to a failing service
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only this policy; may be repeated [default: httpx's own; with --json or --csv all]
    #[arg(long = "policy", value_name = "NAME")]
    policies: Vec<String>,
    /// Only this fault; may be repeated [default: all]
    #[arg(long = "fault", value_name = "NAME")]
    faults: Vec<String>,
    /// How long one attempt may take, or be silent where the client has such a limit; connecting may take two thirds of it
    #[arg(long, value_name = "TIME", value_parser = values::timeout, default_value = "300ms", allow_hyphen_values = true)]
    timeout: Duration,
    /// Show each policy beside the client it is taken from, and fail where they differ without a stated reason
    #[arg(long, conflicts_with = "csv")]
    compare: bool,
    /// Print every cell as JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print every cell as CSV
    #[arg(long)]
    csv: bool,
}

/// Runs `httpx survey`.
pub(crate) fn run(args: &Args) -> Result<Exit, Trouble> {
    if args.compare {
        return compare::run(args);
    }
    let policies = policies(args)?;
    let rows = rows(&args.faults)?;
    let records = measured_at_once(cells(&policies, &rows, args.timeout)?)?;
    if args.json {
        say::out(record::json(&records).map_err(Trouble::failed)?)?;
    } else if args.csv {
        say::out(record::csv(&records).map_err(Trouble::failed)?.trim_end())?;
    } else {
        say::out(page::page(&policies, &rows, &records, args.timeout))?;
    }
    Ok(Exit::Success)
}

fn policies(args: &Args) -> Result<Vec<&'static Preset>, Trouble> {
    let names = &args.policies;
    if names.is_empty() {
        // A table of all would be four terminals wide.
        let all = args.json || args.csv;
        return Ok(PRESETS.iter().filter(|preset| all || preset.origin == Origin::Httpx).collect());
    }
    chosen::policies(names)
}

fn rows(names: &[String]) -> Result<Vec<Arc<Row>>, Trouble> {
    let all = faults::all();
    if let Some(unknown) = names.iter().find(|name| all.iter().all(|row| row.name != **name)) {
        let known: Vec<_> = all.iter().map(|row| row.name.as_str()).collect();
        return Err(Trouble::usage(format!("--fault: unknown fault {unknown:?}; the faults are {}", known.join(", "))));
    }
    let chosen = all.into_iter().filter(|row| names.is_empty() || names.contains(&row.name));
    Ok(chosen.map(Arc::new).collect())
}

/// Every cell, in the order of faults, policies, methods.
fn cells(policies: &[&'static Preset], rows: &[Arc<Row>], timeout: Duration) -> Result<Vec<Cell>, Trouble> {
    let limits = compare::limits()?;
    let limit = |policy: &Preset| match policy.origin {
        Origin::Httpx => Stands::Request,
        Origin::Client { .. } => limits.get(policy.name).copied().unwrap_or(Stands::Request),
    };
    let mut cells = Vec::new();
    for row in rows {
        for policy in policies {
            for method in [Method::GET, Method::POST] {
                let config = cell::hurried(policy, row, timeout, limit(policy));
                cells.push(Cell { policy, row: row.clone(), method, timeout, config });
            }
        }
    }
    Ok(cells)
}

/// Measures all, some at a time.
fn measured_at_once(cells: Vec<Cell>) -> Result<Vec<Record>, Trouble> {
    interrupt::run_on_all_cores(measured(cells))
}

async fn measured(cells: Vec<Cell>) -> Result<Vec<Record>, Trouble> {
    let progress = progress(cells.len());
    let room = Arc::new(Semaphore::new(AT_ONCE));
    let running: Vec<_> = cells
        .into_iter()
        .map(|cell| {
            let (room, progress) = (room.clone(), progress.clone());
            tokio::spawn(async move {
                let _permit = room.acquire().await;
                let record = cell.measure().await;
                progress.inc(1);
                record.map_err(|told| Trouble::failed(format!("cannot show the fault {}: {told}", cell.row.name)))
            })
        })
        .collect();
    let mut records = Vec::new();
    for cell in running {
        records.push(cell.await.map_err(Trouble::failed)??);
    }
    progress.finish_and_clear();
    Ok(records)
}

/// On standard error, and only when that is a terminal.
fn progress(cells: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("measuring {bar:40} {pos} of {len} calls, {elapsed}");
    let bar = ProgressBar::new(cells as u64);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
