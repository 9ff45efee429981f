//! Commands in the text: each is one that its program accepts, and quick ones are run.
//!
//! The program itself is asked: with `--help` as the last word, clap reads every word before it and then does nothing.

use super::{Document, Inline, Told};
use crate::tree::root;
use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// What stands for a value in documents, with a value. Other words in capitals are taken as they are.
const SAMPLES: &[(&str, &str)] = &[
    ("CODE", "E-BURNED"),
    ("FILE", "README.md"),
    ("N", "1"),
    ("NAME", "default"),
    ("PRESET", "okhttp_5"),
    ("SEED", "1"),
    ("URL", "http://127.0.0.1:9/"),
    ("X.Y.Z", "1.2.3"),
];

/// What is run, too: it answers at once, and changes nothing.
const QUICK: &[&str] = &["cargo xtask release --explain", "httpx explain", "httpx policies"];

/// What a document tells to type, and CI runs in a step of its own.
const LONG: &[&str] = &[
    "cargo test --workspace",
    "cargo xtask bench",
    "cargo xtask ci",
    "cargo xtask docs-check",
    "cargo xtask fuzz",
    "cargo xtask soak",
    "cargo xtask stress",
];

/// Where the programs are that answer for commands.
#[derive(Clone, Debug)]
pub struct Programs {
    /// The program behind `cargo xtask`.
    pub xtask: PathBuf,
    /// The program `httpx`.
    pub httpx: PathBuf,
}

/// Whether a command is one of those that take minutes.
pub(super) fn is_long(command: &str) -> bool {
    LONG.iter().any(|long| command.starts_with(long))
}

/// What became of each command in the text.
pub(super) fn judged(programs: &Programs, document: &Document) -> Vec<Told> {
    let judged = |Inline { line, code: command }: &Inline| {
        let quick = QUICK.iter().any(|quick| command.starts_with(quick));
        let accepted = programs.accept(command);
        let outcome =
            if quick { accepted.and_then(|()| succeeds(&mut programs.command(&words(command))?)) } else { accepted };
        Told::new(*line, format!("`{command}`, {}", if quick { "read and run" } else { "read" }), outcome)
    };
    document.commands.iter().map(judged).collect()
}

impl Programs {
    /// Asks the program of a command whether it takes every word of it, up to a `--` that leaves the rest to another.
    ///
    /// # Errors
    /// What the program says against it.
    pub fn accept(&self, command: &str) -> Result<(), String> {
        let words = words(command);
        let words = words.split(|word| word == "--").next().unwrap_or_default();
        let own = matches!(words, [cargo, task, ..] if cargo == "cargo" && task != "xtask");
        // The long help of cargo is a page of its manual, which it opens in another program.
        succeeds(self.command(words)?.arg(if own { "-h" } else { "--help" }))?;
        let builds = own && ["build", "check", "run", "test"].contains(&words[1].as_str());
        if builds { self.planned(words) } else { Ok(()) }
    }

    /// Has cargo plan a build, for its help does not look at packages, features and targets. Nothing is built.
    fn planned(&self, words: &[String]) -> Result<(), String> {
        let mut plan = words.to_vec();
        if plan[1] == "run" {
            // What it runs it builds, and cargo plans no run.
            "build".clone_into(&mut plan[1]);
        }
        let mut plan = self.command(&plan)?;
        // The stable cargo keeps such plans to itself.
        succeeds(plan.args(["--unit-graph", "-Zunstable-options"]).env("RUSTC_BOOTSTRAP", "1"))
    }

    fn command(&self, words: &[String]) -> Result<Command, String> {
        let words: Vec<_> = words.iter().map(String::as_str).collect();
        let (program, words) = match &words[..] {
            ["cargo", "xtask", rest @ ..] => (self.xtask.as_path(), rest),
            ["cargo", rest @ ..] => (Path::new(env!("CARGO")), rest),
            ["httpx", rest @ ..] => (self.httpx.as_path(), rest),
            _ => return Err("only the words of cargo and httpx are known".to_owned()),
        };
        let mut command = Command::new(program);
        command.args(words).current_dir(root());
        Ok(command)
    }
}

fn words(command: &str) -> Vec<String> {
    let sample =
        |word: &str| SAMPLES.iter().find(|(name, _)| *name == word).map_or(word, |(_, value)| value).to_owned();
    command.split_whitespace().map(sample).collect()
}

fn succeeds(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("it does not start: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let first = said.lines().find(|line| line.contains("error") || line.starts_with("httpx:")).or(said.lines().last());
    if output.status.success() { Ok(()) } else { Err(first.unwrap_or("it fails and says nothing").to_owned()) }
}
