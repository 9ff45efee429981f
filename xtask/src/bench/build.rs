//! `cargo xtask bench build`: what a program pays to have httpx in it, by feature set, beside the same program on reqwest.

use super::document;
use crate::tree::root;
use anyhow::{Context, Result, ensure};
use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use std::{
    collections::BTreeSet,
    fs,
    path::Path,
    time::{Duration, Instant},
};
use xshell::{Shell, cmd};

/// Counts the crates that httpx brings, and builds the smallest program from nothing; takes minutes.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct Options {
    /// Counts the crates only, which takes a second.
    #[arg(long)]
    crates: bool,
    /// Keeps what is printed in docs/PERFORMANCE.md.
    #[arg(long)]
    write: bool,
}

/// What a program costs.
#[derive(Clone, Debug)]
struct Cost {
    crates: BTreeSet<String>,
    /// How long a build from nothing takes, and how large the program is in bytes.
    built: Option<(Duration, u64)>,
}

/// What is built: a name, its dependencies in TOML, what the program sends with.
const PROGRAMS: &[(&str, &str, &str)] = &[
    (
        "reqwest",
        "reqwest = { version = \"0.13\", default-features = false, features = [\"http2\", \"rustls-no-provider\"] }\n\
         rustls = { version = \"0.23\", default-features = false, features = [\"ring\", \"std\", \"tls12\"] }",
        "let _ = rustls::crypto::ring::default_provider().install_default(); reqwest::Client::new()",
    ),
    (CORE, "httpx-client = { path = PATH, default-features = false, features = [\"ring\"] }", CLIENT),
    ("httpx", "httpx-client = { path = PATH }", CLIENT),
    ("httpx, blocking", "httpx-client = { path = PATH, features = [\"blocking\"] }", CLIENT),
    ("httpx, middleware", "httpx-client = { path = PATH, features = [\"middleware\"] }", CLIENT),
    ("httpx, redis", "httpx-client = { path = PATH, features = [\"redis\"] }", CLIENT),
];

const CLIENT: &str = "httpx_client::Client::new()";

/// The client without any feature but its cryptography.
const CORE: &str = "httpx, core";

/// How many crates the core may bring.
const CRATES_AT_MOST: usize = 3;

/// The crates of the workspace are ours, and no others'.
const OURS: [&str; 3] = ["httpx-client", "httpx-retry", "smallest"];

/// Runs `cargo xtask bench build`.
pub(super) fn run(options: Options) -> Result<()> {
    let shell = Shell::new()?;
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["program", "crates beyond reqwest and tokio", "clean build of reqwest's", "size of the program"]);
    let (mut base, mut of_core) = (None, Vec::new());
    for (name, dependencies, sender) in PROGRAMS {
        eprintln!("{name}");
        let folder = tempfile::tempdir()?;
        write(folder.path(), dependencies, sender)?;
        shell.change_dir(folder.path());
        let cost = Cost { crates: crates(&shell)?, built: (!options.crates).then(|| built(&shell)).transpose()? };
        let base: &Cost = base.get_or_insert_with(|| cost.clone());
        let times = cost.built.zip(base.built).map(|((time, _), (base, _))| (time.as_secs_f64(), base.as_secs_f64()));
        let beyond: Vec<_> = cost.crates.difference(&base.crates).cloned().collect();
        table.add_row([
            (*name).to_owned(),
            format!("+{}", beyond.len()),
            times.map_or("–".to_owned(), |(time, base)| format!("{:.2} ×", time / base)),
            cost.built.map_or("–".to_owned(), |(_, size)| format!("{:.2} MB", size as f64 / 1e6)),
        ]);
        if *name == CORE {
            of_core = beyond;
        }
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let told =
        format!("{table}\n\nThe core brings {}; at most {CRATES_AT_MOST} crates are allowed.", of_core.join(" and "));
    println!("{told}");
    if options.write {
        document::keep("build", &told)?;
    }
    ensure!(of_core.len() <= CRATES_AT_MOST, "the core of httpx-client brings {} crates", of_core.len());
    Ok(())
}

/// A package of its own, with the versions of the workspace.
fn write(folder: &Path, dependencies: &str, sender: &str) -> Result<()> {
    let path = root().join("crates/httpx-client");
    let dependencies = dependencies.replace("PATH", &format!("{path:?}"));
    let manifest = format!(
        "[package]\nname = \"smallest\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[workspace]\n[profile.release]\nstrip = true\n\
         [dependencies]\ntokio = {{ version = \"1\", features = [\"rt\"] }}\n{dependencies}\n"
    );
    let program = format!(
        "fn main() {{\n    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();\n    \
         let client = {{ {sender} }};\n    \
         println!(\"{{}}\", runtime.block_on(client.get(\"http://127.0.0.1/\").send()).is_ok());\n}}\n"
    );
    fs::create_dir(folder.join("src"))?;
    fs::write(folder.join("Cargo.toml"), manifest)?;
    fs::write(folder.join("src/main.rs"), program)?;
    fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).context("Cargo.lock cannot be copied")?;
    Ok(())
}

/// The crates that are linked or run in the build, without ours.
fn crates(shell: &Shell) -> Result<BTreeSet<String>> {
    let format = "{p}";
    let tree = cmd!(shell, "cargo tree --quiet --edges normal,build --prefix none --format {format}").quiet().read()?;
    let names = tree.lines().filter_map(|line| line.split(' ').next()).filter(|name| !OURS.contains(name));
    Ok(names.filter(|name| !name.is_empty()).map(str::to_owned).collect())
}

/// How long a build from nothing takes, and how large the program is.
fn built(shell: &Shell) -> Result<(Duration, u64)> {
    let target = shell.current_dir().join("target");
    let _own = shell.push_env("CARGO_TARGET_DIR", &target);
    let start = Instant::now();
    cmd!(shell, "cargo build --quiet --release").quiet().run()?;
    Ok((start.elapsed(), fs::metadata(target.join("release/smallest"))?.len()))
}
