//! `cargo xtask bench`: what a call costs each client, all in one run.
//!
//! Unit and method are those of the crate `httpx-bench`, which holds the programs that run here.

// What is known beforehand.
mod environment;
mod target;
mod work;

// What was measured.
mod sheet;

mod lines;

// How it is measured.
mod programs;

mod meter;

mod profile;

// What is told.
mod ceilings;
mod document;
mod report;

// What else costs: building, and a plan of a release.
mod build;
mod release;

use crate::tree::root;
use anyhow::{Result, bail};
use clap::{Args, Subcommand};
use meter::Meter;
use profile::Profile;
use programs::Programs;
use xshell::{Shell, cmd};

pub use ceilings::exceeded;
pub use report::Report;
pub use sheet::{Numbers, Sheet};

/// Measures each client: calls without faults, retries, parked calls, storms.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Options {
    #[command(subcommand)]
    other: Option<Other>,
    /// Measures only this kind of work, and what its lines are compared with; may be given more than once.
    #[arg(long, value_name = "WORK", value_parser = work::keys())]
    only: Vec<String>,
    /// Prints one JSON object in place of the table.
    #[arg(long)]
    json: bool,
    /// Fails when httpx costs more than the ceilings allow; leaves out all other clients but reqwest.
    #[arg(long, conflicts_with = "only")]
    check: bool,
    /// Keeps what is printed in docs/PERFORMANCE.md.
    #[arg(long, conflicts_with_all = ["only", "check", "json"])]
    write: bool,
    /// Tells instead whose instructions a GET of httpx is made of.
    #[arg(long, conflicts_with_all = ["only", "check", "json"])]
    profile: bool,
}

/// What else is measured.
#[derive(Debug, Subcommand)]
enum Other {
    Build(build::Options),
    Release(release::Options),
}

/// Runs `cargo xtask bench`.
///
/// # Errors
/// When the programs cannot be built or run, valgrind is missing in CI, or a checked ceiling is exceeded.
pub fn run(options: &Options) -> Result<()> {
    match &options.other {
        Some(Other::Build(options)) => build::run(*options),
        Some(Other::Release(options)) => release::run(*options),
        None => requests(options),
    }
}

fn requests(options: &Options) -> Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(root());
    let has_valgrind = cmd!(shell, "valgrind --version").quiet().ignore_stderr().read().is_ok();
    if !has_valgrind {
        if std::env::var_os("HTTPX_CI").is_some() {
            bail!("valgrind is missing, and with HTTPX_CI set nothing is left out; install the package valgrind");
        }
        eprintln!("WARNING: valgrind is missing, NO INSTRUCTIONS ARE COUNTED; install the package valgrind");
    }
    let programs = Programs::build(&shell, if options.check { &[] } else { &["--features", "peers"] })?;
    let meter = Meter { shell: &shell, programs: &programs, has_valgrind };
    if options.profile {
        let profile = Profile::take(&meter)?.to_string();
        println!("{profile}");
        return if options.write { document::keep("profile", &profile) } else { Ok(()) };
    }
    let (sheet, workers) = meter.sheet(&options.only)?;
    let names = |key| workers.get(key).cloned().unwrap_or_default();
    let (clients, helpers) = (names("get"), names("read"));
    let report =
        Report { sheet, clients, helpers, environment: environment::read(&shell)?, commands: meter.commands() };
    if options.json {
        println!("{:#}", report.json())
    } else {
        println!("{report}")
    }
    if options.write {
        document::keep("bench", &report.to_string())?;
    }
    if options.check {
        let exceeded = exceeded(&report.sheet);
        for sentence in &exceeded {
            eprintln!("{sentence}");
        }
        if !exceeded.is_empty() {
            bail!("{} of the ceilings do not hold", exceeded.len());
        }
        eprintln!("all ceilings hold");
    }
    Ok(())
}
