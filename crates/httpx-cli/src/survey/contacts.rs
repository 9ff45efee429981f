//! The main table: how often each policy contacted the server, for how long, and what was done more than once.

use std::sync::Arc;

use comfy_table::{LineStyle, Table};
use httpx_retry::Preset;

use super::faults::Row;
use super::record::{Pair, Record, pair};
use crate::{human, paint, table};

/// Rows are faults, columns are policies.
pub(super) fn contacts(policies: &[&Preset], rows: &[Arc<Row>], records: &[Record]) -> Table {
    let head = policies.iter().map(|policy| format!("{}\ncontacts   time", policy.name));
    let mut table = parted(table::natural(["\nfault".to_owned()].into_iter().chain(head)));
    let mut section = "";
    for row in rows {
        if row.section != section {
            section = row.section;
            let rest = policies.iter().map(|_| String::new());
            table.add_row([paint::quiet(section)].into_iter().chain(rest));
        }
        let cells = policies.iter().map(|policy| pair(records, policy.name, &row.name).map_or_else(String::new, cell));
        table.add_row([format!("  {}", row.name)].into_iter().chain(cells));
    }
    table
}

/// With a line between the policies.
fn parted(mut table: Table) -> Table {
    let mut style = table.style();
    style.header_lines = style.header_lines.junction('│');
    style.content_lines = style.content_lines.junction('│');
    style.header_separator = LineStyle::none().fill('─').junction('┼');
    table.load_style(style);
    table
}

/// `5/1 ×3   1.65 s`: contacts of GET and POST, how often the server acted on the POST, and the longer time.
fn cell(Pair { get, post }: Pair<'_>) -> String {
    let contacts = match (get.contacts, post.contacts) {
        (get, post) if get == post => get.to_string(),
        (get, post) => format!("{get}/{post}"),
    };
    // Only the POST's: to repeat a GET does no harm.
    let acted = if post.duplicates > 0 { format!("×{}", post.applied) } else { String::new() };
    let time = human::exactly(get.wall_ms.max(post.wall_ms));
    format!("{contacts:<4}{}{time:>7}", paint::bad(format!("{acted:<4}")))
}
