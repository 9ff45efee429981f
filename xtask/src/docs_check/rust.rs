//! Blocks of Rust are doctests of a crate that includes their document: whether each is, and passes.

use super::{Document, Told};
use crate::tree::{Tree, root};
use anyhow::{Context, Result};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Component, Path, PathBuf},
};
use xshell::{Shell, cmd};

/// A document that a crate includes as documentation of one of its items, so that its blocks are doctests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Included {
    /// The crate's name.
    pub package: String,
    /// The item that the document stands at.
    pub item: String,
    /// The features that the item needs.
    pub features: BTreeSet<String>,
    /// The document's path from the root.
    pub document: String,
}

/// Every document that the `lib.rs` of a crate includes.
pub fn included(tree: &Tree) -> Vec<Included> {
    let mut found = Vec::new();
    for member in &tree.members {
        let folder = format!("{}/src", member.folder);
        let Some(file) = tree.text(&format!("{folder}/lib.rs")).and_then(|text| syn::parse_file(text).ok()) else {
            continue;
        };
        for item in file.items {
            let syn::Item::Struct(item) = item else { continue };
            let documents = item.attrs.iter().filter_map(include);
            found.extend(documents.map(|path| Included {
                package: member.name.clone(),
                item: item.ident.to_string(),
                features: item.attrs.iter().flat_map(features).collect(),
                document: normal(&Path::new(&folder).join(path)),
            }));
        }
    }
    found
}

/// `PATH` of `#[doc = include_str!("PATH")]`.
fn include(attribute: &syn::Attribute) -> Option<String> {
    let syn::Meta::NameValue(pair) = &attribute.meta else { return None };
    let syn::Expr::Macro(call) = &pair.value else { return None };
    let included = pair.path.is_ident("doc") && call.mac.path.is_ident("include_str");
    included.then(|| call.mac.parse_body::<syn::LitStr>().ok().map(|path| path.value()))?
}

/// Every `NAME` of `feature = "NAME"` in a `cfg`.
fn features(attribute: &syn::Attribute) -> Vec<String> {
    let Ok(list) = attribute.meta.require_list() else { return Vec::new() };
    let text = list.tokens.to_string();
    let names = text.split("feature = \"").skip(1).filter_map(|rest| rest.split('"').next());
    if list.path.is_ident("cfg") { names.map(str::to_owned).collect() } else { Vec::new() }
}

/// `a/b/../c` as `a/c`, without looking at the disk.
fn normal(path: &Path) -> String {
    let mut whole = PathBuf::new();
    for part in path.components() {
        if part == Component::ParentDir {
            whole.pop();
        } else {
            whole.push(part);
        }
    }
    whole.to_string_lossy().into_owned()
}

/// What the doctests of all crates printed that include one of these documents, by crate.
pub(super) fn run(tree: &Tree, documents: &[Document]) -> Result<BTreeMap<String, String>> {
    let shell = Shell::new()?;
    shell.change_dir(root());
    let with_rust = |path: &str| {
        documents.iter().any(|document| document.path == path && document.blocks.iter().any(|b| b.language == "rust"))
    };
    let mut needed: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for Included { package, features, document, .. } in included(tree) {
        if with_rust(&document) {
            needed.entry(package).or_default().extend(features);
        }
    }
    let mut printed = BTreeMap::new();
    for (package, features) in needed {
        eprintln!("==> the doctests of {package}");
        let features = features.into_iter().collect::<Vec<_>>().join(",");
        let run = cmd!(shell, "cargo test --locked --doc --package {package} --features {features}");
        // A doctest that fails is told at its line; the others passed all the same.
        let output = run.ignore_status().output().context("cargo does not start")?;
        if !output.status.success() {
            eprintln!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        }
        printed.insert(package, String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Ok(printed)
}

/// What became of each block of Rust.
pub(super) fn judged(tree: &Tree, document: &Document, printed: &BTreeMap<String, String>) -> Vec<Told> {
    let places: Vec<_> = included(tree).into_iter().filter(|place| place.document == document.path).collect();
    let lines: Vec<_> =
        document.blocks.iter().filter(|block| block.language == "rust").map(|block| block.line).collect();
    let outcomes = match places.first() {
        None => vec![Err("no crate includes this document in its doctests".to_owned()); lines.len()],
        Some(Included { package, item, .. }) => {
            let passed = tested(item, printed.get(package).map_or("", String::as_str));
            if passed.len() == lines.len() {
                passed.into_iter().map(|ok| ok.then_some(()).ok_or("the doctest fails".to_owned())).collect()
            } else {
                vec![Err(format!("{} of {} blocks of Rust are doctests", passed.len(), lines.len())); lines.len()]
            }
        }
    };
    lines.into_iter().zip(outcomes).map(|(line, outcome)| Told::new(line, "rust, a doctest", outcome)).collect()
}

/// Whether each doctest of an item passed, in the order of their lines, by what rustdoc printed.
pub fn tested(item: &str, printed: &str) -> Vec<bool> {
    let name = format!(" - {item} (line ");
    let mut tests: Vec<(usize, bool)> = Vec::new();
    for line in printed.lines() {
        let Some((_, rest)) = line.strip_prefix("test ").and_then(|line| line.split_once(&name)) else { continue };
        let Some((number, outcome)) = rest.split_once(')') else { continue };
        tests.extend(number.parse().ok().map(|number| (number, outcome.ends_with("... ok"))));
    }
    tests.sort_unstable();
    tests.into_iter().map(|(_, passed)| passed).collect()
}
