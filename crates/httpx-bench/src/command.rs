//! The command line that both measuring programs share.

use crate::{load::Load, peers::PEERS, scenario::Scenario};
use anyhow::{Context, Result, anyhow};
use clap::{Parser, Subcommand};

/// Sends requests with one of the measured clients.
#[derive(Debug, Parser)]
#[command(version)]
pub struct Command {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Prints the names of the clients, one a line.
    List,
    /// Sends COUNT requests, one after the other.
    Send {
        /// The client, one of those that `list` prints.
        peer: String,
        /// The kind of request.
        scenario: Scenario,
        /// How many requests.
        count: u32,
        /// Where `httpx-bench-server` listens, as in `http://127.0.0.1:4000/`.
        url: String,
    },
}

/// Does what the command line asks, on one thread.
///
/// # Errors
/// When the client is unknown, a request fails, or an answer is not the server's.
pub fn run(command: Command) -> Result<()> {
    match command.action {
        Action::List => {
            for (name, _) in PEERS {
                println!("{name}");
            }
            Ok(())
        }
        Action::Send { peer, scenario, count, url } => send(&peer, Load { scenario, count, url }),
    }
}

fn send(name: &str, load: Load) -> Result<()> {
    let (_, peer) = PEERS.iter().find(|(known, _)| *known == name).ok_or_else(|| unknown(name))?;
    rustls::crypto::ring::default_provider()
        .install_default()
        .map_err(|_| anyhow!("a cryptography provider is installed already"))?;
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(peer(load))
        .with_context(|| format!("{name} could not send all requests"))
}

fn unknown(name: &str) -> anyhow::Error {
    let known: Vec<_> = PEERS.iter().map(|(known, _)| *known).collect();
    anyhow!("no client is called {name:?}; known are {}", known.join(", "))
}
