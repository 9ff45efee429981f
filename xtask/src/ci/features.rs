//! Each published crate builds by itself with each of its features alone, with none and with all.
//!
//! Whatever builds the whole workspace at once has the features of all crates together, and hides one that is missing.

use crate::{steps::Steps, tree::root};
use anyhow::Result;
use cargo_metadata::{MetadataCommand, Package};
use xshell::{Shell, cmd};

/// The options of cargo that choose features, for each way in which a crate with these `features` is built.
pub fn ways<'a>(features: impl IntoIterator<Item = &'a str>) -> Vec<Vec<&'a str>> {
    const NONE: &str = "--no-default-features";
    let mut ways = vec![vec![NONE]];
    ways.extend(features.into_iter().map(|feature| vec![NONE, "--features", feature]));
    if ways.len() > 1 {
        ways.push(vec!["--all-features"]);
    }
    ways
}

/// Checks every published crate in each of its ways. Tests and examples are left out: what they need a user has not.
pub(super) fn run(shell: &Shell, steps: &mut Steps) -> Result<()> {
    let metadata = MetadataCommand::new().current_dir(root()).no_deps().exec()?;
    let is_published = |package: &&Package| package.publish.as_ref().is_none_or(|to| !to.is_empty());
    for package in metadata.packages.iter().filter(is_published) {
        let name = package.name.as_str();
        for way in ways(package.features.keys().map(String::as_str)) {
            steps.run(format!("features: {name} {}", way.join(" ")), || {
                Ok(cmd!(shell, "cargo check --quiet --locked --package {name} {way...}").run()?)
            });
        }
    }
    steps.run("features: the core of httpx-client, tested", || {
        let core = ["--no-default-features", "--features", "ring", "--test", "core"];
        Ok(cmd!(shell, "cargo test --quiet --locked --package httpx-client {core...}").run()?)
    });
    Ok(())
}
