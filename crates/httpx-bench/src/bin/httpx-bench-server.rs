//! The server of the bench, on one thread.

use clap::Parser;
use std::path::PathBuf;
use tokio::{runtime::Builder, task::LocalSet};

/// Answers until it is killed.
#[derive(Parser)]
#[command(version)]
struct Command {
    /// Where the certificate to trust is written.
    cacert: PathBuf,
}

fn main() -> anyhow::Result<()> {
    let Command { cacert } = Command::parse();
    LocalSet::new().block_on(&Builder::new_current_thread().enable_all().build()?, httpx_bench::serve(&cacert))
}
