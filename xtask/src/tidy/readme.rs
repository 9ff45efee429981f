//! What README copies from code.

use crate::tree::Tree;
use anyhow::{Context, Result};
use std::{fs, path::Path};

const BEGIN: &str = "<!-- rule table: begin -->\n";
const END: &str = "<!-- rule table: end -->";

/// No rule table in README but the one that the default policy prints.
pub(super) fn no_stale_rule_table(tree: &Tree) -> Vec<String> {
    match tree.text("README.md").map(|text| fresh(text, &tree.rule_table)) {
        None => vec!["README.md is missing".to_owned()],
        Some(None) => {
            vec![format!("README.md: the lines {:?} and {END:?} around the rule table are missing", BEGIN.trim_end())]
        }
        Some(Some(fresh)) if Some(fresh.as_str()) != tree.text("README.md") => {
            vec!["README.md: the rule table is not the one that the default policy prints; `cargo xtask tidy --write` renews it".to_owned()]
        }
        Some(Some(_)) => Vec::new(),
    }
}

/// Renews the rule table in README. A README that is missing, or has no place for it, is left to the check.
pub(super) fn write(root: &Path, tree: &Tree) -> Result<()> {
    match tree.text("README.md").and_then(|text| fresh(text, &tree.rule_table)) {
        Some(fresh) => fs::write(root.join("README.md"), fresh).context("README.md cannot be written"),
        None => Ok(()),
    }
}

/// `readme` with `table` between the two marks, or `None` when a mark is missing.
fn fresh(readme: &str, table: &str) -> Option<String> {
    let (before, rest) = readme.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    // Markdown shows a table only after the comment when a blank line parts them.
    Some(format!("{before}{BEGIN}\n{}\n\n{END}{after}", table.trim_end()))
}
