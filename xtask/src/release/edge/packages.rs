//! What cargo makes of HEAD: packages, their checksums, and whether they build.

use super::remote::last_line;
use crate::release::facts::{Asked, Packaged, Unreadable};
use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};
use std::{collections::BTreeMap, fs, io::Read, path::Path};
use xshell::{Shell, cmd};

/// What is packaged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Workspace<'a> {
    /// Its folder.
    pub(super) root: &'a Path,
    /// The crates that are published.
    pub(super) planned: &'a [String],
    /// The crates that are not.
    pub(super) left_out: &'a [String],
    /// The version of all of them.
    pub(super) version: &'a str,
    /// How cargo is told which registry is meant.
    pub(super) registry: &'a [String],
}

/// Whether cargo builds each package, the upper ones against the lower ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verify {
    /// It does.
    Yes,
    /// It only makes them.
    No,
}

/// Makes every package of the workspace.
pub(super) fn package(workspace: Workspace<'_>, verify: Verify) -> Asked<BTreeMap<String, Packaged>> {
    make(workspace, verify).map_err(|error| Unreadable(format!("fails: {error:#}")))
}

fn make(workspace: Workspace<'_>, verify: Verify) -> Result<BTreeMap<String, Packaged>> {
    let shell = Shell::new()?;
    shell.change_dir(workspace.root);
    let folder = target(workspace.root)?.join("package");
    let file = |name: &str| folder.join(format!("{name}-{}.crate", workspace.version));
    for name in workspace.planned {
        // What an earlier commit left here must not pass for this one's.
        if file(name).exists() {
            fs::remove_file(file(name))?;
        }
    }
    let exclude: Vec<_> = workspace.left_out.iter().flat_map(|name| ["--exclude".to_owned(), name.clone()]).collect();
    let verify = if verify == Verify::Yes { None } else { Some("--no-verify") };
    let registry = workspace.registry;
    let command = cmd!(shell, "cargo package --workspace --locked {exclude...} {verify...} {registry...}");
    let output = command.quiet().ignore_status().output()?;
    if !output.status.success() {
        bail!("{}", [vec![last_line(&output.stderr)], causes(&output.stderr)].concat().join(": "));
    }
    let mut packages = BTreeMap::new();
    for name in workspace.planned {
        // A crate without a package is the gate's to refuse.
        if let Ok(bytes) = fs::read(file(name)) {
            packages.insert(name.clone(), Packaged { checksum: checksum(&bytes) });
        }
    }
    Ok(packages)
}

/// What cargo gives as the causes of its error.
fn causes(stderr: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(stderr);
    let lines = text.lines().map(str::trim).skip_while(|line| *line != "Caused by:");
    lines.filter(|line| !line.is_empty() && *line != "Caused by:").map(str::to_owned).collect()
}

/// The sha256 of bytes in hexadecimal.
pub(super) fn checksum(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The commit that a package names as its source.
pub(super) fn source_commit(package: &[u8]) -> Result<Option<String>> {
    #[derive(serde::Deserialize)]
    struct Git {
        sha1: String,
    }
    #[derive(serde::Deserialize)]
    struct Info {
        git: Git,
    }
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(package));
    for entry in archive.entries()? {
        let mut entry = entry?;
        if entry.path()?.file_name().is_some_and(|name| name == ".cargo_vcs_info.json") {
            let mut text = String::new();
            entry.read_to_string(&mut text)?;
            return Ok(Some(serde_json::from_str::<Info>(&text)?.git.sha1));
        }
    }
    Ok(None)
}

/// The folder that cargo builds into.
pub(super) fn target(root: &Path) -> Result<std::path::PathBuf> {
    let metadata = cargo_metadata::MetadataCommand::new().current_dir(root).no_deps().exec();
    Ok(metadata.context("cargo cannot read the workspace")?.target_directory.into_std_path_buf())
}
