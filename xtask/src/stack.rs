//! `cargo xtask stack`: the layers of the version as a tree, each with what it is and why.

use crate::release::{LayerLine, Report, Whereabouts, report, short};
use anyhow::Result;
use clap::Args;
use std::fmt::Write;

/// Draws the branches of the remote: which are layers of the version, and which are in HEAD.
#[derive(Args, Debug)]
pub struct Options {
    #[command(flatten)]
    whereabouts: Whereabouts,
}

/// Runs `cargo xtask stack`.
///
/// # Errors
/// When the repository cannot be read.
pub fn run(options: &Options) -> Result<()> {
    let report = report(&options.whereabouts)?;
    print!("{}", draw(&report));
    Ok(())
}

/// The drawing: HEAD, and below it each fork point with the branches that leave there.
pub fn draw(report: &Report) -> String {
    let mut text = String::new();
    let version = report.version.as_deref().unwrap_or("no version");
    // Writing to a string does not fail.
    let _ = writeln!(text, "{} {version} {}", short(&report.head), report.title);
    let mut forks: Vec<Option<&str>> = Vec::new();
    for layer in &report.layers {
        if !forks.contains(&layer.fork.as_deref()) {
            forks.push(layer.fork.as_deref());
        }
    }
    for (at, fork) in forks.iter().enumerate() {
        let (branch, rest) = if at + 1 == forks.len() { ("└─", "  ") } else { ("├─", "│ ") };
        let _ = writeln!(text, "{branch} {}", fork.map_or("no common history", short));
        let layers: Vec<_> = report.layers.iter().filter(|layer| layer.fork.as_deref() == *fork).collect();
        for (at, layer) in layers.iter().enumerate() {
            let leaf = if at + 1 == layers.len() { "└─" } else { "├─" };
            let _ = writeln!(text, "{rest} {leaf} {}", line(layer));
        }
    }
    text
}

fn line(layer: &LayerLine) -> String {
    let reason = layer.reason.as_deref().map(|reason| format!(": {reason}")).unwrap_or_default();
    format!("{} {} {}{reason}", layer.branch, layer.version.as_deref().unwrap_or("no version"), layer.standing)
}
