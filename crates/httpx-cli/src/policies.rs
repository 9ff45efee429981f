//! `httpx policies`: every policy that can be named, side by side.

mod page;

use comfy_table::ColumnConstraint;
use httpx_retry::{Origin, PRESETS, Policy, Preset};

use crate::exit::{Exit, Trouble};
use crate::{portrait, say, table, words};

const EXAMPLES: &str = "\
httpx policies                         what there is
httpx explain --policy okhttp_5        one of them, row by row
httpx survey --compare                 each of them beside the client it is taken from, measured";

/// List the retry policies: httpx's own, and what other clients do by default
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Print one JSON array
    #[arg(long)]
    json: bool,
    /// Print the page docs/POLICIES.md
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
}

/// Runs `httpx policies`.
pub(crate) fn run(args: &Args) -> Result<Exit, Trouble> {
    say::out(if args.json {
        let all: Vec<_> =
            PRESETS.iter().map(|preset| portrait::portrait(preset, &preset.policy()).to_string()).collect();
        format!("[\n{}\n]", all.join(",\n"))
    } else if args.markdown {
        page::page()?
    } else {
        let mut shown = table::wrapped(HEAD.map(str::to_owned));
        // A name that is broken in two cannot be copied.
        shown.column_mut(0).map(|names| names.set_constraint(ColumnConstraint::ContentWidth));
        for preset in PRESETS {
            shown.add_row(row(preset));
        }
        format!("{}{LEGEND}", shown.trim_fmt())
    })?;
    Ok(Exit::Success)
}

const HEAD: [&str; 7] = ["policy", "attempts", "statuses", "waits", "Retry-After", "sent again if lost", "budget"];

const LEGEND: &str = "

  sent again if lost   methods that are sent again when the connection broke and the server may have acted
  budget               tokens of a bucket that all calls to a server share: what a retry takes from it
  httpx explain --policy NAME tells the rest";

fn row(preset: &Preset) -> [String; 7] {
    let policy: Policy = preset.policy();
    [
        preset.name.to_owned(),
        words::attempts(&policy),
        words::statuses(&policy),
        words::waits_in_short(&policy),
        words::retry_after_in_short(&policy),
        words::methods(&policy),
        words::budget_in_short(&policy),
    ]
}

/// The client whose policy it is, or httpx.
fn whose(preset: &Preset) -> &'static str {
    match preset.origin {
        Origin::Httpx => "httpx",
        Origin::Client { client, .. } => client,
    }
}
