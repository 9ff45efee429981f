//! `cargo xtask`: the command line of the development tasks.

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use xtask::{api, bench, ci, docs_check, fuzz, release, soak, stack, stress, tidy};

/// Development tasks of the workspace.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    Api(api::Options),
    Bench(bench::Options),
    Ci(ci::Options),
    DocsCheck(docs_check::Options),
    Fuzz(fuzz::Options),
    Release(Box<release::Command>),
    Soak(soak::Options),
    Stack(stack::Options),
    Stress(stress::Options),
    Tidy(tidy::Options),
}

fn main() -> ExitCode {
    let done = match Cli::parse().task {
        Task::Api(options) => api::run(&options),
        Task::Bench(options) => bench::run(&options),
        Task::Ci(options) => ci::run(&options),
        Task::DocsCheck(options) => docs_check::run(&options),
        Task::Fuzz(options) => fuzz::run(&options),
        Task::Release(command) => return release(&command),
        Task::Soak(options) => soak::run(&options),
        Task::Stack(options) => stack::run(&options),
        Task::Stress(options) => stress::run(&options),
        Task::Tidy(options) => tidy::run(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(&error, ExitCode::FAILURE),
    }
}

/// A release exits with the code of what refused; 1 is none of them.
fn release(command: &release::Command) -> ExitCode {
    match release::run(command) {
        Ok(code) => ExitCode::from(code),
        Err(error) => failed(&error, ExitCode::from(2)),
    }
}

fn failed(error: &anyhow::Error, code: ExitCode) -> ExitCode {
    eprintln!("error: {error:#}");
    code
}
