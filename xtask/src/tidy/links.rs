//! Links in documents lead somewhere.

use crate::tree::Tree;
use regex::Regex;
use std::path::{Component, Path, PathBuf};

/// No link to a file that is not there, and none that names a test or an item by a word that its file does not have: a
/// promise that points at its proof must go on pointing at it.
pub(super) fn no_dead_link(tree: &Tree) -> Vec<String> {
    let link = Regex::new(r"\[([^\[\]]+)\]\(([^()\s]+)\)").expect("the pattern is constant");
    let documents = tree.files.iter().filter(|(path, _)| path.ends_with(".md") && !path.contains("tests/"));
    documents
        .flat_map(|(path, text)| text.lines().enumerate().map(move |(at, line)| (path, at + 1, line)))
        .flat_map(|(path, at, line)| link.captures_iter(line).map(move |found| (path, at, found)))
        .filter_map(|(path, at, found)| Some(format!("{path}:{at}: {}", dead(tree, path, &found[1], &found[2])?)))
        .collect()
}

/// Why the link `name` to `target` in `document` is dead.
fn dead(tree: &Tree, document: &str, name: &str, target: &str) -> Option<String> {
    let file = target.split('#').next().unwrap_or_default();
    if target.contains("://") || target.starts_with("mailto:") || file.is_empty() {
        return None;
    }
    let at = beside(document, file);
    let Some(text) = tree.text(&at) else {
        let folder = format!("{}/", at.trim_end_matches('/'));
        let known = tree.files.keys().any(|path| path.starts_with(&folder));
        return (!known).then(|| format!("the link to {target} leads nowhere"));
    };
    let word = name.strip_prefix('`')?.strip_suffix('`')?;
    let last = word.rsplit("::").next().unwrap_or(word);
    let is_item = last.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && at.ends_with(".rs");
    (is_item && !text.contains(last)).then(|| format!("{at} has no {word}"))
}

/// The path from the root of what `document` calls `file`.
fn beside(document: &str, file: &str) -> String {
    let folder = Path::new(document).parent().unwrap_or(Path::new(""));
    let mut path = PathBuf::new();
    for part in folder.join(file).components() {
        match part {
            Component::ParentDir => _ = path.pop(),
            Component::Normal(part) => path.push(part),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    path.to_string_lossy().into_owned()
}
