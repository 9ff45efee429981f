//! In which order the modules of a crate stand, and which may use which.
//!
//! The `mod` lines of `lib.rs` and `main.rs` stand in groups parted by blank lines, the bottom group first. A module
//! uses modules of lower groups only. Names re-exported by the crate root count as their module's. A folder counts as
//! the module it belongs to.

use crate::{
    tokens::{Token, find, tokens},
    tree::Tree,
};
use std::collections::BTreeMap;

/// No module that uses one of its own or of a higher group.
pub(super) fn no_module_uses_its_own_or_a_higher_group(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for member in &tree.members {
        for root in ["lib.rs", "main.rs"] {
            let path = format!("{}/src/{root}", member.folder);
            if let Some(text) = tree.text(&path) {
                found.extend(uses_upward(tree, &format!("{}/src/", member.folder), &path, text));
            }
        }
    }
    found
}

fn uses_upward(tree: &Tree, src: &str, root: &str, text: &str) -> Vec<String> {
    let groups = groups(text);
    let exports = exports(&tokens(text).unwrap_or_default());
    let mut found = Vec::new();
    for (path, text) in tree.rust() {
        let Some((module, depth)) = path.strip_prefix(src).and_then(module_of) else { continue };
        let Some(own) = groups.get(module) else { continue };
        let tokens = tokens(text).unwrap_or_default();
        for Use { name, line, by_super } in uses(&tokens, depth) {
            let used = exports.get(name).map_or(name, String::as_str);
            match groups.get(used) {
                _ if used == module => {}
                Some(group) if group < own => {}
                Some(group) => found.push(format!(
                    "{path}:{line}: {module} (group {own} of {root}) uses {used} (group {group}); a module uses lower groups only"
                )),
                // `super` inside an inner module names the things of that file.
                None if by_super => {}
                None => found.push(format!(
                    "{path}:{line}: {module} uses crate::{name}, which {root} neither lists as a module nor re-exports from one"
                )),
            }
        }
    }
    found
}

/// The group of each module that `root` declares, counted from 1 at the bottom.
fn groups(root: &str) -> BTreeMap<&str, usize> {
    let mut groups = BTreeMap::new();
    let mut group = 0;
    let mut parted = true;
    for line in root.lines() {
        if line.trim().is_empty() {
            parted = true;
        } else if let Some(name) = declared(line) {
            group += usize::from(parted);
            parted = false;
            groups.insert(name, group);
        }
    }
    groups
}

/// `x` of a line `mod x;` of any visibility.
fn declared(line: &str) -> Option<&str> {
    let line = line.strip_suffix(';')?;
    let line = ["pub(crate) ", "pub "].iter().find_map(|start| line.strip_prefix(start)).unwrap_or(line);
    line.strip_prefix("mod ")
}

/// The top module that a file below `src` belongs to, and how many times `super` leads from there to the crate root.
fn module_of(path: &str) -> Option<(&str, usize)> {
    let path = path.strip_suffix(".rs")?;
    let path = path.strip_suffix("/mod").unwrap_or(path);
    Some((path.split('/').next()?, path.split('/').count()))
}

/// Names that a crate root makes its own by `use MODULE::…`, each with its module.
fn exports(root: &[Token]) -> BTreeMap<String, String> {
    let mut exports = BTreeMap::new();
    for at in find(root, &["use"]) {
        let tree = root[at + 1..].iter().take_while(|token| token.text != ";");
        let words: Vec<_> =
            tree.map(|token| token.text.as_str()).filter(|word| *word != "self" && *word != "crate").collect();
        let Some(module) = words.iter().find(|word| is_name(word)) else { continue };
        // A leaf is a name followed by the end of its entry: `x::{A, b::C as D}` leaves A and D.
        for (place, word) in words.iter().enumerate() {
            let ends = matches!(words.get(place + 1), None | Some(&"," | &"}"));
            if ends && is_name(word) {
                exports.insert((*word).to_owned(), (*module).to_owned());
            }
        }
    }
    exports
}

/// A name right below the crate root that is used: `a` and `B` of `use crate::{a::X, B}`.
#[derive(Clone, Copy)]
struct Use<'a> {
    name: &'a str,
    line: usize,
    /// Whether the crate root is called `super` here, which may also be a file around an inner module.
    by_super: bool,
}

/// Every use in a file from which `depth` times `super` leads to the crate root.
fn uses(tokens: &[Token], depth: usize) -> Vec<Use<'_>> {
    const SUPER: [&str; 3] = ["super", ":", ":"];
    let mut uses = Vec::new();
    for (root, by_super) in [(vec!["crate", ":", ":"], false), (SUPER.repeat(depth), true)] {
        for at in find(tokens, &root) {
            let path = &tokens[at + root.len()..];
            let names = match path.first() {
                Some(open) if open.text == "{" => entries(path),
                other => other.into_iter().collect(),
            };
            uses.extend(names.into_iter().map(|token| Use { name: &token.text, line: token.line, by_super }));
        }
    }
    uses
}

/// The first token of each entry of the braces that `tokens` starts with.
fn entries(tokens: &[Token]) -> Vec<&Token> {
    let mut entries = Vec::new();
    let mut depth = 0;
    let mut first = false;
    for token in tokens {
        match token.text.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            "," => {}
            _ if first => entries.push(token),
            _ => {}
        }
        first = depth == 1 && matches!(token.text.as_str(), "{" | ",");
        if depth == 0 {
            break;
        }
    }
    entries
}

fn is_name(word: &str) -> bool {
    word != "as" && word.starts_with(|first: char| first.is_alphabetic() || first == '_')
}
