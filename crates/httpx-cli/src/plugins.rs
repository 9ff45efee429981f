//! `httpx plugins`: which release of a Nextflow plugin it is, and its archive.

use std::path::{Path, PathBuf};

use clap::Subcommand;
use httpx_plugin_repo::{Error, ErrorKind, Found, NextflowVersion, PluginRef, PluginRepo};
use serde_json::{Value, json};

use crate::exit::{Exit, Trouble, story};
use crate::grid::{Column, Shown};
use crate::{interrupt, progress, say};

const EXAMPLES: &str = "\
httpx plugins resolve nf-amazon nf-hello@0.5.0 --nextflow 24.04.4 --repository https://registry.example.test/api
httpx plugins resolve nf-schema --nextflow 24.04.4 --repository https://files.example.test/plugins.json --json
httpx plugins download nf-amazon -o plugins";

/// Find the newest release of Nextflow plugins that a Nextflow can run, and fetch verified archives
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Task,
    /// A registry, or an index whose path ends with .json; may be repeated, and the first that has a plugin is believed
    #[arg(long, global = true, value_name = "URL", env = "HTTPX_PLUGINS_REPOSITORY", value_delimiter = ',')]
    repository: Vec<String>,
    /// The version of Nextflow that is to run the plugins, such as 24.04.4
    #[arg(long, global = true, value_name = "VERSION", env = "NXF_VER")]
    nextflow: Option<NextflowVersion>,
    #[command(flatten)]
    shown: Shown,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Say which release it is
    Resolve {
        /// Plugins, such as nf-amazon or nf-amazon@2.1.4
        #[arg(required = true, value_name = "PLUGIN")]
        plugins: Vec<PluginRef>,
    },
    /// Fetch its archive, and verify it; what is there already of one is gone on with
    Download {
        /// Plugins, such as nf-amazon or nf-amazon@2.1.4
        #[arg(required = true, value_name = "PLUGIN")]
        plugins: Vec<PluginRef>,
        /// The folder, which is made where it is not there
        #[arg(short, long, value_name = "DIR", default_value = ".")]
        output: PathBuf,
    },
}

/// Runs `httpx plugins`.
pub(crate) fn run(args: &Args) -> Result<Exit, Trouble> {
    let nextflow = args
        .nextflow
        .clone()
        .ok_or_else(|| Trouble::usage("which Nextflow is to run them? say --nextflow 24.04.4, or set NXF_VER"))?;
    if args.repository.is_empty() {
        let told = "which repository? say --repository https://host/api, or set HTTPX_PLUGINS_REPOSITORY";
        return Err(Trouble::usage(told));
    }
    let repo = PluginRepo::open(nextflow, &args.repository).map_err(|error| Trouble::usage(story(&error)))?;
    match &args.task {
        Task::Resolve { plugins } => interrupt::run(resolve(&repo, plugins, &args.shown)),
        Task::Download { plugins, output } => interrupt::run(download(&repo, plugins, output, &args.shown)),
    }
}

async fn resolve(repo: &PluginRepo, plugins: &[PluginRef], shown: &Shown) -> Result<Exit, Trouble> {
    let page = shown.page(RELEASE)?;
    let mut ended = Exit::Success;
    let (mut answers, mut rows) = (Vec::new(), Vec::new());
    for found in repo.resolve_all(plugins).await {
        match found {
            Ok(found) => {
                answers.push(told(&found));
                rows.push(row(&found));
            }
            Err(error) => ended = missed(&error, ended),
        }
    }
    page.print(&answers, rows, ("release", "")).map(|_| ended)
}

async fn download(repo: &PluginRepo, plugins: &[PluginRef], to: &Path, shown: &Shown) -> Result<Exit, Trouble> {
    std::fs::create_dir_all(to)
        .map_err(|error| Trouble::usage(format!("--output: cannot make the folder {}: {error}", to.display())))?;
    let mut ended = Exit::Success;
    let mut answers = Vec::new();
    for found in repo.resolve_all(plugins).await {
        let bar = progress::bar();
        let saved = match found {
            Ok(found) => {
                repo.download_with(&found, to, progress::shown_by(bar.clone())).await.map(|saved| (found, saved))
            }
            Err(error) => Err(error),
        };
        bar.finish_and_clear();
        match saved {
            Ok((found, saved)) => {
                if !shown.json {
                    say::aside(format_args!("{}: {} bytes, sha512 verified", saved.path.display(), saved.bytes));
                }
                let mut answer = told(&found);
                answer["file"] = json!(saved.path);
                answer["bytes"] = json!(saved.bytes);
                answers.push(answer);
            }
            Err(error) => ended = missed(&error, ended),
        }
    }
    if shown.json {
        say::out(json!(answers))?;
    }
    Ok(ended)
}

/// Tells why one is missing; the others go on. What could not be asked outweighs what was answered with no.
fn missed(error: &Error, ended: Exit) -> Exit {
    say::aside(story(error));
    match error.kind() {
        ErrorKind::Incompatible { .. }
        | ErrorKind::NoneCompatible { .. }
        | ErrorKind::NoNewest { .. }
        | ErrorKind::UnknownVersion { .. }
        | ErrorKind::UnknownPlugin { .. }
        | ErrorKind::NoArchive { .. }
            if ended != Exit::Failed =>
        {
            Exit::Status
        }
        _ => Exit::Failed,
    }
}

const RELEASE: [Column; 5] = [
    Column::text("plugin"),
    Column::version("version"),
    Column::text("released"),
    Column::text("requires"),
    Column::text("repository"),
];

fn row(found: &Found) -> [String; 5] {
    let Found { id, release, repository, .. } = found;
    let requires = release.requires.clone().unwrap_or_default();
    // The day, as the repository writes it.
    let released = release.date.as_str().unwrap_or_default().chars().take("2024-04-04".len()).collect();
    [id.clone(), release.version.clone(), released, requires, repository.clone()]
}

fn told(found: &Found) -> Value {
    json!({"id": found.id, "release": found.release, "repository": found.repository})
}
