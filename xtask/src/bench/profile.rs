//! Whose instructions a call without faults is made of.

use super::{meter::Meter, work};
use anyhow::{Context, Result};
use comfy_table::{CellAlignment, Table, presets};
use std::{collections::BTreeMap, fmt};

/// No function of ours may have more than this share.
const AT_MOST: f64 = 0.005;

/// Functions with less are not listed, only summed up.
const LISTED: f64 = 0.001;

/// Where our sources are, and what their functions are called.
const SOURCES: [&str; 2] = ["crates/httpx-client/src/", "crates/httpx-retry/src/"];
const NAMES: [&str; 2] = ["httpx_client::", "httpx_retry::"];

/// The instructions of a call by who spends them.
#[derive(Debug)]
pub(super) struct Profile {
    total: f64,
    /// Of our functions by name, and of what the compiler put into them.
    functions: Vec<(String, f64)>,
    /// Of our sources, wherever the compiler put them.
    sources: f64,
}

/// Instructions by file and function.
type Costs = BTreeMap<(String, String), f64>;

impl Profile {
    /// Takes the profile of a GET.
    pub(super) fn take(meter: &Meter<'_>) -> Result<Self> {
        let [short, long] = work::PROFILED;
        let (less, more) = (meter.annotated("get", "httpx", short)?, meter.annotated("get", "httpx", long)?);
        let (less, more) = (costs(&less)?, costs(&more)?);
        let calls = f64::from(long - short);
        Ok(Self::of(more.into_iter().map(|(place, cost)| {
            let before = less.get(&place).copied().unwrap_or_default();
            (place, (cost - before) / calls)
        })))
    }

    fn of(costs: impl Iterator<Item = ((String, String), f64)>) -> Self {
        let mut profile = Profile { total: 0.0, functions: Vec::new(), sources: 0.0 };
        let mut functions = BTreeMap::<String, f64>::new();
        for ((file, function), cost) in costs {
            profile.total += cost;
            if SOURCES.iter().any(|source| file.contains(source)) {
                profile.sources += cost;
            }
            if is_ours(&function) {
                *functions.entry(function).or_default() += cost;
            }
        }
        profile.functions = functions.into_iter().collect();
        profile.functions.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        profile
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |cost: f64| cost / self.total;
        let mut table = Table::new();
        table.load_style(presets::ASCII_MARKDOWN);
        table.set_header(["function of ours, with what is inlined into it", "instructions of a GET", "share"]);
        for (function, cost) in self.functions.iter().filter(|(_, cost)| share(*cost) >= LISTED) {
            table.add_row([format!("`{function}`"), format!("{cost:.0}"), format!("{:.2} %", 100.0 * share(*cost))]);
        }
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        let sum: f64 = self.functions.iter().map(|(_, cost)| cost).sum();
        let above = self.functions.iter().filter(|(_, cost)| share(*cost) > AT_MOST).count();
        writeln!(f, "{table}\n")?;
        writeln!(
            f,
            "Of {:.0} instructions of a GET our functions have {sum:.0} ({:.2} %), and lines of our sources {:.0} ({:.2} %), \
             wherever they are inlined. {above} of them: more than {} %. Those below {} % are not listed.",
            self.total,
            100.0 * share(sum),
            self.sources,
            100.0 * share(self.sources),
            100.0 * AT_MOST,
            100.0 * LISTED
        )
    }
}

/// Also what is made for one of our types, such as its destructor, is ours.
fn is_ours(function: &str) -> bool {
    let name = function.trim_start_matches("core::ptr::drop_in_place").trim_start_matches(['<', '&']);
    NAMES.iter().any(|ours| name.starts_with(ours))
}

/// Reads the lines `  1,234 ( 0.12%)  FILE:FUNCTION [PROGRAM]` of callgrind_annotate.
fn costs(annotated: &str) -> Result<Costs> {
    let mut costs = Costs::new();
    for line in annotated.lines() {
        let Some((cost, rest)) = line.split_once(" (") else { continue };
        let (Ok(cost), Some((_, place))) = (cost.trim().replace(',', "").parse::<f64>(), rest.split_once("%)  "))
        else {
            continue;
        };
        let place = place.split(" [").next().unwrap_or(place);
        let Some((file, function)) = place.split_once(':') else { continue };
        *costs.entry((file.to_owned(), function.to_owned())).or_default() += cost;
    }
    (!costs.is_empty()).then_some(costs).context("callgrind_annotate told no costs")
}
