//! What cargo-semver-checks says of each crate against the greatest published version below VERSION.

use super::{index::Index, remote::last_line};
use crate::release::facts::{Row, Semver, SemverRun};
use anyhow::{Context, Result, bail};
use regex::Regex;
use semver::Version;
use std::path::Path;
use xshell::{Shell, cmd};

/// Checks the crates, each given with what the registry holds of it.
pub(super) fn check(root: &Path, index: &Index, crates: &[(String, Vec<Row>)], version: &Version) -> Semver {
    ask(root, index, crates, version).unwrap_or_else(|error| Semver::Failed(format!("{error:#}")))
}

fn ask(root: &Path, index: &Index, crates: &[(String, Vec<Row>)], version: &Version) -> Result<Semver> {
    let shell = Shell::new()?;
    shell.change_dir(root);
    let output = cmd!(shell, "cargo semver-checks --version").quiet().ignore_status().output()?;
    if !output.status.success() {
        // Only cargo's own word that there is no such tool is none: one that is there and broken has said nothing.
        return match String::from_utf8_lossy(&output.stderr).contains("no such command") {
            true => Ok(Semver::NoTool),
            false => bail!("cargo semver-checks --version: {}", last_line(&output.stderr)),
        };
    }
    let mut runs = Vec::new();
    for (name, rows) in crates {
        if let Some(row) = baseline(rows, version) {
            runs.extend(run(&shell, index, name, row)?);
        }
    }
    Ok(if runs.is_empty() { Semver::NoBaseline } else { Semver::Ran(runs) })
}

/// The greatest version below `version` that is not yanked.
fn baseline<'a>(rows: &'a [Row], version: &Version) -> Option<&'a Row> {
    let below = rows.iter().filter(|row| !row.yanked && row.version.cmp_precedence(version).is_lt());
    below.max_by(|one, other| one.version.cmp_precedence(&other.version))
}

/// Checks one crate; `None` when it is no library.
fn run(shell: &Shell, index: &Index, name: &str, row: &Row) -> Result<Option<SemverRun>> {
    let folder = tempfile::tempdir()?;
    let bytes = match index.package(name, &row.version) {
        Ok(bytes) => bytes,
        Err(error) => bail!("the registry {}", error.0),
    };
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(bytes.as_slice()));
    archive.unpack(folder.path()).with_context(|| format!("the package of {name} {} cannot be read", row.version))?;
    let baseline = folder.path().join(format!("{name}-{}", row.version));
    let command =
        cmd!(shell, "cargo semver-checks check-release --package {name} --baseline-root {baseline} --color never");
    let output = command.quiet().ignore_status().output()?;
    let told = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if told.contains("no crates with library targets") {
        return Ok(None);
    }
    let (checks, mut failures) = read(&told);
    if !output.status.success() && failures.is_empty() {
        failures.push(last_line(&output.stderr));
    }
    Ok(Some(SemverRun { name: name.to_owned(), baseline: row.version.to_string(), checks, failures }))
}

/// How many rules were checked, and which failed.
fn read(told: &str) -> (u32, Vec<String>) {
    let checked = Regex::new(r"(?m)^\s*Checked .*?(\d+) checks(?:.*?(\d+) skip)?").expect("the pattern is constant");
    let failed = Regex::new(r"(?m)^--- failure (\w+)").expect("the pattern is constant");
    // A major bump may break everything: each rule is looked at and passed over, and that is no silence.
    let counted = if told.contains("(major change)") { 1..=2 } else { 1..=1 };
    let count = |group: usize| -> u32 {
        let found = checked.captures_iter(told).filter_map(|found| found.get(group)?.as_str().parse::<u32>().ok());
        found.sum()
    };
    (counted.map(count).sum(), failed.captures_iter(told).map(|found| found[1].to_owned()).collect())
}
