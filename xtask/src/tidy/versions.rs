//! One version for the workspace, written where tools need it and compared here.

use crate::tree::Tree;
use regex::Regex;
use semver::Version;

/// No version beside the one in `VERSION`: crates, workspace table, changelog and README agree with it.
pub(super) fn no_two_versions(tree: &Tree) -> Vec<String> {
    let Some(text) = tree.text("VERSION") else { return vec!["VERSION is missing".to_owned()] };
    let version = match Version::parse(text.trim_end()) {
        Ok(version) => version,
        Err(error) => return vec![format!("VERSION: {:?} is not a version: {error}", text.trim_end())],
    };
    let mut found = Vec::new();
    found.extend(crates(tree, &version));
    found.extend(workspace(tree, &version));
    found.extend(changelog(tree, &version));
    found.extend(readme(tree, &version));
    found
}

fn crates(tree: &Tree, version: &Version) -> Vec<String> {
    let other = tree.members.iter().filter(|member| member.version != version.to_string());
    other
        .map(|member| {
            format!(
                "{}/Cargo.toml: {} has version {}, VERSION says {version}",
                member.folder, member.name, member.version
            )
        })
        .collect()
}

fn workspace(tree: &Tree, version: &Version) -> Vec<String> {
    let Some(text) = tree.text("Cargo.toml") else { return vec!["Cargo.toml is missing".to_owned()] };
    let table: toml::Table = match text.parse() {
        Ok(table) => table,
        Err(error) => return vec![format!("Cargo.toml: {}", error.message())],
    };
    let mut found = Vec::new();
    let workspace = table.get("workspace");
    let own = workspace.and_then(|table| table.get("package")?.get("version")?.as_str()).unwrap_or("missing");
    if own != version.to_string() {
        found.push(format!("Cargo.toml: workspace.package.version is {own}, VERSION says {version}"));
    }
    let dependencies = workspace.and_then(|table| table.get("dependencies")?.as_table());
    for (name, dependency) in dependencies.into_iter().flatten() {
        let stated = dependency.get("version").and_then(toml::Value::as_str).unwrap_or("missing");
        if dependency.get("path").is_some() && stated != version.to_string() {
            found.push(format!("Cargo.toml: the version of {name} is {stated}, VERSION says {version}"));
        }
    }
    found
}

fn changelog(tree: &Tree, version: &Version) -> Vec<String> {
    let Some(text) = tree.text("changelog.txt") else { return vec!["changelog.txt is missing".to_owned()] };
    let header = text.lines().next().unwrap_or_default();
    match header.split_once(" - ") {
        Some((stated, _)) if stated == version.to_string() => Vec::new(),
        _ => vec![format!("changelog.txt:1: the first line is {header:?}, it must be \"{version} - D Mon YYYY\"")],
    }
}

/// README tells people what to write into their manifest: `httpx-client = "0.1"`.
fn readme(tree: &Tree, version: &Version) -> Vec<String> {
    let snippet = Regex::new(r#"^(httpx-[a-z-]+) = (?:\{.*version = )?"([^"]*)""#).expect("the pattern is constant");
    let right = format!("{}.{}", version.major, version.minor);
    let mut found = Vec::new();
    for (at, line) in tree.text("README.md").unwrap_or_default().lines().enumerate() {
        let Some(captures) = snippet.captures(line) else { continue };
        if captures[2] != right {
            found.push(format!(
                "README.md:{}: {} is asked for as {:?}, VERSION {version} makes it {right:?}",
                at + 1,
                &captures[1],
                &captures[2]
            ));
        }
    }
    found
}
