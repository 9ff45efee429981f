//! `httpx registry`: what a Cargo registry has.

use std::path::PathBuf;

use clap::Subcommand;
use httpx_registry::{Error, ErrorKind, Registry, Row, Versions};
use semver::{Version, VersionReq};
use serde_json::json;

use crate::exit::{Exit, Trouble, story};
use crate::grid::{Column, Shown};
use crate::{human, interrupt, progress, say, table};

const EXAMPLES: &str = "\
httpx registry versions serde --index sparse+https://registry.example.test/index/
httpx registry newest serde '^1' --json
httpx registry download serde 1.0.200 -o serde.crate";

/// Ask a Cargo registry what is published, and fetch verified archives
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    question: Question,
    /// The index of the registry, such as sparse+https://host/index/
    #[arg(long, global = true, value_name = "URL", env = "HTTPX_REGISTRY_INDEX")]
    index: Option<String>,
    /// The token of a registry that wants one, sent as it is
    #[arg(long, global = true, env = "HTTPX_REGISTRY_TOKEN", hide_env_values = true, allow_hyphen_values = true)]
    token: Option<String>,
    /// Another origin that may see the token, such as https://static.host, for archives that are not where the index is
    #[arg(long, global = true, value_name = "ORIGIN", env = "HTTPX_REGISTRY_TRUST", value_delimiter = ',')]
    trust: Vec<String>,
    /// A folder that keeps what was fetched; the registry is still asked whether it changed
    #[arg(long, global = true, value_name = "DIR", env = "HTTPX_REGISTRY_CACHE")]
    cache: Option<PathBuf>,
    #[command(flatten)]
    shown: Shown,
}

#[derive(Debug, Subcommand)]
enum Question {
    /// What the registry says of itself
    Config,
    /// Every version of a crate, yanked ones included, as they stand in the index
    Versions {
        /// The crate
        name: String,
    },
    /// The newest version that is not yanked
    Newest {
        /// The crate
        name: String,
        /// What it must satisfy, as in a manifest
        #[arg(default_value = "*")]
        requirement: VersionReq,
    },
    /// Fetch the archive of a version, and verify it
    Download {
        /// The crate
        name: String,
        /// The version, build metadata included
        version: Version,
        /// The file; by default NAME-VERSION.crate
        #[arg(short, long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
}

/// Runs `httpx registry`.
pub(crate) fn run(args: &Args) -> Result<Exit, Trouble> {
    let index = args.index.as_deref().ok_or_else(|| {
        Trouble::usage("which registry? say --index sparse+https://host/index/, or set HTTPX_REGISTRY_INDEX")
    })?;
    let mut builder = Registry::builder(index);
    if let Some(token) = &args.token {
        builder = builder.token(token);
    }
    for origin in &args.trust {
        builder = builder.trust(origin);
    }
    if let Some(folder) = &args.cache {
        builder = builder.cache(folder);
    }
    let registry = builder.build().map_err(|error| Trouble::usage(story(&error)))?;
    interrupt::run(answer(&registry, args))
}

async fn answer(registry: &Registry, args: &Args) -> Result<Exit, Trouble> {
    match &args.question {
        Question::Config => config(registry, args).await,
        Question::Versions { name } => {
            let page = args.shown.page(VERSION)?;
            let Some(versions) = versions(registry, name).await? else { return Ok(Exit::Status) };
            let rows = versions.rows();
            page.print(&rows, rows.iter().map(row).collect(), ("version", ""))
        }
        Question::Newest { name, requirement } => {
            let Some(versions) = versions(registry, name).await? else { return Ok(Exit::Status) };
            let newest = versions.newest(requirement).map_err(|hidden| {
                let told = "which version is the newest is not known";
                Trouble::failed(format_args!("{told}: line {} hides which one it is", hidden.line))
            });
            match newest? {
                Some(row) if args.shown.json => say::out(json!(row)).map(|()| Exit::Success),
                Some(row) => say::out(&row.vers).map(|()| Exit::Success),
                None => Ok(not_there(format_args!(
                    "no version of {name:?} that can be used and is not yanked satisfies {requirement}"
                ))),
            }
        }
        Question::Download { name, version, output } => {
            let Some(row) = registry.exact(name, version).await.map_err(failed)? else {
                return Ok(not_there(format_args!("the registry has no {name} {version}")));
            };
            let file = output.clone().unwrap_or_else(|| format!("{}-{}.crate", row.name, row.vers).into());
            let bar = progress::bar();
            let saved = registry.download_with(&row, &file, progress::shown_by(bar.clone())).await;
            bar.finish_and_clear();
            let bytes = saved.map_err(failed)?;
            if args.shown.json {
                say::out(json!({"file": file, "bytes": bytes, "sha256": row.cksum}))?;
            } else {
                say::aside(format_args!("{}: {bytes} bytes, sha256 {}", file.display(), row.cksum));
            }
            Ok(Exit::Success)
        }
    }
}

/// Every version of the crate, after a word on each line that is not used; `None` when it is not there, which is told.
async fn versions(registry: &Registry, name: &str) -> Result<Option<Versions>, Trouble> {
    let versions = registry.versions(name).await.map_err(failed)?;
    match &versions {
        None => drop(not_there(format_args!("the registry has no crate {name:?}"))),
        Some(versions) => {
            for skipped in versions.skipped() {
                say::aside(format_args!(
                    "line {} is not used: {}",
                    skipped.line,
                    human::tamed(&skipped.why.to_string())
                ));
            }
        }
    }
    Ok(versions)
}

async fn config(registry: &Registry, args: &Args) -> Result<Exit, Trouble> {
    let config = registry.config().await.map_err(failed)?;
    if args.shown.json {
        say::out(json!(config))?;
    } else {
        let mut shown = table::natural(["setting", "value"].map(str::to_owned));
        let api = config.api.as_deref().unwrap_or("none: nothing can be published");
        shown.add_row(["dl", &human::tamed(&config.dl)]);
        shown.add_row(["api", &human::tamed(api)]);
        shown.add_row(["auth-required", if config.auth_required { "yes" } else { "no" }]);
        say::out(shown.trim_fmt())?;
    }
    Ok(Exit::Success)
}

const VERSION: [Column; 5] = [
    Column::version("version"),
    Column::text("yanked"),
    Column::text("rust"),
    Column::number("dependencies"),
    Column::text("sha256"),
];

fn row(row: &Row) -> [String; 5] {
    [
        row.vers.to_string(),
        if row.yanked { "yanked" } else { "" }.to_owned(),
        row.rust_version.clone().unwrap_or_default(),
        row.deps.len().to_string(),
        row.cksum.clone(),
    ]
}

/// A complete answer, and it is no.
fn not_there(told: impl std::fmt::Display) -> Exit {
    say::aside(told);
    Exit::Status
}

/// A name that no crate can have is not asked for.
fn failed(error: Error) -> Trouble {
    match error.kind() {
        ErrorKind::Name(_) => Trouble::usage(story(&error)),
        _ => Trouble::failed(story(&error)),
    }
}
