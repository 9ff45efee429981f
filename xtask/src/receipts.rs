//! The notes that `cargo xtask ci LAYER` leaves for `cargo xtask release`: which tree was tested, and how it went.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::{
    fs,
    path::{Path, PathBuf},
};
use xshell::{Shell, cmd};

/// Where receipts lie: below the folder that cargo builds into.
///
/// # Errors
/// When cargo cannot read the workspace.
pub fn folder(root: &Path) -> Result<PathBuf> {
    let metadata = cargo_metadata::MetadataCommand::new().current_dir(root).no_deps().exec();
    Ok(metadata.context("cargo cannot read the workspace")?.target_directory.into_std_path_buf().join("receipts"))
}

/// The note about one layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Receipt {
    /// The layer: `core` or `consumers`.
    pub layer: String,
    /// The hash of the tree that was tested.
    pub tree: String,
    /// Whether every step passed.
    pub ok: bool,
}

/// The hash of HEAD's tree, when nothing differs from it.
///
/// # Errors
/// When there is no repository, or a file differs: what is tested then is no tree that could be released.
pub fn clean_tree(root: &Path) -> Result<String> {
    let shell = Shell::new()?;
    shell.change_dir(root);
    let dirty = cmd!(shell, "git status --porcelain --untracked-files=all")
        .quiet()
        .read()
        .context("this is no git repository")?;
    anyhow::ensure!(dirty.is_empty(), "the working tree differs from HEAD");
    let tree = "HEAD^{tree}";
    Ok(cmd!(shell, "git rev-parse {tree}").quiet().read()?)
}

/// Writes a receipt over the layer's last one.
///
/// # Errors
/// When the file cannot be written.
pub fn write(folder: &Path, receipt: &Receipt) -> Result<()> {
    fs::create_dir_all(folder)?;
    let path = folder.join(format!("{}.json", receipt.layer));
    fs::write(&path, serde_json::to_string(receipt)? + "\n")
        .with_context(|| format!("{} cannot be written", path.display()))
}

/// Every receipt in a folder, or why one cannot be read; nothing when there is no such folder.
///
/// # Errors
/// When the folder is there and cannot be listed.
pub fn read(folder: &Path) -> Result<Vec<Result<Receipt, String>>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder)? {
        paths.push(entry?.path());
    }
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    let read = |path: &PathBuf| {
        let text = fs::read_to_string(path).map_err(|error| error.to_string());
        let receipt = text.and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()));
        receipt.map_err(|error| format!("{} cannot be read: {error}", path.file_name().unwrap_or_default().display()))
    };
    Ok(paths.iter().map(read).collect())
}
