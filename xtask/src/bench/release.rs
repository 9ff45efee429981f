//! `cargo xtask bench release`: what a plan costs over a large repository.
//!
//! Every commit has the version to release and every branch states it, so that each branch is compared with all of main
//! that came after it left: the dearest repository of its size.

mod history;
mod process;

use crate::tree::root;
use anyhow::{Context, Result, ensure};
use cargo_metadata::MetadataCommand;
use clap::Args;
use history::History;
use process::Cost;
use std::{fs, path::Path, process::Command, time::Duration};
use xshell::{Shell, cmd};

/// Times a plan over a made-up repository, and takes its memory.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct Options {
    /// How many branches the remote has beside main.
    #[arg(long, default_value_t = 200)]
    branches: usize,
    /// How many commits main has.
    #[arg(long, default_value_t = 5000)]
    commits: usize,
    /// How often it is planned.
    #[arg(long, default_value_t = 5)]
    runs: usize,
}

/// What RELEASE asks of a plan over 200 branches and 5,000 commits.
const TIME: Duration = Duration::from_secs(2);
const MEMORY: u64 = 300 * 1024;

/// Runs `cargo xtask bench release`.
pub(super) fn run(options: Options) -> Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(root());
    cmd!(shell, "cargo build --release --locked --package xtask").run()?;
    let target = MetadataCommand::new().current_dir(root()).no_deps().exec()?.target_directory;
    let folder = tempfile::tempdir()?;
    let work = repository(&shell, folder.path(), options)?;
    let mut costs = Vec::new();
    for _ in 0..options.runs.max(1) {
        let mut command = Command::new(target.join("release/xtask"));
        command.args(["release", "--json", "--repo"]).arg(&work).arg("--receipts").arg(folder.path());
        command.env_remove("XTASK_INDEX_URL");
        let (cost, report) = process::cost(&mut command)?;
        judged(&report, options)?;
        costs.push(cost);
    }
    costs.sort_by_key(|cost| cost.time);
    let Cost { time, memory } = costs[costs.len() / 2];
    println!("a plan over {} branches and {} commits, median of {}", options.branches, options.commits, costs.len());
    println!("  time    {:.2} s (at most {:.0} s)", time.as_secs_f64(), TIME.as_secs_f64());
    match memory {
        Some(memory) => println!("  memory  {:.0} MB (at most {} MB)", memory as f64 / 1024.0, MEMORY / 1024),
        None => println!("  memory  not known on this system"),
    }
    Ok(())
}

/// Makes the remote and a clone of it, and says where the clone is.
fn repository(shell: &Shell, folder: &Path, options: Options) -> Result<std::path::PathBuf> {
    let (remote, work) = (folder.join("remote.git"), folder.join("work"));
    cmd!(shell, "git init --quiet --bare --initial-branch=main {remote}").run()?;
    let stream = folder.join("stream");
    fs::write(&stream, History::new(options.branches, options.commits).stream())?;
    let import = Command::new("git")
        .args(["fast-import", "--quiet"])
        .current_dir(&remote)
        .stdin(fs::File::open(&stream)?)
        .status()
        .context("git does not run")?;
    ensure!(import.success(), "git fast-import failed");
    cmd!(shell, "git clone --quiet {remote} {work}").run()?;
    Ok(work)
}

/// What was timed is a whole judgement: every branch was looked into, and none was missed or misjudged.
fn judged(report: &[u8], options: Options) -> Result<()> {
    let report: serde_json::Value = serde_json::from_slice(report).context("the plan printed no report")?;
    let standing = |wanted: &str| {
        let layers = report["layers"].as_array().into_iter().flatten();
        layers.filter(|layer| layer["standing"] == wanted).count()
    };
    let (absorbed, riders) = (standing("absorbed"), standing("rider"));
    let expected = History::new(options.branches, options.commits).riders();
    ensure!(
        (absorbed, riders) == (options.branches - expected, expected),
        "{absorbed} branches were called absorbed and {riders} riders, of {} and {expected}",
        options.branches - expected
    );
    Ok(())
}
