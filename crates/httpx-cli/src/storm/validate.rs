//! The simulation beside the real client.
//!
//! What is compared is how many requests a call costs, where that depends on rules and budgets and not on how fast the
//! machine is: at a server that answers everything with 503, and at one that does so to a fixed share of the requests.

use std::sync::Arc;
use std::time::Duration;

use comfy_table::CellAlignment;
use httpx_client::Client;
use httpx_faults::{Fault, Script, Server};
use httpx_retry::{Policy, Preset};
use httpx_storm::{Scenario, simulate};
use serde_json::json;

use crate::exit::{Exit, Trouble};
use crate::{interrupt, paint, say, table};

/// How far apart the two may be, as a share of what was measured.
const TOLERANCE: f64 = 0.1;

const CLIENTS: u32 = 200;
const PROCESSES: u32 = 10;

/// Which shares of the requests fail.
const FAILING: [f64; 2] = [1.0, 0.3];

/// Waits as short as these, or the real clients would take a minute for what nobody measures.
const DELAY: Duration = Duration::from_millis(1);
const MAX_DELAY: Duration = Duration::from_millis(5);

/// One policy at one server.
struct Comparison {
    policy: &'static str,
    failing: f64,
    calls: u64,
    simulated: f64,
    measured: f64,
}

impl Comparison {
    fn difference(&self) -> f64 {
        self.simulated / self.measured - 1.0
    }

    fn agrees(&self) -> bool {
        self.difference().abs() <= TOLERANCE
    }
}

/// Runs `httpx storm --validate`.
pub(super) fn run(policies: &[&'static Preset], as_json: bool) -> Result<Exit, Trouble> {
    let comparisons = interrupt::run_on_all_cores(comparisons(policies))?;
    say::out(if as_json { json(&comparisons).to_string() } else { page(&comparisons) })?;
    Ok(if comparisons.iter().all(Comparison::agrees) { Exit::Success } else { Exit::Failed })
}

async fn comparisons(policies: &[&'static Preset]) -> Result<Vec<Comparison>, Trouble> {
    let mut comparisons = Vec::new();
    for policy in policies {
        for failing in FAILING {
            comparisons.push(compared(policy, failing).await?);
        }
    }
    Ok(comparisons)
}

async fn compared(preset: &'static Preset, failing: f64) -> Result<Comparison, Trouble> {
    let policy = preset.policy().with_backoffs(|backoff| backoff.with_initial(DELAY).with_cap(MAX_DELAY));
    let scenario = Scenario {
        processes: PROCESSES,
        pause: Duration::from_secs(1),
        service: Duration::from_millis(1),
        load: 0.01,
        failing,
        outage: None,
        duration: Duration::from_secs(5),
        ..Scenario::of(CLIENTS)
    };
    let report = simulate(&scenario, &policy, |_| ()).map_err(Trouble::failed)?;
    let calls = report.total.calls;
    let requests = requests_of_real_clients(&policy, failing, calls, scenario.seed).await?;
    let measured = requests as f64 / calls as f64;
    Ok(Comparison { policy: preset.name, failing, calls, simulated: report.amplification(), measured })
}

/// How many requests a server sees that fails so, from the same number of clients, in as many processes, with as many calls.
async fn requests_of_real_clients(policy: &Policy, failing: f64, calls: u64, seed: u64) -> Result<u64, Trouble> {
    let script = Script::by_chance(failing, vec![Fault::status(503).into()], seed, |_| Fault::Ok);
    let server = Server::start(script).await.map_err(Trouble::failed)?;
    let url: Arc<str> = server.url().into();
    let processes = (0..PROCESSES).map(|_| Client::builder().policy(policy.clone()).build());
    let processes: Vec<_> = processes.collect::<Result<_, _>>()?;
    let mut clients = tokio::task::JoinSet::new();
    for client in 0..u64::from(CLIENTS) {
        let (process, url) = (processes[client as usize % processes.len()].clone(), url.clone());
        // Some have one call more, where there is a rest.
        let calls = (client..calls).step_by(CLIENTS as usize).count();
        clients.spawn(async move {
            for _ in 0..calls {
                // What comes of a call is not the question.
                process.post(&*url).body("a job").fetch_bytes().await.ok();
            }
        });
    }
    clients.join_all().await;
    Ok(server.journal().recorded())
}

fn page(comparisons: &[Comparison]) -> String {
    let head = ["policy", "answered with 503", "calls", "simulated", "measured", "difference"];
    let mut shown = table::natural(head.map(str::to_owned));
    for comparison in comparisons {
        let difference = format!("{:+.1} %", comparison.difference() * 100.0);
        shown.add_row([
            comparison.policy.to_owned(),
            format!("{:.0} %", comparison.failing * 100.0),
            comparison.calls.to_string(),
            format!("{:.3}", comparison.simulated),
            format!("{:.3}", comparison.measured),
            if comparison.agrees() { paint::good(difference) } else { paint::bad(difference) },
        ]);
    }
    for column in 1..head.len() {
        if let Some(column) = shown.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    format!(
        "{}\n{CLIENTS} clients in {PROCESSES} processes, at a server in this process and in the simulation.\n\n{}",
        paint::strong("Requests per call, simulated and measured"),
        shown.trim_fmt()
    )
}

fn json(comparisons: &[Comparison]) -> serde_json::Value {
    let row = |comparison: &Comparison| {
        json!({
            "policy": comparison.policy,
            "failing": comparison.failing,
            "calls": comparison.calls,
            "simulated": comparison.simulated,
            "measured": comparison.measured,
            "agrees": comparison.agrees(),
        })
    };
    comparisons.iter().map(row).collect()
}
