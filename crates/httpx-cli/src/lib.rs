//! The command `httpx`: an HTTP client that knows whether a failed request was sent, for the terminal.
//!
//! - `httpx send` sends a request, again where that is safe, and tells the story of every attempt.
//! - `httpx explain` says what a policy does after an outcome, without sending anything.
//! - `httpx policies` lists every policy that can be named.
//! - `httpx survey` measures what each policy does to a failing service.
//! - `httpx storm` simulates what each policy does to a service under load, through an outage and after it.
//! - `httpx serve` starts that failing service alone, or with `--fixtures` the services that the next three ask.
//! - `httpx cloudinfo` asks which regions, instance types and machine families clouds have.
//! - `httpx plugins` finds Nextflow plugins, and fetches verified archives.
//! - `httpx registry` asks a Cargo registry what is published, and fetches verified archives.
//!
//! Exit codes: 0 for a status below 400, 22 for any other, 7 when there is no complete answer, 2 for a mistake in what
//! was asked, 130 and 143 when interrupted or terminated. Programs read `--json` from standard output; everything else that is told goes to standard error.

// Words, colours, and how a command ends.
mod human;

mod exit;
mod paint;
mod table;

mod interrupt;
mod progress;
mod say;
mod values;
mod whole;
mod words;

mod grid;

mod chosen;
mod portrait;
mod service_config;

// The commands.
mod cloudinfo;
mod explain;
mod plugins;
mod policies;
mod registry;
mod send;
mod serve;
mod storm;
mod survey;

// What is typed.
mod command;

pub use command::run;
