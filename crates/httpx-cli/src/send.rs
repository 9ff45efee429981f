//! `httpx send`: one request, sent again where that is safe.

// What is asked.
mod token_file;

mod auth;
mod body;
mod settings;
mod sink;

mod download;

mod request;

// What is told.
mod report;
mod timeline;

// The call.
mod call;

use std::path::PathBuf;

use http::Method;

use crate::exit::{Exit, Trouble};
use crate::{interrupt, values};

const EXIT_CODES: &str = "\
The body of the answer goes to standard output.
Exit code 0: a status below 400; 22: 400 or above; 7: no complete answer, or no file for -o; 2: a mistake in
what was asked; 130 or 143: interrupted, and no unfinished file is left.";

/// Send a request, and send it again where that is safe
#[derive(Debug, clap::Args)]
#[command(allow_missing_positional = true, after_help = EXIT_CODES)]
pub(crate) struct Args {
    /// GET when absent; POST when there is a body
    #[arg(value_parser = before_url)]
    method: Option<Method>,
    /// Where to, such as http://host/path
    url: String,

    /// A header line, 'Name: value'; may be repeated
    #[arg(short = 'H', long = "header", value_name = "LINE", help_heading = "Request")]
    headers: Vec<String>,
    /// The body: a text, or @FILE to read it from a file
    #[arg(short, long, value_name = "TEXT|@FILE", help_heading = "Request", allow_hyphen_values = true)]
    data: Option<String>,
    /// The body, read from a file while it is sent, once: it cannot be sent again
    #[arg(long, value_name = "FILE", conflicts_with = "data", help_heading = "Request")]
    data_stream: Option<PathBuf>,
    /// Repeating this request does no harm, whatever its method
    #[arg(long, help_heading = "Request")]
    idempotent: bool,

    #[command(flatten)]
    settings: settings::Settings,
    #[command(flatten)]
    credentials: auth::Credentials,

    /// Write the body there instead: the whole of it, or nothing, and that of a success only
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    #[command(flatten)]
    saving: download::Saving,
    /// Pass the body on piece by piece; one that breaks off cannot be fetched again
    #[arg(long, help_heading = "Output")]
    stream: bool,
    /// Tell on standard error what becomes of every attempt, as it happens
    #[arg(short, long, help_heading = "Output")]
    verbose: bool,
    /// Print the story of the call as one JSON object instead of the body
    #[arg(long, help_heading = "Output")]
    json: bool,
}

/// Runs `httpx send`.
pub(crate) fn run(args: Args) -> Result<Exit, Trouble> {
    // A method alone was read as the URL.
    if let (None, Some(method)) = (&args.method, values::known_method(&args.url)) {
        return Err(Trouble::usage(format!("{method}: the URL is missing; write {method} http://host/path")));
    }
    interrupt::run(call::run(args))
}

fn before_url(text: &str) -> Result<Method, String> {
    values::method(text).map_err(|told| format!("{told}, and stands before the URL"))
}
