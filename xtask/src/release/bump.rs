//! `cargo xtask release bump`: sets the version everywhere, through cargo-release.

use super::version;
use crate::tree::root;
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use semver::Version;
use std::{
    env, fs,
    path::{Path, PathBuf},
};
use xshell::{Shell, cmd};

/// The version of cargo-release that is known to build with the pinned toolchain.
const PINNED: &str = "1.1.6";

/// Sets the version in VERSION, the manifests and the READMEs.
#[derive(Args, Debug)]
pub(super) struct Bump {
    /// The version to come.
    version: Version,
    /// Installs cargo-release into target/tools when it is missing; that takes some minutes.
    #[arg(long)]
    install: bool,
    /// The folder of the workspace.
    #[arg(long, value_name = "DIR")]
    repo: Option<PathBuf>,
}

/// Runs `cargo xtask release bump`.
pub(super) fn run(bump: &Bump) -> Result<()> {
    let shell = Shell::new()?;
    let root = bump.repo.clone().unwrap_or_else(root);
    shell.change_dir(&root);
    let version = version::parse(&bump.version.to_string()).map_err(|error| anyhow!(error))?.to_string();
    let tool = tool(&shell, &root, bump.install)?;
    // Through its full path: cargo looks for subcommands only where the person keeps them.
    cmd!(shell, "{tool} release version {version} --workspace --execute --no-confirm").run()?;
    cmd!(shell, "{tool} release replace --workspace --execute --no-confirm").run()?;
    fs::write(root.join("VERSION"), format!("{version}\n"))?;
    eprintln!("begin changelog.txt with \"{version} - D Mon YYYY\", and run cargo xtask tidy");
    Ok(())
}

/// Where cargo-release is.
fn tool(shell: &Shell, root: &Path, install: bool) -> Result<PathBuf> {
    let own = root.join("target/tools/bin/cargo-release");
    let folders = env::var_os("PATH").map(|path| env::split_paths(&path).collect::<Vec<_>>()).unwrap_or_default();
    let mut places = folders.into_iter().map(|folder| folder.join("cargo-release")).chain([own.clone()]);
    if let Some(found) = places.find(|place| place.is_file()) {
        return Ok(found);
    }
    if !install {
        bail!(
            "cargo-release is missing, nothing was changed; --install builds version {PINNED} into target/tools in some minutes"
        );
    }
    let folder = root.join("target/tools");
    let features = ["--no-default-features", "--features", "vendored-libgit2"];
    cmd!(shell, "cargo install cargo-release --version {PINNED} --locked {features...} --root {folder}")
        .run()
        .with_context(|| format!("cargo-release {PINNED} cannot be installed; nothing was changed"))?;
    Ok(own)
}
