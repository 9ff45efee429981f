//! The comparison, for people and for programs.

use comfy_table::{Cell, Color};
use http::Method;
use serde_json::json;

use super::COLUMNS;
use super::measured::Client;
use super::pairs::Pair;
use crate::{paint, table};

/// Every cell as JSON, one a line.
pub(super) fn json(pairs: &[Pair<'_>]) -> String {
    let cell = |pair: &Pair<'_>| {
        json!({
            "policy": pair.ours.client.policy,
            "client": pair.ours.client.name,
            "column": pair.ours.column,
            "method": pair.ours.method.as_str(),
            "ours": pair.ours.contacts,
            "theirs": pair.theirs,
            "wanted": pair.wanted,
            "unexplained": pair.is_unexplained(),
        })
        .to_string()
    };
    format!("[\n{}\n]", pairs.iter().map(cell).collect::<Vec<_>>().join(",\n"))
}

/// Two lines a client: what it did, and what our preset does.
pub(super) fn page(clients: &[Client], pairs: &[Pair<'_>]) -> String {
    let mut notes = Vec::new();
    let head = ["policy and client"].into_iter().chain(COLUMNS.iter().map(|(column, _)| *column));
    let mut shown = table::natural(head.map(str::to_owned));
    for client in clients {
        let theirs = COLUMNS.iter().map(|(column, _)| Cell::new(client.told(column)));
        shown.add_row([Cell::new(&client.name)].into_iter().chain(theirs));
        let ours = COLUMNS.iter().map(|(column, _)| cell(client, column, pairs, &mut notes));
        shown.add_row([Cell::new(format!("  {}", client.policy))].into_iter().chain(ours));
    }
    let mut page = paint::strong("Each preset beside the client it is taken from: contacts, GET/POST");
    page += INTRODUCTION;
    page += &shown.trim_fmt();
    for (at, note) in notes.iter().enumerate() {
        page += &format!("\n  [{}] {note}", at + 1);
    }
    page + &summary(pairs)
}

const INTRODUCTION: &str = "
The upper line is the real client as it was measured, the lower one is our preset, measured just now. A cell that
differs is marked: [1] is wanted, for the reason below; !! is not.
6†: three DNS queries an attempt. 1H: the client never returned, ours does. ·: not measured.

";

/// Our contacts, with a mark where they differ.
fn cell(client: &Client, column: &str, pairs: &[Pair<'_>], notes: &mut Vec<String>) -> Cell {
    let of = |method| {
        pairs.iter().find(|pair| {
            std::ptr::eq(pair.ours.client, client) && pair.ours.column == column && pair.ours.method == method
        })
    };
    let (Some(get), Some(post)) = (of(Method::GET), of(Method::POST)) else { return Cell::new("") };
    let contacts = match (get.ours.contacts, post.ours.contacts) {
        (get, post) if get == post => get.to_string(),
        (get, post) => format!("{get}/{post}"),
    };
    if get.is_unexplained() || post.is_unexplained() {
        return Cell::new(format!("{contacts} !!")).fg(Color::Red);
    }
    match get.wanted.as_ref().or(post.wanted.as_ref()) {
        Some(reason) => {
            let at = notes.iter().position(|note| note == reason).unwrap_or_else(|| {
                notes.push(reason.clone());
                notes.len() - 1
            });
            Cell::new(format!("{contacts} [{}]", at + 1)).fg(Color::Yellow)
        }
        None => Cell::new(contacts),
    }
}

fn summary(pairs: &[Pair<'_>]) -> String {
    let (all, wanted) = (pairs.len(), pairs.iter().filter(|pair| pair.wanted.is_some()).count());
    let unexplained = pairs.iter().filter(|pair| pair.is_unexplained()).count();
    let share = 100.0 * wanted as f64 / all.max(1) as f64;
    format!(
        "\n\n{all} cells: {} alike, {wanted} different on purpose ({share:.1} %), {unexplained} different without a reason",
        all - wanted - unexplained.min(all - wanted)
    )
}
