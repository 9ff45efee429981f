//! Places that exist on one machine, or that a test must not reach.

use crate::tree::Tree;
use regex::Regex;

/// Files that state these rules and so must hold what they forbid.
const EXEMPT: [&str; 2] = ["xtask/src/tidy/places.rs", "xtask/tests/tidy.rs"];

/// No absolute path of somebody's machine.
pub(super) fn no_path_of_one_machine(tree: &Tree) -> Vec<String> {
    let path =
        Regex::new(r#"(?:^|[\s"'`(=:])(/(?:work|tmp|root|home|Users)/[\w.-]*)"#).expect("the pattern is constant");
    lines(tree, |_| true, |line| path.captures(line).map(|found| found[1].to_owned()))
        .map(|(place, found)| {
            format!("{place}: {found} is a path of one machine; make a temporary folder or take it as an argument")
        })
        .collect()
}

/// No host of a package registry in tests and documents: tests stay on the loopback address.
pub(super) fn no_registry_host(tree: &Tree) -> Vec<String> {
    const HOSTS: [&str; 6] =
        ["crates.io", "registry.npmjs.org", "pypi.org", "deb.debian.org", "proxy.golang.org", "repo.maven.apache.org"];
    let is_told = |path: &str| path.contains("tests/") || path.ends_with(".md") || path.ends_with(".txt");
    lines(tree, is_told, |line| HOSTS.iter().find(|host| line.contains(**host)).map(|host| (*host).to_owned()))
        .map(|(place, host)| format!("{place}: {host} is a package registry; tests and documents name none"))
        .collect()
}

/// The place, as `path:line`, and what `search` found in each line of the files that `chosen` picks.
fn lines(
    tree: &Tree,
    chosen: impl Fn(&str) -> bool,
    search: impl Fn(&str) -> Option<String>,
) -> impl Iterator<Item = (String, String)> {
    let files = tree
        .files
        .iter()
        .filter(move |(path, _)| chosen(path) && path.as_str() != "Cargo.lock" && !EXEMPT.contains(&path.as_str()));
    files
        .flat_map(|(path, text)| text.lines().enumerate().map(move |(at, line)| (path, at + 1, line)))
        .filter_map(move |(path, at, line)| search(line).map(|found| (format!("{path}:{at}"), found)))
}
