//! How manifests are written.

use crate::tree::Tree;
use toml::{Table, Value};

/// No crate that leaves it open whether it is published.
pub(super) fn no_undeclared_publish(tree: &Tree) -> Vec<String> {
    let open =
        manifests(tree).filter(|(_, table)| table.get("package").and_then(|package| package.get("publish")).is_none());
    open.map(|(path, _)| format!("{path}: package.publish is missing; say true or false")).collect()
}

/// No crate that does not take the lints of the workspace.
pub(super) fn no_crate_without_the_lints(tree: &Tree) -> Vec<String> {
    let without = manifests(tree).filter(|(_, table)| !from_workspace(table.get("lints")));
    without.map(|(path, _)| format!("{path}: [lints] workspace = true is missing")).collect()
}

/// No dependency with a version of its own beside `[workspace.dependencies]`.
pub(super) fn no_dependency_beside_the_table(tree: &Tree) -> Vec<String> {
    let mut found = Vec::new();
    for (path, table) in manifests(tree) {
        let targets = table.get("target").and_then(Value::as_table).into_iter().flat_map(Table::values);
        let places = targets.filter_map(Value::as_table).chain([&table]);
        for dependencies in places.flat_map(|place| KINDS.iter().filter_map(|kind| place.get(*kind)?.as_table())) {
            for (name, dependency) in dependencies {
                if !from_workspace(Some(dependency)) {
                    found.push(format!("{path}: {name} must come from the workspace: {name}.workspace = true"));
                }
            }
        }
    }
    found
}

/// No dependency that stands after one of a later name.
pub(super) fn no_unsorted_dependencies(tree: &Tree) -> Vec<String> {
    let members = tree.members.iter().map(|member| format!("{}/Cargo.toml", member.folder));
    let mut found = Vec::new();
    for path in members.chain(["Cargo.toml".to_owned()]) {
        let mut last = None;
        for (at, line) in tree.text(&path).unwrap_or_default().lines().enumerate() {
            if line.starts_with('[') {
                last = line.trim_end().ends_with("dependencies]").then_some("");
            }
            let name =
                line.split([' ', '.', '=']).next().filter(|name| !name.is_empty() && !line.starts_with(['#', '[']));
            if let (Some(before), Some(name)) = (last, name) {
                if before > name {
                    found.push(format!("{path}:{}: {name} stands after {before}; dependencies are sorted", at + 1));
                }
                last = Some(name);
            }
        }
    }
    found
}

const KINDS: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];

/// The manifests of all crates. One that is not TOML is cargo's to refuse.
fn manifests(tree: &Tree) -> impl Iterator<Item = (String, Table)> {
    tree.members.iter().filter_map(|member| {
        let path = format!("{}/Cargo.toml", member.folder);
        let table = tree.text(&path)?.parse().ok()?;
        Some((path, table))
    })
}

fn from_workspace(value: Option<&Value>) -> bool {
    value.and_then(|value| value.get("workspace")?.as_bool()) == Some(true)
}
