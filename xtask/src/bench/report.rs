//! The counts as a table for people and as an object for programs.

use super::cost::Cost;
use comfy_table::{CellAlignment, Table, presets};
use serde_json::{Map, Value, json};
use std::fmt;

/// One client.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name.
    pub peer: String,
    /// What a GET costs.
    pub get: Cost,
    /// What a POST of 1 KiB costs.
    pub post: Cost,
}

/// All clients; the first is the one to compare with.
#[derive(Debug)]
pub struct Report {
    /// One a client, in the order to print.
    pub rows: Vec<Row>,
    /// Versions and machine: each fact by its name.
    pub environment: Vec<(String, String)>,
    /// The commands that were run.
    pub commands: Vec<String>,
}

impl Report {
    /// The same as an object.
    pub fn json(&self) -> Value {
        let rows = self.rows.iter().map(|row| {
            json!({
                "peer": row.peer,
                "get": cost(row.get, self.rows[0].get),
                "post": cost(row.post, self.rows[0].post),
            })
        });
        let environment: Map<_, _> =
            self.environment.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        json!({ "rows": rows.collect::<Vec<_>>(), "environment": environment, "commands": self.commands })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new();
        table.load_style(presets::ASCII_MARKDOWN);
        table.set_header([
            "client",
            "instructions GET",
            "POST",
            "ratio GET",
            "POST",
            "allocations GET",
            "POST",
            "difference GET",
            "POST",
        ]);
        for row in &self.rows {
            table.add_row(cells(row, &self.rows[0]));
        }
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        writeln!(f, "{table}\n")?;
        let facts: Vec<_> = self.environment.iter().map(|(name, value)| format!("{name} {value}")).collect();
        writeln!(f, "{}", facts.join(" · "))?;
        for command in &self.commands {
            writeln!(f, "$ {command}")?;
        }
        Ok(())
    }
}

fn cells(row: &Row, base: &Row) -> [String; 9] {
    let instructions =
        |cost: Cost| cost.instructions.map_or("not counted".to_owned(), |count| thousands(count.round()));
    let ratio = |cost, base| ratio(cost, base).map_or("-".to_owned(), |ratio| format!("{ratio:.4}"));
    [
        row.peer.clone(),
        instructions(row.get),
        instructions(row.post),
        ratio(row.get, base.get),
        ratio(row.post, base.post),
        format!("{:.2}", row.get.allocations),
        format!("{:.2}", row.post.allocations),
        format!("{:+.2}", row.get.allocations - base.get.allocations),
        format!("{:+.2}", row.post.allocations - base.post.allocations),
    ]
}

fn cost(cost: Cost, base: Cost) -> Value {
    json!({
        "instructions": cost.instructions,
        "ratio": ratio(cost, base),
        "allocations": cost.allocations,
        "difference": cost.allocations - base.allocations,
    })
}

fn ratio(cost: Cost, base: Cost) -> Option<f64> {
    Some(cost.instructions? / base.instructions?)
}

/// A whole number with a comma before each group of three digits.
fn thousands(count: f64) -> String {
    let digits = format!("{count:.0}");
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy).collect();
    groups.join(",")
}
