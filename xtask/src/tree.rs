//! The workspace as the checks see it: plain values, so that a test can make up any tree.

use crate::settings;
use anyhow::{Context, Result, anyhow};
use cargo_metadata::{DependencyKind, MetadataCommand, Package};
use ignore::WalkBuilder;
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// Everything that is checked.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// Text of each file by its path from the root, as in `crates/httpx-retry/src/lib.rs`. Files that are not UTF-8
    /// are left out.
    pub files: BTreeMap<String, String>,
    /// The crates of the workspace.
    pub members: Vec<Member>,
    /// The table that docs/RULE.md shows, as the default policy prints it.
    pub rule_table: String,
    /// The table of settings that docs/SETTINGS.md shows, as the client's `Config` has them.
    pub option_table: String,
}

/// One crate of the workspace.
#[derive(Clone, Debug)]
pub struct Member {
    /// The name of the package.
    pub name: String,
    /// Its folder from the root, as in `crates/httpx-retry`.
    pub folder: String,
    /// Its version.
    pub version: String,
    /// Everything it depends on, of every kind and target.
    pub dependencies: Vec<Dependency>,
}

/// One arrow of a crate.
#[derive(Clone, Debug)]
pub struct Dependency {
    /// The name of the package depended on.
    pub name: String,
    /// Whether only tests, examples and benches need it.
    pub dev: bool,
}

impl Tree {
    /// Reads the workspace below `root`: every file that git would track, and the crates as cargo sees them.
    ///
    /// # Errors
    /// When a folder cannot be walked, a file cannot be read, or cargo refuses a manifest.
    pub fn read(root: &Path) -> Result<Self> {
        let metadata = MetadataCommand::new()
            .manifest_path(root.join("Cargo.toml"))
            .no_deps()
            .exec()
            .context("cargo cannot read the workspace")?;
        let files = files(root)?;
        let text = |path: &str| files.get(path).map(String::as_str).unwrap_or_default();
        let option_table = settings::table(text(settings::CONFIG), text(settings::FORMS), text(settings::AUTH_CONFIG))?;
        Ok(Self {
            files,
            option_table,
            members: metadata
                .workspace_packages()
                .into_iter()
                .map(|package| member(root, package))
                .collect::<Result<_>>()?,
            rule_table: httpx_retry::truth_table(&httpx_retry::Policy::default()),
        })
    }

    /// The text of the file at `path`, or `None` when there is no such file.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// Every Rust file, path and text.
    pub fn rust(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|(path, text)| (path.as_str(), text.as_str())).filter(|(path, _)| path.ends_with(".rs"))
    }

    /// The Rust files of `member` that are not tests: what stands below its `src`.
    pub fn sources<'a>(&'a self, member: &'a Member) -> impl Iterator<Item = (&'a str, &'a str)> {
        let src = format!("{}/src/", member.folder);
        self.rust().filter(move |(path, _)| path.starts_with(&src))
    }
}

/// The folder of the workspace that this program was built from.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

fn files(root: &Path) -> Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    // Hidden folders hold the workflows. Only the tree's own ignore rules count, not those of the machine.
    let walk = WalkBuilder::new(root)
        .hidden(false)
        .parents(false)
        .git_global(false)
        .git_exclude(false)
        .require_git(false)
        .filter_entry(|entry| entry.file_name() != ".git" && entry.file_name() != "target")
        .build();
    for entry in walk {
        let entry = entry?;
        if !entry.file_type().is_some_and(|kind| kind.is_file()) {
            continue;
        }
        let path = entry.path();
        // A file that an editor removed between the walk and here is not part of the tree.
        let Ok(bytes) = fs::read(path) else { continue };
        if let Ok(text) = String::from_utf8(bytes) {
            files.insert(relative(root, path)?, text);
        }
    }
    Ok(files)
}

fn member(root: &Path, package: &Package) -> Result<Member> {
    let folder = package.manifest_path.parent().ok_or_else(|| anyhow!("{} has no folder", package.manifest_path))?;
    Ok(Member {
        name: package.name.to_string(),
        folder: relative(root, folder.as_std_path())?,
        version: package.version.to_string(),
        dependencies: package
            .dependencies
            .iter()
            .map(|dependency| Dependency {
                name: dependency.name.clone(),
                dev: dependency.kind == DependencyKind::Development,
            })
            .collect(),
    })
}

fn relative(root: &Path, path: &Path) -> Result<String> {
    let inside = path.strip_prefix(root).with_context(|| format!("{} is outside the workspace", path.display()))?;
    Ok(inside.to_string_lossy().replace('\\', "/"))
}
