//! `cargo xtask ci`: what must hold before a change lands, in layers that can run side by side.

mod features;

pub use features::ways;

use crate::{
    api,
    floors::{CONSUMER_FLOOR, floor},
    receipts::{self, Receipt},
    steps::Steps,
    tidy,
    tree::{Tree, root},
};
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use std::env;
use xshell::{Shell, cmd};

/// Builds, tests and lints; all layers in order, or one.
#[derive(Args, Debug)]
pub struct Options {
    /// Only this layer.
    layer: Option<Layer>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Layer {
    /// Builds and tests everything but the consumers.
    Core,
    /// Builds and tests the crates that inherit the client's default.
    Consumers,
    /// Format, clippy, documentation, public items and tidy over the whole workspace, and each feature of each crate alone.
    Lint,
}

/// Runs `cargo xtask ci`.
///
/// # Errors
/// When a step failed; the message names all that did.
pub fn run(options: &Options) -> Result<()> {
    let shell = Shell::new()?;
    shell.change_dir(root());
    let layers = match options.layer {
        Some(layer) => vec![layer],
        None => vec![Layer::Core, Layer::Consumers, Layer::Lint],
    };
    let mut steps = Steps::default();
    for layer in layers {
        match layer {
            Layer::Core => certified(&shell, &mut steps, "core", |floor| floor != CONSUMER_FLOOR)?,
            Layer::Consumers => certified(&shell, &mut steps, "consumers", |floor| floor == CONSUMER_FLOOR)?,
            Layer::Lint => lint(&shell, &mut steps)?,
        }
    }
    steps.finish()
}

/// Tests a layer, and leaves a receipt for `cargo xtask release` that says for which tree, and how it went.
fn certified(shell: &Shell, steps: &mut Steps, layer: &str, chosen: impl Fn(u8) -> bool) -> Result<()> {
    let before = receipts::clean_tree(&root());
    let failures = steps.failures();
    test(shell, steps, layer, chosen)?;
    let ok = steps.failures() == failures;
    match (before, receipts::clean_tree(&root())) {
        (Ok(before), Ok(tree)) if before == tree => {
            receipts::write(&receipts::folder(&root())?, &Receipt { layer: layer.to_owned(), tree, ok })
        }
        (Ok(_), Ok(_)) => no_receipt(layer, "HEAD moved while it was tested"),
        (Err(error), _) | (_, Err(error)) => no_receipt(layer, &format!("{error:#}")),
    }
}

fn no_receipt(layer: &str, why: &str) -> Result<()> {
    eprintln!("==> {layer}: NO RECEIPT for a release: {why}");
    Ok(())
}

/// Builds and tests the crates on the floors that `chosen` picks. A crate without a floor is tidy's to refuse; it is
/// tested with the core.
fn test(shell: &Shell, steps: &mut Steps, layer: &str, chosen: impl Fn(u8) -> bool) -> Result<()> {
    let members = Tree::read(&root())?.members;
    let names = members.into_iter().map(|member| member.name).filter(|name| chosen(floor(name).unwrap_or(0)));
    let packages: Vec<_> = names.flat_map(|name| ["--package".to_owned(), name]).collect();
    if packages.is_empty() {
        // A receipt that is green because nothing was tested would let a release pass.
        steps.run(format!("{layer}: test"), || bail!("nothing to test: no crate stands on its floors"));
        return Ok(());
    }
    steps.run(format!("{layer}: build"), || {
        let packages = &packages;
        Ok(cmd!(shell, "cargo build --locked --all-targets {packages...}").run()?)
    });
    steps.run(format!("{layer}: test"), || {
        let packages = &packages;
        Ok(cmd!(shell, "cargo test --locked {packages...}").run()?)
    });
    Ok(())
}

fn lint(shell: &Shell, steps: &mut Steps) -> Result<()> {
    steps.run("lint: format", || Ok(cmd!(shell, "cargo fmt --all --check").run()?));
    steps.run("lint: clippy", || {
        Ok(cmd!(shell, "cargo clippy --locked --workspace --all-targets --all-features -- -D warnings").run()?)
    });
    steps.run("lint: documentation", || {
        let _flags = shell.push_env("RUSTDOCFLAGS", "-D warnings");
        Ok(cmd!(shell, "cargo doc --locked --workspace --all-features --no-deps").run()?)
    });
    steps.run("lint: public items", || api::run(&api::Options::default()));
    steps.run("lint: workflows", || {
        // What tidy says of them holds everywhere; this knows more of the host, and is not to be had everywhere.
        if cmd!(shell, "actionlint -version").quiet().ignore_stderr().read().is_err() {
            eprintln!("actionlint is not installed; tidy looks at the workflows all the same");
            return Ok(());
        }
        Ok(cmd!(shell, "actionlint").run()?)
    });
    steps.run("lint: dependencies", || dependencies(shell));
    steps.run("lint: tidy", || tidy::run(&tidy::Options::default()));
    features::run(shell, steps)
}

/// Licences, origins and known holes of everything that is depended on, as deny.toml wants them.
fn dependencies(shell: &Shell) -> Result<()> {
    if cmd!(shell, "cargo deny --version").quiet().ignore_stdout().ignore_stderr().run().is_err() {
        anyhow::ensure!(env::var_os("HTTPX_CI").is_none(), "cargo-deny is not installed; cargo install cargo-deny");
        eprintln!("SKIPPED: cargo-deny is not installed, so nobody looked at licences and advisories");
        return Ok(());
    }
    cmd!(shell, "cargo deny --locked --log-level error check licenses bans sources").run()?;
    if cmd!(shell, "cargo deny --locked --log-level error fetch db").quiet().ignore_stderr().run().is_err() {
        eprintln!("SKIPPED: the database of advisories cannot be reached from here");
        return Ok(());
    }
    Ok(cmd!(shell, "cargo deny --frozen --log-level error check advisories").run()?)
}
