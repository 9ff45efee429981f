//! Steps of a task: each is announced, timed, and told again in the summary.

use anyhow::{Result, bail};
use std::time::{Duration, Instant};

/// The steps that have run.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    done: Vec<(String, Duration, bool)>,
}

impl Steps {
    /// Announces and runs one step. A failure is printed and remembered; the steps after it still run.
    pub(crate) fn run(&mut self, name: impl Into<String>, step: impl FnOnce() -> Result<()>) {
        let name = name.into();
        eprintln!("\n==> {name}");
        let start = Instant::now();
        let outcome = step();
        let took = start.elapsed();
        match &outcome {
            Ok(()) => eprintln!("==> {name}: done in {}", seconds(took)),
            Err(error) => eprintln!("==> {name}: FAILED after {}: {error:#}", seconds(took)),
        }
        self.done.push((name, took, outcome.is_ok()));
    }

    /// How many steps have failed so far.
    pub(crate) fn failures(&self) -> usize {
        self.done.iter().filter(|(.., ok)| !ok).count()
    }

    /// Prints every step with its time.
    ///
    /// # Errors
    /// When a step failed; the message names them.
    pub(crate) fn finish(self) -> Result<()> {
        let width = self.done.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or_default();
        eprintln!("\nsummary{}", if self.done.is_empty() { ": no step ran" } else { "" });
        for (name, took, ok) in &self.done {
            eprintln!("  {name:<width$}  {:>8}  {}", seconds(*took), if *ok { "ok" } else { "FAILED" });
        }
        let failed: Vec<_> = self.done.iter().filter(|(.., ok)| !ok).map(|(name, ..)| name.as_str()).collect();
        if failed.is_empty() { Ok(()) } else { bail!("failed: {}", failed.join(", ")) }
    }
}

fn seconds(took: Duration) -> String {
    format!("{:.1} s", took.as_secs_f64())
}
