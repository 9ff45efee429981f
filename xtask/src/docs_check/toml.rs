//! Blocks of TOML: dependencies on the crates of this workspace, or settings of the client. And settings in the text.

use super::{Block, Document, Inline, Told};
use crate::tree::root;
use anyhow::Result;
use cargo_metadata::{MetadataCommand, Package, semver::VersionReq};
use httpx_client::Config;

/// What is wrong with a block of TOML, if it is one.
pub(super) fn judged(block: &Block) -> Option<Told> {
    (block.language == "toml").then(|| Told::new(block.line, "toml, read", read(&block.text)))
}

/// What is wrong with each setting in the text.
pub(super) fn settings(document: &Document) -> impl Iterator<Item = Told> {
    document.settings.iter().map(|Inline { line, code }| Told::new(*line, format!("`{code}`, read"), read(code)))
}

/// Reads TOML for what it is for: dependency lines, or else settings.
///
/// # Errors
/// One sentence, when neither accepts it.
pub fn read(text: &str) -> Result<(), String> {
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| error.message().to_owned())?;
    match table.get("dependencies") {
        Some(toml::Value::Table(dependencies)) => {
            dependencies.iter().try_for_each(|(name, wanted)| known(name, wanted))
        }
        Some(_) => Err("dependencies is no table".to_owned()),
        None => text.parse::<Config>().map(drop).map_err(|error| error.to_string()),
    }
}

/// A crate of ours that is published, in this version, with these features. What others publish is theirs to say.
fn known(name: &str, wanted: &toml::Value) -> Result<(), String> {
    if !name.starts_with("httpx") {
        return Ok(());
    }
    let package = package(name).map_err(|error| format!("{error:#}"))?;
    let package = package.ok_or(format!("{name} is no crate of this workspace that is published"))?;
    let version = wanted.as_str().or_else(|| wanted.get("version")?.as_str());
    let version = version.ok_or(format!("{name} needs a version"))?;
    let range: VersionReq = version.parse().map_err(|error| format!("{name}: {error}"))?;
    if !range.matches(&package.version) {
        return Err(format!("{name} is at {}, which {version} excludes", package.version));
    }
    let features = wanted.get("features").and_then(toml::Value::as_array).into_iter().flatten();
    match features.filter_map(toml::Value::as_str).find(|feature| !package.features.contains_key(*feature)) {
        Some(feature) => Err(format!("{name} has no feature {feature}")),
        None => Ok(()),
    }
}

fn package(name: &str) -> Result<Option<Package>> {
    let metadata = MetadataCommand::new().current_dir(root()).no_deps().exec()?;
    let published = |package: &Package| package.publish.as_ref().is_none_or(|registries| !registries.is_empty());
    Ok(metadata.packages.into_iter().find(|package| package.name.as_str() == name && published(package)))
}
