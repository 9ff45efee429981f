//! Answers with many rows: a table for people, sorted as they like, or JSON for programs.

use std::cmp::Ordering;
use std::str::FromStr;

use comfy_table::CellAlignment;
use semver::Version;
use serde::Serialize;
use serde_json::json;

use crate::exit::{Exit, Trouble};
use crate::{human, say, table};

/// How an answer is shown.
#[derive(Debug, clap::Args)]
pub(crate) struct Shown {
    /// Print one JSON value, with the names of the service
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Sort the table by this column; -COLUMN sorts it backwards
    #[arg(long, global = true, value_name = "COLUMN", allow_hyphen_values = true)]
    sort: Option<Sort>,
}

/// By which column, and which way.
#[derive(Clone, Debug)]
struct Sort {
    column: String,
    backwards: bool,
}

impl FromStr for Sort {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (column, backwards) = text.strip_prefix('-').map_or((text, false), |column| (column, true));
        Ok(Sort { column: column.to_owned(), backwards })
    }
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    name: &'static str,
    order: fn(&str, &str) -> Ordering,
    alignment: CellAlignment,
}

impl Column {
    pub(crate) const fn text(name: &'static str) -> Self {
        Column { name, order: by_text, alignment: CellAlignment::Left }
    }

    pub(crate) const fn number(name: &'static str) -> Self {
        Column { name, order: by_number, alignment: CellAlignment::Right }
    }

    pub(crate) const fn version(name: &'static str) -> Self {
        Column { name, order: by_version, alignment: CellAlignment::Left }
    }
}

fn by_text(one: &str, two: &str) -> Ordering {
    one.cmp(two)
}

/// What is no number comes first.
fn by_number(one: &str, two: &str) -> Ordering {
    let number = |text: &str| text.parse::<f64>().unwrap_or(f64::NEG_INFINITY);
    number(one).total_cmp(&number(two))
}

/// What is no version comes first.
fn by_version(one: &str, two: &str) -> Ordering {
    Version::parse(one).ok().cmp(&Version::parse(two).ok())
}

/// A table that is still empty, and how it will be shown.
#[derive(Debug)]
pub(crate) struct Page<const N: usize> {
    columns: [Column; N],
    /// The place of the column to sort by, and whether backwards.
    sort: Option<(usize, bool)>,
    json: bool,
}

impl Shown {
    /// A table with these columns. Made before anything is sent, since sorting by another column is a mistake.
    pub(crate) fn page<const N: usize>(&self, columns: [Column; N]) -> Result<Page<N>, Trouble> {
        let place = |sort: &Sort| match columns.iter().position(|column| column.name == sort.column) {
            Some(at) => Ok((at, sort.backwards)),
            None => {
                let names: Vec<_> = columns.iter().map(|column| column.name).collect();
                Err(Trouble::usage(format!(
                    "--sort: there is no column {:?}; there are {}",
                    sort.column,
                    names.join(", ")
                )))
            }
        };
        Ok(Page { columns, sort: self.sort.as_ref().map(place).transpose()?, json: self.json })
    }
}

impl<const N: usize> Page<N> {
    /// Prints `answer` as JSON, or `rows` as a table and their number below it; `note` follows that.
    pub(crate) fn print(
        self,
        answer: &impl Serialize,
        mut rows: Vec<[String; N]>,
        (thing, note): (&str, &str),
    ) -> Result<Exit, Trouble> {
        if self.json {
            return say::out(json!(answer)).map(|()| Exit::Success);
        }
        if let Some((at, backwards)) = self.sort {
            rows.sort_by(|one, two| {
                let order = (self.columns[at].order)(&one[at], &two[at]);
                if backwards { order.reverse() } else { order }
            });
        }
        let count = human::count(rows.len(), thing);
        let mut shown = table::natural(self.columns.iter().map(|column| column.name.to_owned()));
        for row in rows {
            shown.add_row(row.map(|cell| human::tamed(&cell)));
        }
        for (at, column) in self.columns.iter().enumerate() {
            if let Some(shown) = shown.column_mut(at) {
                shown.set_cell_alignment(column.alignment);
            }
        }
        say::out(format_args!("{}\n\n{count}{note}", shown.trim_fmt()))?;
        Ok(Exit::Success)
    }
}
