//! `cargo xtask docs-check`: a newcomer's walk through the documents.
//!
//! Every fenced block, and every command and setting in the text, is executed, compiled or at least understood, and told
//! in one line, so that nothing is passed over in silence.

mod commands;
mod document;
mod printed;
mod rust;
mod session;
mod toml;

pub use self::toml::read as read_toml;
pub use commands::Programs;
pub use document::{Block, Document, Inline, Shown};
pub use printed::differs;
pub use rust::{Included, included, tested};
pub use session::{Part, expecting, script, typed};

use crate::tree::{Tree, root};
use anyhow::{Result, bail};
use clap::Args;
use std::collections::BTreeSet;

/// Executes what README.md, docs/ and the other documents show, and compares what they say is printed.
#[derive(Args, Debug)]
pub struct Options {
    /// Only the documents whose path has this in it.
    document: Option<String>,
}

/// What became of one block or command.
#[derive(Debug)]
pub(crate) struct Told {
    line: usize,
    what: String,
    /// What is wrong, and what would be right.
    wrong: Option<String>,
}

impl Told {
    fn new(line: usize, what: impl Into<String>, outcome: Result<(), String>) -> Self {
        Self { line, what: what.into(), wrong: outcome.err() }
    }
}

/// Runs `cargo xtask docs-check`.
///
/// # Errors
/// When a document shows what does not hold, after everything is told; or when the tree cannot be read.
pub fn run(options: &Options) -> Result<()> {
    let tree = Tree::read(&root())?;
    let wanted = |path: &str| options.document.as_ref().is_none_or(|part| path.contains(part.as_str()));
    let documents: Vec<_> = documents(&tree).into_iter().filter(|document| wanted(&document.path)).collect();
    if documents.is_empty() {
        bail!("no document is called so; they are the .md files of the top folder and of docs/");
    }
    let doctests = rust::run(&tree, &documents)?;
    let copy = session::Copy::new()?;
    let mut failures = 0;
    let mut count = 0;
    for document in &documents {
        let mut told = rust::judged(&tree, document, &doctests);
        told.extend(document.blocks.iter().filter_map(toml::judged));
        told.extend(toml::settings(document));
        told.extend(document.blocks.iter().filter_map(not_executed));
        told.extend(session::run(&copy, document)?);
        told.extend(commands::judged(&copy.programs, document));
        told.sort_by_key(|told| told.line);
        for Told { line, what, wrong } in &told {
            match wrong {
                None => println!("{}:{line}: {what}: ok", document.path),
                Some(wrong) => println!("{}:{line}: {what}: FAILED: {wrong}", document.path),
            }
        }
        failures += told.iter().filter(|told| told.wrong.is_some()).count();
        count += told.len();
    }
    println!("{count} blocks and commands in {} documents, {failures} failed", documents.len());
    if failures == 0 { Ok(()) } else { bail!("{failures} of what the documents show does not hold") }
}

/// The documents that a newcomer reads: those of the top folder and of `docs`.
fn documents(tree: &Tree) -> Vec<Document> {
    let read = |path: &str| path.ends_with(".md") && (!path.contains('/') || path.starts_with("docs/"));
    tree.files.iter().filter(|(path, _)| read(path)).map(|(path, text)| Document::read(path, text)).collect()
}

/// A block that shows nothing to execute, named so that it is not passed over in silence.
fn not_executed(block: &Block) -> Option<Told> {
    let known: BTreeSet<_> = ["sh", "rust", "toml"].into();
    let executed = known.contains(block.language.as_str()) || !block.shown().is_empty();
    (!executed).then(|| {
        let language = if block.language.is_empty() { "text" } else { &block.language };
        Told::new(block.line, format!("{language}, not executed"), Ok(()))
    })
}
