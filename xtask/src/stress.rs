//! `cargo xtask stress`: many racing requests against the claim that none called unsent was seen by the server.

use crate::tree::root;
use anyhow::{Context, Result};
use clap::Args;
use xshell::{Shell, cmd};

/// Runs the client's race test at full length, in release mode.
#[derive(Args, Debug)]
pub struct Options {
    /// How many requests race in total.
    #[arg(long, default_value_t = 1_000_000)]
    requests: u64,
}

/// Runs `cargo xtask stress`.
///
/// # Errors
/// When the test fails or does not exist.
pub fn run(options: &Options) -> Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(root());
    shell.set_var("HTTPX_STRESS_REQUESTS", options.requests.to_string());
    cmd!(shell, "cargo test --release --package httpx-client --test race -- --nocapture")
        .run()
        .context("the race test of httpx-client did not pass")
}
