//! The command line as a whole.

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Parser, Subcommand};

use crate::exit::{Exit, Trouble};
use crate::{cloudinfo, explain, paint, plugins, policies, registry, say, send, serve, storm, survey};

/// An HTTP client that knows whether a failed request was sent
#[derive(Debug, Parser)]
#[command(name = "httpx", version, disable_help_subcommand = true, arg_required_else_help = true)]
#[command(
    after_help = "New here? httpx survey measures within a minute what each retry policy does to a failing service."
)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Survey(survey::Args),
    Storm(Box<storm::Args>),
    Send(Box<send::Args>),
    Explain(explain::Args),
    Policies(policies::Args),
    Serve(serve::Args),
    Cloudinfo(cloudinfo::Args),
    Registry(registry::Args),
    Plugins(plugins::Args),
}

/// Does what the command line says, and tells how it ended.
#[must_use]
pub fn run() -> ExitCode {
    let line = match CommandLine::try_parse() {
        Ok(line) => line,
        Err(error) => return refused(&error),
    };
    let ended = match line.command {
        Command::Send(args) => send::run(*args),
        Command::Explain(args) => explain::run(&args),
        Command::Policies(args) => policies::run(&args),
        Command::Survey(args) => survey::run(&args),
        Command::Storm(args) => storm::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Cloudinfo(args) => cloudinfo::run(&args),
        Command::Registry(args) => registry::run(&args),
        Command::Plugins(args) => plugins::run(&args),
    };
    match ended {
        Ok(exit) => exit.into(),
        Err(trouble) => {
            tell(&trouble);
            trouble.exit.into()
        }
    }
}

fn tell(trouble: &Trouble) {
    say::aside(format_args!("{} {trouble}", paint::bad("httpx:")));
}

/// Help and version are printed as clap has them; a mistake is told in one sentence.
fn refused(error: &clap::Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // Nobody is left to tell when the reader of the help has gone.
            error.print().ok();
            Exit::Success.into()
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            error.print().ok();
            Exit::Usage.into()
        }
        _ => {
            tell(&Trouble::usage(sentence(error)));
            Exit::Usage.into()
        }
    }
}

/// What clap says, without its name for the value and without its hints on further reading.
fn sentence(error: &clap::Error) -> String {
    if let (ErrorKind::ValueValidation, Some(source)) = (error.kind(), std::error::Error::source(error)) {
        let argument = match error.get(ContextKind::InvalidArg) {
            Some(ContextValue::String(argument)) => argument.split(' ').next().unwrap_or(argument),
            _ => "argument",
        };
        return format!("{argument}: {source}");
    }
    let told = error.render().to_string();
    let further = ["Usage:", "For more", "  tip: to pass"];
    let paragraphs = told.split("\n\n").take_while(|text| !further.iter().any(|start| text.starts_with(start)));
    let lines = paragraphs.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    lines.collect::<Vec<_>>().join("; ").trim_start_matches("error: ").to_owned()
}
