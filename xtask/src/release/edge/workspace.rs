//! What the files of HEAD and cargo say.

use super::{
    destination::{Destination, USUAL},
    history::text,
    remote::last_line,
};
use crate::release::facts::{Asked, Member, Need, TreeFacts, Unreadable};
use anyhow::Result;
use cargo_metadata::{Dependency, DependencyKind, MetadataCommand, Package};
use git2::{Oid, Repository, TreeWalkMode, TreeWalkResult};
use std::{collections::BTreeMap, path::Path};
use xshell::{Shell, cmd};

/// Reads the files of HEAD, and lets cargo read the workspace around them.
pub(super) fn tree(repository: &Repository, head: Oid, root: &Path, destination: &Destination) -> Result<TreeFacts> {
    let paths = tracked(repository, head)?;
    let members = members(root, destination);
    Ok(TreeFacts {
        version: text(repository, head, "VERSION")?,
        manifest: text(repository, head, "Cargo.toml")?.unwrap_or_default(),
        registry: destination.name.clone(),
        strays: members.as_ref().map(|members| strays(repository, head, &paths, members)).unwrap_or_default(),
        members,
        lock_tracked: paths.iter().any(|path| path == "Cargo.lock"),
        locked: locked(root),
        changelog: text(repository, head, "changelog.txt")?,
        readmes: readmes(repository, head, &paths)?,
    })
}

/// Every file of a commit.
fn tracked(repository: &Repository, head: Oid) -> Result<Vec<String>> {
    let mut paths = Vec::new();
    repository.find_commit(head)?.tree()?.walk(TreeWalkMode::PreOrder, |folder, entry| {
        if entry.kind() == Some(git2::ObjectType::Blob) {
            paths.push(format!("{folder}{}", String::from_utf8_lossy(entry.name_bytes())));
        }
        TreeWalkResult::Ok
    })?;
    Ok(paths)
}

fn members(root: &Path, destination: &Destination) -> Asked<Vec<Member>> {
    let metadata = MetadataCommand::new().current_dir(root).no_deps().exec();
    let metadata =
        metadata.map_err(|error| Unreadable(format!("failed: {}", last_line(error.to_string().as_bytes()))))?;
    let packages = metadata.workspace_packages();
    let folders: BTreeMap<_, _> =
        packages.iter().map(|package| (package.name.to_string(), package.manifest_path.parent())).collect();
    let is_member = |need: &Dependency| match folders.get(&need.name) {
        None => false,
        // A package forgets the path, so that a crate from elsewhere with the name of a member becomes that member.
        Some(folder) => destination.is(need.registry.as_deref()) || need.path.as_deref() == *folder,
    };
    let needs = |package: &Package| {
        let needs = package.dependencies.iter().filter(|found| is_member(found));
        needs.map(|found| need(found, destination)).collect()
    };
    Ok(packages.iter().map(|package| member(root, package, needs(package))).collect())
}

fn member(root: &Path, package: &Package, needs: Vec<Need>) -> Member {
    let manifest = package.manifest_path.as_std_path();
    Member {
        name: package.name.to_string(),
        version: package.version.to_string(),
        manifest: manifest.strip_prefix(root).unwrap_or(manifest).to_string_lossy().into_owned(),
        declared: declares_publish(manifest),
        publishable: package.publish.as_ref().is_none_or(|registries| !registries.is_empty()),
        registries: package.publish.clone().filter(|registries| !registries.is_empty()),
        needs,
    }
}

fn need(need: &Dependency, destination: &Destination) -> Need {
    let requirement = need.req.to_string();
    let dev = need.kind == DependencyKind::Development;
    let registry = need.registry.as_deref();
    Need {
        name: need.name.clone(),
        dropped: dev && need.path.is_some() && requirement == "*",
        requirement,
        dev,
        elsewhere: (!destination.is(registry)).then(|| registry.unwrap_or(USUAL).to_owned()),
    }
}

/// Whether the manifest says `publish`. One that cannot be read says nothing.
fn declares_publish(manifest: &Path) -> bool {
    let table = std::fs::read_to_string(manifest).ok().and_then(|text| text.parse::<toml::Table>().ok());
    table.is_some_and(|table| table.get("package").is_some_and(|package| package.get("publish").is_some()))
}

/// Manifests that may be published and VERSION files, that belong to no crate of the workspace.
///
/// A manifest counts wherever it stands; a VERSION file, which others write too, only beside the crates.
fn strays(repository: &Repository, head: Oid, paths: &[String], members: &[Member]) -> Vec<String> {
    let crates: Vec<_> = members.iter().map(|member| folder(&member.manifest)).collect();
    let parents: Vec<_> = crates.iter().filter(|path| !path.is_empty()).map(|path| folder(path)).collect();
    let is_published = |path: &str| text(repository, head, path).ok().flatten().is_none_or(|text| may_go_out(&text));
    let is_stray = |path: &&String| {
        let own = folder(path);
        match path.rsplit('/').next() {
            Some("Cargo.toml") => !crates.contains(&own) && is_published(path),
            Some("VERSION") => !own.is_empty() && !crates.contains(&own) && parents.contains(&folder(own)),
            Some(_) | None => false,
        }
    };
    paths.iter().filter(is_stray).cloned().collect()
}

/// The folder of a path; the root is the empty one.
fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Whether a manifest is that of a crate which does not say `publish = false`. One that cannot be read may be anything.
fn may_go_out(manifest: &str) -> bool {
    let Ok(table) = manifest.parse::<toml::Table>() else { return manifest.contains("[package]") };
    let Some(package) = table.get("package") else { return false };
    match package.get("publish") {
        Some(toml::Value::Boolean(publish)) => *publish,
        Some(toml::Value::Array(registries)) => !registries.is_empty(),
        Some(_) | None => true,
    }
}

fn locked(root: &Path) -> Asked<()> {
    let run = || {
        let shell = Shell::new()?;
        shell.change_dir(root);
        cmd!(shell, "cargo metadata --locked --format-version 1").quiet().ignore_status().output()
    };
    let output = run().map_err(|error| Unreadable(format!("cannot be compared with the manifests: {error}")))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(Unreadable(format!("is not what cargo makes of the manifests: {}", last_line(&output.stderr))))
    }
}

fn readmes(repository: &Repository, head: Oid, paths: &[String]) -> Result<BTreeMap<String, String>> {
    let is_readme = |path: &str| match path.split('/').collect::<Vec<_>>().as_slice() {
        [name] => name.starts_with("README") && name.ends_with(".md"),
        ["crates", _, name] => *name == "README.md",
        _ => false,
    };
    let mut readmes = BTreeMap::new();
    for path in paths.iter().filter(|path| is_readme(path)) {
        if let Some(text) = text(repository, head, path)? {
            readmes.insert(path.clone(), text);
        }
    }
    Ok(readmes)
}
