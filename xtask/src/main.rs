//! `cargo xtask`: the command line of the development tasks.

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use xtask::{bench, ci, stress, tidy};

/// Development tasks of the workspace.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    Bench(bench::Options),
    Ci(ci::Options),
    Stress(stress::Options),
    Tidy(tidy::Options),
}

fn main() -> ExitCode {
    let done = match Cli::parse().task {
        Task::Bench(options) => bench::run(&options),
        Task::Ci(options) => ci::run(&options),
        Task::Stress(options) => stress::run(&options),
        Task::Tidy(options) => tidy::run(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
