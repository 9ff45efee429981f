//! Keeps what was measured in docs/PERFORMANCE.md.

use crate::{
    marked::{marks, renewed},
    tree::root,
};
use anyhow::{Context, Result};
use std::fs;

/// Where the tables stand.
const DOCUMENT: &str = "docs/PERFORMANCE.md";

/// Puts `text` in the place of the part called `part`; the other parts stay.
pub(super) fn keep(part: &str, text: &str) -> Result<()> {
    let path = root().join(DOCUMENT);
    let old = fs::read_to_string(&path).with_context(|| format!("{DOCUMENT} cannot be read"))?;
    let new = renewed(&old, part, text).with_context(|| {
        let [begin, end] = marks(part);
        format!("{DOCUMENT}: the lines {begin:?} and {end:?} are missing")
    })?;
    fs::write(&path, new).with_context(|| format!("{DOCUMENT} cannot be written"))
}
