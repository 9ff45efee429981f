//! What a count depends on: versions and machine.

use anyhow::{Context, Result};
use std::{fs, thread};
use toml::{Table, Value};
use xshell::{Shell, cmd};

/// The crates whose versions decide what a request costs.
const CRATES: [&str; 7] = ["reqwest", "hyper", "hyper-util", "h2", "http", "tokio", "rustls"];

/// Facts by name, in the order to print them.
pub(super) fn read(shell: &Shell) -> Result<Vec<(String, String)>> {
    let mut facts = versions(&shell.read_file("Cargo.lock")?)?;
    facts.push(fact("rustc", cmd!(shell, "rustc --version").quiet().read()?.trim_start_matches("rustc ")));
    // Missing where no instructions were counted, and then not part of the conditions.
    if let Ok(version) = cmd!(shell, "valgrind --version").quiet().ignore_stderr().read() {
        facts.push(fact("valgrind", version.trim_start_matches("valgrind-")));
    }
    facts.push(fact("machine", &machine()));
    Ok(facts)
}

fn versions(lock: &str) -> Result<Vec<(String, String)>> {
    let lock: Table = lock.parse().context("Cargo.lock cannot be read")?;
    let packages: Vec<_> = lock.get("package").and_then(Value::as_array).into_iter().flatten().collect();
    let version = |name: &str| {
        let package = packages.iter().find(|package| package.get("name").and_then(Value::as_str) == Some(name))?;
        Some(fact(name, package.get("version")?.as_str()?))
    };
    Ok(CRATES.into_iter().filter_map(version).collect())
}

fn machine() -> String {
    let processors = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = processors.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    format!(
        "{}, {cores} cores, {} {}",
        model.map_or("unknown processor", |(_, model)| model),
        std::env::consts::OS,
        kernel.trim()
    )
}

fn fact(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}
