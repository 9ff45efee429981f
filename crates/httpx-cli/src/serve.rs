//! `httpx serve`: the faulty server alone, for any other client, or the services of the consumers.

mod fixtures;

use std::cell::OnceCell;
use std::convert::Infallible;
use std::future::pending;

use comfy_table::{ColumnConstraint, Table};
use httpx_faults::{Exhibit, Journal, Server, Site};
use serde_json::json;

use crate::exit::{Exit, Trouble};
use crate::interrupt::told_to_end;
use crate::{human, paint, say, table, values};

const EXAMPLES: &str = "\
Every fault has a URL. Add ?first=2 to meet it only twice, so that a third try succeeds; /journal is what arrived.

httpx serve --port 8080
curl http://127.0.0.1:8080/half-body-fin
httpx send -v 'http://127.0.0.1:8080/status/503?first=2'

httpx serve --fixtures --fail 30% --port 8080
httpx plugins resolve nf-amazon --nextflow 24.04.4 --repository http://127.0.0.1:8080/plugins";

/// Start the faulty server alone, so that any client can be pointed at it
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The main port, on 127.0.0.1 [default: any free one]
    #[arg(long, value_name = "N", value_parser = values::port, allow_hyphen_values = true)]
    port: Option<u16>,
    /// Serve what httpx cloudinfo, registry and plugins ask for instead, from real answers that are built in
    #[arg(long)]
    fixtures: bool,
    /// Fail this share of the requests, such as 30%
    #[arg(long, value_name = "SHARE", requires = "fixtures", value_parser = values::share, allow_hyphen_values = true)]
    fail: Option<f64>,
    /// Fail the same requests in the same ways as the last time [default: others each time]
    #[arg(long, value_name = "N", requires = "fail", value_parser = values::seed, allow_hyphen_values = true)]
    seed: Option<u64>,
    /// Print where everything is as JSON
    #[arg(long)]
    json: bool,
}

/// Runs `httpx serve` until it is told to end.
pub(crate) fn run(args: &Args) -> Result<Exit, Trouble> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(Trouble::failed)?;
    runtime.block_on(serve(args))
}

async fn serve(args: &Args) -> Result<Exit, Trouble> {
    let journal = OnceCell::new();
    tokio::select! {
        // Listened for before anybody can read that it serves.
        biased;
        _ = told_to_end() => {}
        ended = show(args, &journal) => match ended? {},
    }
    let requests = journal.get().map_or(0, Journal::recorded);
    let requests = usize::try_from(requests).unwrap_or(usize::MAX);
    say::aside(format_args!("\nstopped after {} at the main port", human::count(requests, "request")));
    Ok(Exit::Success)
}

/// Serves, and says where.
async fn show(args: &Args, journal: &OnceCell<Journal>) -> Result<Infallible, Trouble> {
    if args.fixtures {
        let started = Server::start_at(args.port.unwrap_or(0), fixtures::script(args)).await;
        let server = started.map_err(|error| not_started(args, &error))?;
        let url = server.url();
        journal.get_or_init(|| server.journal());
        if args.json { say::out(fixtures::listed(&url)) } else { say::out(fixtures::page(&url, args)) }?;
        return pending().await;
    }
    let site = Site::start_at(args.port.unwrap_or(0)).await.map_err(|error| not_started(args, &error))?;
    let (url, exhibits) = (site.url(), site.exhibits());
    journal.get_or_init(|| site.journal());
    if args.json {
        say::out(json!({"url": url, "journal": format!("{url}/journal"), "faults": listed(exhibits)}))?;
    } else {
        say::out(page(&url, exhibits))?;
    }
    pending().await
}

fn not_started(args: &Args, error: &std::io::Error) -> Trouble {
    match args.port {
        None => Trouble::failed(format!("the server cannot start: {error}")),
        Some(port) => Trouble::usage(format!("--port: cannot listen on 127.0.0.1:{port}: {error}")),
    }
}

fn listed(exhibits: &[Exhibit]) -> Vec<serde_json::Value> {
    let one = |exhibit: &Exhibit| json!({"name": exhibit.name, "url": exhibit.url, "sentence": exhibit.sentence});
    exhibits.iter().map(one).collect()
}

fn page(url: &str, exhibits: &[Exhibit]) -> String {
    let title = paint::strong(format!("The faulty server listens at {url}"));
    format!("{title}\n\n{}\n\n{}", list(exhibits).trim_fmt(), hints(url))
}

fn hints(url: &str) -> String {
    format!(
        "To meet a fault only the first two times, add ?first=2. What arrived: {url}/journal\n\
         The faults of HTTP/2 want it without asking first: httpx send --http2, curl --http2-prior-knowledge\n\
         Ctrl-C ends it."
    )
}

fn list(exhibits: &[Exhibit]) -> Table {
    let mut table = table::wrapped(["fault", "URL", "what happens"].map(str::to_owned));
    for exhibit in exhibits {
        table.add_row([paint::strong(exhibit.name), exhibit.url.clone(), exhibit.sentence.to_owned()]);
    }
    // Only the sentences are wrapped: a name or URL in two pieces could not be copied.
    table.set_constraints([ColumnConstraint::ContentWidth, ColumnConstraint::ContentWidth]);
    table
}
