//! `httpx survey --compare`: each preset beside the client it is taken from.

// What the real clients did, and where we want to differ.
mod measured;
mod wanted;

// Ours beside theirs.
mod pairs;

mod show;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use http::Method;
use httpx_client::{Config, Limit};
use httpx_retry::preset;

use super::cell::{Cell, DELAY, MAX_DELAY, Stands, connect_timeout};
use super::faults::{self, Row};
use super::{Args, measured_at_once};
use crate::exit::{Exit, Trouble};
use crate::say;
use measured::Client;

/// The columns of the measured table, and the faults that show them.
const COLUMNS: &[(&str, &str)] = &[
    ("refuse", "refused"),
    ("conn-TO", "black-hole"),
    ("NX", "unknown-host"),
    ("bad cert", "bad-certificate"),
    ("TLS stall", "tls-stall"),
    ("RST", "reset-after-request"),
    ("FIN", "close-after-request"),
    ("read-TO", "never-answer"),
    ("body stall", "headers-then-stall"),
    ("half body", "half-body-fin"),
    ("idle FIN", "idle-fin"),
    ("stale FIN", "in-use-fin"),
    ("408", "status-408"),
    ("429", "status-429"),
    ("500", "status-500"),
    ("503", "status-503"),
    ("503+RA1", "status-503-retry-after-1"),
];

/// Measures every cell that was measured of a real client, and tells where they differ.
pub(super) fn run(args: &Args) -> Result<Exit, Trouble> {
    let clients = chosen(args)?;
    super::rows(&args.faults)?; // A name that no fault has is a mistake here too.
    let cells: Vec<_> = clients.iter().flat_map(|client| asked(client, args)).collect();
    let records = measured_at_once(cells.iter().map(|(_, _, cell)| cell.clone()).collect())?;
    let ours = cells.iter().zip(&records).map(|((client, column, cell), record)| pairs::Ours {
        client,
        column,
        method: cell.method.clone(),
        contacts: record.contacts,
    });
    let pairs = pairs::pairs(ours)?;
    say::out(if args.json { show::json(&pairs) } else { show::page(&clients, &pairs) })?;
    match pairs.iter().filter(|pair| pair.is_unexplained()).count() {
        0 => {}
        count => {
            return Err(Trouble::failed(format!("{count} of {} cells differ without a stated reason", pairs.len())));
        }
    }
    let wanted = pairs.iter().filter(|pair| pair.wanted.is_some()).count();
    let all = args.policies.is_empty() && args.faults.is_empty();
    if all && wanted * 100 > MOST_WANTED * pairs.len() {
        return Err(Trouble::failed(format!(
            "{wanted} of {} cells differ on purpose, above {MOST_WANTED} %",
            pairs.len()
        )));
    }
    Ok(Exit::Success)
}

/// The limit with which each client was measured first, by its policy.
pub(super) fn limits() -> Result<HashMap<String, Stands>, Trouble> {
    let backwards = measured::clients()?.into_iter().rev();
    Ok(backwards.map(|client| (client.policy, client.limit)).collect())
}

/// Of a hundred cells, so many may differ on purpose: presets that differ more often are not what they are named after.
const MOST_WANTED: usize = 3;

fn chosen(args: &Args) -> Result<Vec<Client>, Trouble> {
    let mut clients = measured::clients()?;
    for name in &args.policies {
        if clients.iter().all(|client| client.policy != *name) {
            return Err(Trouble::usage(format!("--policy: no client stands for the policy {name:?}")));
        }
    }
    clients.retain(|client| args.policies.is_empty() || args.policies.contains(&client.policy));
    Ok(clients)
}

/// Our cells that stand beside those that were measured of `client`.
fn asked<'a>(client: &'a Client, args: &Args) -> Vec<(&'a Client, &'static str, Cell)> {
    let rows: Vec<Arc<Row>> = faults::all().into_iter().map(Arc::new).collect();
    let mut cells = Vec::new();
    for (column, fault) in COLUMNS {
        let wanted = args.faults.is_empty() || args.faults.iter().any(|name| name == fault);
        let row = rows.iter().find(|row| row.name == *fault);
        let (Some(policy), Some(row), true) = (preset(&client.policy), row, wanted) else { continue };
        for method in [Method::GET, Method::POST] {
            if client.contacts(column, &method).is_some() {
                let config = config(client, args.timeout);
                cells.push((client, *column, Cell { policy, row: row.clone(), method, timeout: args.timeout, config }));
            }
        }
    }
    cells
}

/// The policy as it is, with waits that are cut where they are long: the limits of others depend on none above a second.
fn config(client: &Client, timeout: Duration) -> Config {
    let limit = Some(Limit::After(timeout));
    let connect_timeout = Some(Limit::After(connect_timeout(timeout)));
    let settings = Config { policy: Some(client.policy.clone()), max_delay: Some(MAX_DELAY), ..Config::default() };
    match client.limit {
        Stands::Request => Config { timeout: limit, connect_timeout, ..settings },
        Stands::Read => Config { read_timeout: limit, connect_timeout, ..settings },
        // Waits that are drawn must not pass a deadline, or the numbers would be drawn, too.
        Stands::Call => Config { deadline: limit, connect_timeout: Some(Limit::Off), delay: Some(DELAY), ..settings },
    }
}
