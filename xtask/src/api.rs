//! `cargo xtask api`: what each published crate shows, recorded in `docs/api`, so that nothing becomes public unseen.

use crate::tree::root;
use anyhow::{Context, Result, bail};
use cargo_metadata::{MetadataCommand, Package};
use clap::Args;
use public_api::Builder;
use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};
use xshell::{Shell, cmd};

/// Compares what each published crate shows with its listing in docs/api.
#[derive(Args, Debug, Default)]
pub struct Options {
    /// Rewrites the listings instead.
    #[arg(long)]
    write: bool,
}

/// Public items of a crate, one a line and sorted, by the crate's name.
pub type Listings = BTreeMap<String, String>;

/// Runs `cargo xtask api`.
///
/// # Errors
/// When a listing differs, after all differences are printed; or when rustdoc refuses a crate.
pub fn run(options: &Options) -> Result<()> {
    let folder = root().join("docs/api");
    let shown = shown()?;
    let recorded = recorded(&folder)?;
    if options.write {
        return write(&folder, &shown, &recorded);
    }
    let differences = differences(&shown, &recorded);
    for difference in &differences {
        println!("{difference}");
    }
    if !differences.is_empty() {
        bail!("docs/api is not what the crates show; if it is meant so, cargo xtask api --write records it");
    }
    Ok(())
}

/// Every line in which the crates and their listings differ: `+` is shown but not recorded, `-` the other way round.
pub fn differences(shown: &Listings, recorded: &Listings) -> Vec<String> {
    let mut found = Vec::new();
    for (name, items) in shown {
        match recorded.get(name) {
            None => found.push(format!("docs/api/{name}.txt: missing; {name} is published and needs a listing")),
            Some(listing) => {
                found.extend(beyond(items, listing).map(|line| format!("docs/api/{name}.txt: + {line}")));
                found.extend(beyond(listing, items).map(|line| format!("docs/api/{name}.txt: - {line}")));
            }
        }
    }
    let stray = recorded.keys().filter(|name| !shown.contains_key(*name));
    found.extend(stray.map(|name| format!("docs/api/{name}.txt: no library called {name} is published; remove it")));
    found
}

/// The lines of `these` that stand in `those` fewer times: two traits may give a type the same line.
fn beyond<'a>(these: &'a str, those: &str) -> impl Iterator<Item = &'a str> {
    let mut left = BTreeMap::new();
    for line in those.lines() {
        *left.entry(line.to_owned()).or_insert(0_usize) += 1;
    }
    these.lines().filter(move |line| match left.get_mut(*line) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    })
}

fn recorded(folder: &Path) -> Result<Listings> {
    let mut listings = Listings::new();
    if !folder.exists() {
        return Ok(listings);
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        listings.insert(name, fs::read_to_string(&path).with_context(|| path.display().to_string())?);
    }
    Ok(listings)
}

fn write(folder: &Path, shown: &Listings, recorded: &Listings) -> Result<()> {
    fs::create_dir_all(folder)?;
    let file = |name: &str| folder.join(format!("{name}.txt"));
    for (name, items) in shown {
        fs::write(file(name), items)?;
    }
    for stray in recorded.keys().filter(|name| !shown.contains_key(*name)) {
        fs::remove_file(file(stray))?;
    }
    Ok(())
}

/// What the crates show now, as rustdoc sees them with all features.
fn shown() -> Result<Listings> {
    let metadata = MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec()?;
    let packages: Vec<_> = metadata.workspace_packages().into_iter().filter(|package| is_listed(package)).collect();
    let target = metadata.target_directory.as_std_path();
    document(&packages, target)?;
    let list = |package: &Package| {
        let json = target.join("doc").join(package.name.replace('-', "_")).with_extension("json");
        let api = Builder::from_rustdoc_json(json).omit_blanket_impls(true).omit_auto_trait_impls(true).build();
        let items = api.with_context(|| format!("the JSON that rustdoc wrote of {} cannot be read", package.name))?;
        Ok((package.name.to_string(), items.to_string()))
    };
    packages.into_iter().map(list).collect()
}

/// Only a registry that nobody may publish to, `publish = false`, makes a crate unlisted.
fn is_listed(package: &Package) -> bool {
    let published = package.publish.as_ref().is_none_or(|registries| !registries.is_empty());
    published && package.targets.iter().any(cargo_metadata::Target::is_lib)
}

fn document(packages: &[&Package], target: &Path) -> Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(root());
    let _rustdoc = shell.push_env("RUSTDOC", rustdoc(target)?);
    let _flags = shell.push_env("RUSTDOCFLAGS", "-Z unstable-options --output-format json");
    let names = packages.iter().flat_map(|package| ["--package", package.name.as_str()]);
    Ok(cmd!(shell, "cargo doc --quiet --locked --lib --no-deps --all-features {names...}").run()?)
}

/// A rustdoc that writes JSON although its toolchain is stable. It alone is told so: build scripts ask for the same
/// variable, and every dependency would be built again.
fn rustdoc(target: &Path) -> Result<PathBuf> {
    const SCRIPT: &str = "#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec rustdoc \"$@\"\n";
    let path = target.join("rustdoc-json");
    // To cargo, a file that is written again is another rustdoc, and all it had made is stale.
    if fs::read_to_string(&path).ok().as_deref() != Some(SCRIPT) {
        fs::write(&path, SCRIPT)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
    }
    Ok(path)
}
