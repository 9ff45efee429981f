//! What documents copy from code.

use crate::{
    marked::{marks, renewed},
    tree::Tree,
};
use anyhow::{Context, Result};
use std::{fs, path::Path};

/// A table that stands in a document as the code prints it.
struct Copied<'a> {
    file: &'static str,
    /// What stands in the marks around it.
    name: &'static str,
    table: &'a str,
    source: &'static str,
}

fn rule_table(tree: &Tree) -> Copied<'_> {
    Copied { file: "docs/RULE.md", name: "rule table", table: &tree.rule_table, source: "the default policy prints" }
}

fn option_table(tree: &Tree) -> Copied<'_> {
    Copied { file: "docs/SETTINGS.md", name: "option table", table: &tree.option_table, source: "`Config` has" }
}

/// No rule table in docs/RULE.md but the one that the default policy prints.
pub(super) fn no_stale_rule_table(tree: &Tree) -> Vec<String> {
    rule_table(tree).violations(tree)
}

/// No settings in docs/SETTINGS.md but those that `Config` has.
pub(super) fn no_stale_option_table(tree: &Tree) -> Vec<String> {
    option_table(tree).violations(tree)
}

/// Renews what documents copy. A document that is missing, or has no place for it, is left to the checks.
pub(super) fn write(root: &Path, tree: &Tree) -> Result<()> {
    for copied in [rule_table(tree), option_table(tree)] {
        if let Some(fresh) = tree.text(copied.file).and_then(|text| copied.fresh(text)) {
            fs::write(root.join(copied.file), fresh).with_context(|| format!("{} cannot be written", copied.file))?;
        }
    }
    Ok(())
}

impl Copied<'_> {
    fn violations(&self, tree: &Tree) -> Vec<String> {
        let Copied { file, name, source, .. } = self;
        let Some(text) = tree.text(file) else { return vec![format!("{file} is missing")] };
        match self.fresh(text) {
            None => {
                let [begin, end] = marks(name);
                vec![format!("{file}: the lines {begin:?} and {end:?} around the {name} are missing")]
            }
            Some(fresh) if fresh != text => {
                vec![format!("{file}: the {name} is not the one that {source}; `cargo xtask tidy --write` renews it")]
            }
            Some(_) => Vec::new(),
        }
    }

    fn fresh(&self, text: &str) -> Option<String> {
        renewed(text, self.name, self.table)
    }
}
