//! The second table: how long a call takes that meets silence, beside the bounds that one would hope for or fear.

use comfy_table::Table;
use httpx_retry::Preset;

use super::record::{Pair, Record, pair};
use crate::{human, paint, table};

/// The faults that make a client wait until a limit of its own elapses.
const SILENT: &[&str] =
    &["never-answer", "applied-then-hang", "headers-then-stall", "black-hole", "black-hole-no-connect-timeout"];

/// Rows are faults, columns are policies; `None` where no such fault was measured.
pub(super) fn durations(policies: &[&Preset], records: &[Record]) -> Option<Table> {
    let any = records.first()?;
    let bound = format!("{} × timeout", any.bound_ms / any.timeout_ms);
    let names = policies.iter().map(|policy| policy.name.to_owned());
    let mut table = table::natural(["fault".to_owned(), "timeout".to_owned(), bound].into_iter().chain(names));
    for fault in SILENT {
        let pairs: Vec<_> = policies.iter().filter_map(|policy| pair(records, policy.name, fault)).collect();
        if !pairs.is_empty() {
            let bounds = [(*fault).to_owned(), human::exactly(any.timeout_ms), human::exactly(any.bound_ms)];
            table.add_row(bounds.into_iter().chain(pairs.iter().map(cell)));
        }
    }
    (table.row_count() > 0).then_some(table)
}

/// Good when the timeout is kept, bad when a request that may have been sent took as long as all attempts may.
fn cell(Pair { get, post }: &Pair<'_>) -> String {
    let longer = if get.wall_ms > post.wall_ms { get } else { post };
    let time = human::exactly(longer.wall_ms);
    if 2 * longer.wall_ms <= 3 * longer.timeout_ms {
        paint::good(time)
    } else if longer.sent == Some("maybe") && longer.wall_ms >= longer.bound_ms {
        paint::bad(time)
    } else {
        time
    }
}
