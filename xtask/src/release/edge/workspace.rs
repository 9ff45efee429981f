//! What the files of HEAD and cargo say.

use super::{history::text, remote::last_line};
use crate::release::facts::{Asked, Member, Need, TreeFacts, Unreadable};
use anyhow::Result;
use cargo_metadata::{DependencyKind, MetadataCommand, Package};
use git2::{Oid, Repository, TreeWalkMode, TreeWalkResult};
use std::{collections::BTreeMap, path::Path};
use xshell::{Shell, cmd};

/// Reads the files of HEAD, and lets cargo read the workspace around them.
pub(super) fn tree(repository: &Repository, head: Oid, root: &Path, registry: &str) -> Result<TreeFacts> {
    let paths = tracked(repository, head)?;
    let members = members(root);
    Ok(TreeFacts {
        version: text(repository, head, "VERSION")?,
        manifest: text(repository, head, "Cargo.toml")?.unwrap_or_default(),
        registry: registry.to_owned(),
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

fn members(root: &Path) -> Asked<Vec<Member>> {
    let metadata = MetadataCommand::new().current_dir(root).no_deps().exec();
    let metadata =
        metadata.map_err(|error| Unreadable(format!("failed: {}", last_line(error.to_string().as_bytes()))))?;
    let packages = metadata.workspace_packages();
    let names: Vec<_> = packages.iter().map(|package| package.name.to_string()).collect();
    Ok(packages.into_iter().map(|package| member(root, package, &names)).collect())
}

fn member(root: &Path, package: &Package, names: &[String]) -> Member {
    let manifest = package.manifest_path.as_std_path();
    let needs = package.dependencies.iter().filter(|need| need.path.is_some() && names.contains(&need.name));
    Member {
        name: package.name.to_string(),
        version: package.version.to_string(),
        manifest: manifest.strip_prefix(root).unwrap_or(manifest).to_string_lossy().into_owned(),
        declared: declares_publish(manifest),
        publishable: package.publish.as_ref().is_none_or(|registries| !registries.is_empty()),
        registries: package.publish.clone().filter(|registries| !registries.is_empty()),
        needs: needs
            .map(|need| Need {
                name: need.name.clone(),
                requirement: need.req.to_string(),
                dev: need.kind == DependencyKind::Development,
            })
            .collect(),
    }
}

/// Whether the manifest says `publish`. One that cannot be read says nothing.
fn declares_publish(manifest: &Path) -> bool {
    let table = std::fs::read_to_string(manifest).ok().and_then(|text| text.parse::<toml::Table>().ok());
    table.is_some_and(|table| table.get("package").is_some_and(|package| package.get("publish").is_some()))
}

/// Manifests and VERSION files in the folders where the crates stand, that belong to none of them.
fn strays(repository: &Repository, head: Oid, paths: &[String], members: &[Member]) -> Vec<String> {
    let folder = |path: &str| path.rsplit_once('/').map(|(folder, _)| folder.to_owned());
    let crates: Vec<_> = members.iter().filter_map(|member| folder(&member.manifest)).collect();
    let parents: Vec<_> = crates.iter().filter_map(|path| folder(path)).collect();
    let is_package =
        |path: &str| text(repository, head, path).ok().flatten().is_none_or(|text| text.contains("[package]"));
    let mut strays = Vec::new();
    for path in paths {
        let Some(own) = folder(path) else { continue };
        let is_beside = folder(&own).is_some_and(|parent| parents.contains(&parent)) && !crates.contains(&own);
        let is_manifest = path.ends_with("/Cargo.toml") && is_package(path);
        if is_beside && (is_manifest || path.ends_with("/VERSION")) {
            strays.push(path.clone());
        }
    }
    strays
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
