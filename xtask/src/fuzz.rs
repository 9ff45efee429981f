//! `cargo xtask fuzz`: what strangers write, made up at random until the time is over.

use crate::tree::root;
use anyhow::{Context, Result};
use clap::Args;
use std::time::Duration;
use xshell::{Shell, cmd};

/// Runs the fuzz targets, those of the client and then the others, side by side; or some.
#[derive(Args, Debug)]
pub struct Options {
    /// How long each runs.
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// The seed that a finding has printed: tried first.
    #[arg(long)]
    seed: Option<u128>,
    /// Only those whose name has one of these in it.
    targets: Vec<String>,
}

/// Runs `cargo xtask fuzz`.
///
/// # Errors
/// When a target has a finding, after its input and seed are printed; or when there is no such target.
pub fn run(options: &Options) -> Result<()> {
    let Options { seconds, seed, targets: names } = options;
    let shell = Shell::new()?;
    shell.change_dir(root());
    shell.set_var("BOLERO_RANDOM_TEST_TIME_MS", Duration::from_secs(*seconds).as_millis().to_string());
    if let Some(seed) = seed {
        shell.set_var("BOLERO_RANDOM_SEED", seed.to_string());
    }
    // Not in release mode: there an overflow would be no finding.
    let tests = ["--package", "httpx-client", "--package", "xtask", "--test", "fuzz"];
    let list = cmd!(shell, "cargo test --locked {tests...} -- --list --format terse {names...}");
    let found = list.read().context("the fuzz targets do not build")?;
    let targets = found.lines().filter(|line| line.ends_with(": test")).count();
    anyhow::ensure!(
        targets > 0,
        "no fuzz target is called so; they are the tests in tests/fuzz of httpx-client and xtask"
    );
    let threads = targets.to_string();
    cmd!(shell, "cargo test --locked {tests...} -- --test-threads {threads} --show-output {names...}")
        .run()
        .context("a fuzz target has a finding; `cargo xtask fuzz --seed SEED TARGET` brings it again")
}
