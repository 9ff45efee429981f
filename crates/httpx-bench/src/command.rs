//! The command line that both measuring programs share.

use crate::{
    adopted::HANDS,
    heap::Look,
    peers::PEERS,
    readers::READERS,
    scenario::Scenario,
    task::{Task, Worker},
};
use anyhow::{Context, Result, anyhow};
use clap::{Args, Parser, Subcommand};
use reqwest::Url;
use std::path::PathBuf;

/// Sends requests with one of the measured clients.
#[derive(Debug, Parser)]
#[command(version)]
pub struct Command {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Prints the names of those that can do the work, one a line.
    List {
        /// The kind of work.
        scenario: Scenario,
    },
    /// Does the work, and prints what was found out as one JSON object.
    Run(Run),
}

#[derive(Args, Debug)]
struct Run {
    /// The kind of work.
    scenario: Scenario,
    /// Who does it, one of those that `list` prints.
    worker: String,
    /// How many calls.
    count: u64,
    /// The port where `httpx-bench-server` listens.
    port: u16,
    /// The port where it listens with TLS.
    tls_port: u16,
    /// The file with its certificate.
    cacert: PathBuf,
}

/// Does what the command line asks, on one thread, and looks at the heap with `heap`.
///
/// # Errors
/// When nobody has that name, a request fails, or an answer is not the server's.
pub fn run(command: Command, heap: Look) -> Result<()> {
    match command.action {
        Action::List { scenario } => {
            workers(scenario).for_each(|worker| println!("{}", worker.name));
            Ok(())
        }
        Action::Run(run) => work(&run, heap),
    }
}

fn workers(scenario: Scenario) -> impl Iterator<Item = &'static Worker> {
    let all = match scenario {
        Scenario::Adopted => HANDS,
        Scenario::Read => READERS,
        _ => PEERS,
    };
    all.iter().filter(move |worker| worker.ability >= scenario.needs())
}

fn work(run: &Run, heap: Look) -> Result<()> {
    let Run { scenario, worker: name, count, port, tls_port, cacert } = run;
    let worker = workers(*scenario).find(|worker| worker.name == name).ok_or_else(|| unknown(*scenario, name))?;
    rustls::crypto::ring::default_provider()
        .install_default()
        .map_err(|_| anyhow!("a cryptography provider is installed already"))?;
    let counts = Url::parse(&format!("http://127.0.0.1:{port}/"))?;
    let (url, cacert) = match scenario {
        Scenario::RetryTls => (Url::parse(&format!("https://127.0.0.1:{tls_port}/"))?, Some(cacert.clone())),
        _ => (counts.clone(), None),
    };
    let task = Task { scenario: *scenario, count: *count, url, counts, cacert, heap };
    let mut told = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on((worker.work)(task.clone()))
        .with_context(|| format!("{name} could not do its work"))?;
    let (heap, counts) = (heap(), task.counts()?);
    told.extend([
        ("allocations", heap.allocations as f64),
        ("bytes", heap.bytes as f64),
        ("connections", counts.opened as f64),
    ]);
    println!("{}", serde_json::to_string(&told)?);
    Ok(())
}

fn unknown(scenario: Scenario, name: &str) -> anyhow::Error {
    let known: Vec<_> = workers(scenario).map(|worker| worker.name).collect();
    anyhow!("nobody who does this is called {name:?}; known are {}", known.join(", "))
}
