//! The numbers as tables for people and as an object for programs.

use super::{
    lines::{BOUND, FETCHING, LINES, Line, READING},
    sheet::Sheet,
};
use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Map, Value, json};
use std::fmt;

/// All that was measured in one run.
#[derive(Debug)]
pub struct Report {
    /// The numbers.
    pub sheet: Sheet,
    /// The clients, in the order to print.
    pub clients: Vec<String>,
    /// The helpers that read a body, in the order to print.
    pub helpers: Vec<String>,
    /// Versions and machine: each fact by its name.
    pub environment: Vec<(String, String)>,
    /// The commands that were run.
    pub commands: Vec<String>,
}

impl Report {
    /// The same as an object.
    pub fn json(&self) -> Value {
        let values = |line: &Line, workers: &[String]| -> Map<String, Value> {
            workers.iter().map(|worker| (worker.clone(), json!((line.value)(&self.sheet, worker)))).collect()
        };
        let lines = LINES.iter().map(|line| {
            json!({
                "title": line.title,
                "values": values(line, &self.clients),
                "at_most": line.target.map(|target| target.at_most),
                "reached": self.is_reached(line, BOUND),
            })
        });
        let reading = READING.iter().map(|line| json!({ "title": line.title, "values": values(line, &self.helpers) }));
        let environment: Map<_, _> =
            self.environment.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        json!({
            "lines": lines.collect::<Vec<_>>(),
            "reading": reading.collect::<Vec<_>>(),
            "environment": environment,
            "commands": self.commands,
        })
    }

    fn is_reached(&self, line: &Line, worker: &str) -> Option<bool> {
        Some(line.target?.is_reached((line.value)(&self.sheet, worker)?))
    }

    fn comparison(&self) -> Table {
        let header = ["".to_owned()].into_iter().chain(self.clients.iter().cloned());
        let mut table = table(header.chain(["to reach", "reached"].map(str::to_owned)));
        let is_empty = |line: &Line| self.clients.iter().all(|client| (line.value)(&self.sheet, client).is_none());
        for line in LINES.iter().filter(|line| !is_empty(line)) {
            let values = self.clients.iter().map(|client| shown((line.value)(&self.sheet, client), line.digits));
            let target =
                line.target.map_or("".to_owned(), |target| format!("≤ {}", number(target.at_most, line.digits)));
            let reached = match self.is_reached(line, BOUND) {
                Some(true) => "yes",
                Some(false) => "NO",
                None => "",
            };
            table.add_row([line.title.to_owned()].into_iter().chain(values).chain([target, reached.to_owned()]));
        }
        aligned(table)
    }

    fn reading(&self) -> Table {
        let titles = READING.iter().map(|line| line.title.to_owned());
        let mut table = table(["1 MiB body by".to_owned()].into_iter().chain(titles));
        for helper in &self.helpers {
            let values = READING.iter().map(|line| shown((line.value)(&self.sheet, helper), line.digits));
            table.add_row([helper.clone()].into_iter().chain(values));
        }
        aligned(table)
    }

    /// What is not reached, and why.
    fn missed(&self) -> Vec<String> {
        let (helper, fetching) = &FETCHING;
        let lines = LINES.iter().map(|line| (line, BOUND)).chain([(fetching, *helper)]);
        let missed = lines.filter(|(line, worker)| self.is_reached(line, worker) == Some(false));
        let told = missed.map(|(line, worker)| {
            let (value, target) = ((line.value)(&self.sheet, worker), line.target.expect("it is missed"));
            let reason = target.missed.map_or("no reason is known", |missed| missed.reason);
            let (value, at_most) = (shown(value, line.digits), number(target.at_most, line.digits));
            format!("- {}: {value} where {at_most} is to be reached; {reason}", line.title)
        });
        told.collect()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for table in [self.comparison(), self.reading()].iter().filter(|table| !table.is_empty()) {
            writeln!(f, "{table}\n")?;
        }
        let missed = self.missed();
        if !missed.is_empty() {
            writeln!(f, "Not reached by {BOUND}:\n\n{}\n", missed.join("\n"))?;
        }
        let facts: Vec<_> = self.environment.iter().map(|(name, value)| format!("{name} {value}")).collect();
        writeln!(f, "{}\n", facts.join(" · "))?;
        for command in &self.commands {
            writeln!(f, "    $ {command}")?;
        }
        Ok(())
    }
}

fn table(header: impl Iterator<Item = String>) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(header);
    table
}

fn aligned(mut table: Table) -> Table {
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn shown(value: Option<f64>, digits: usize) -> String {
    value.map_or("–".to_owned(), |value| number(value, digits))
}

/// With a comma before each group of three digits, and so many digits after the point.
fn number(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    let (sign, text) = text.strip_prefix('-').map_or(("", &*text), |text| ("-", text));
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let groups: Vec<_> = whole.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
    format!("{sign}{}{rest}", groups.join(","))
}
