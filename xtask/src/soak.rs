//! `cargo xtask soak`: every kind of call through every fault, for as long as wanted.

use crate::tree::root;
use anyhow::{Context, Result};
use clap::Args;
use xshell::{Shell, cmd};

/// Sends calls of every kind through every fault, and compares what callers were told with what the servers saw.
#[derive(Args, Debug)]
pub struct Options {
    /// How long.
    #[arg(long, default_value_t = 5)]
    minutes: u64,
    /// The same in seconds.
    #[arg(long, conflicts_with = "minutes")]
    seconds: Option<u64>,
    /// Which calls and which faults; the same ones for the same seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Runs `cargo xtask soak`.
///
/// # Errors
/// When there is a violation, after it and the figures are printed.
pub fn run(options: &Options) -> Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(root());
    let seconds = options.seconds.unwrap_or(options.minutes.saturating_mul(60));
    shell.set_var("HTTPX_SOAK_SECONDS", seconds.to_string());
    shell.set_var("HTTPX_SOAK_SEED", options.seed.to_string());
    // Not in release mode: it waits more than it works, and there an overflow would be no finding.
    cmd!(shell, "cargo test --locked --package httpx-client --test soak -- --nocapture")
        .run()
        .with_context(|| format!("the soak found violations, or did not run; its seed is {}", options.seed))
}
