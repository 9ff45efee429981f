//! The notes of the version: its changelog section.

use super::{changelog, edge::Place, version};
use anyhow::{Context, Result, anyhow};
use std::fs;

/// Prints the notes of the version that the working tree states.
pub(super) fn print(place: &Place) -> Result<()> {
    let root = place.root()?;
    let read = |name: &str| fs::read_to_string(root.join(name)).with_context(|| format!("{name} cannot be read"));
    let version = version::parse(&read("VERSION")?).map_err(|error| anyhow!(error))?;
    let text = read("changelog.txt")?;
    let section = changelog::section(&text, &version);
    let section = section.with_context(|| format!("changelog.txt has no section {version}"))?;
    println!("{}", section.body);
    Ok(())
}
