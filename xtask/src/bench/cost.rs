//! The cost of one request: a client run at two lengths, and the difference divided.

use super::programs::Programs;
use anyhow::{Context, Result, anyhow};
use std::path::Path;
use xshell::{Shell, cmd};

/// Requests of the shorter and of the longer run. Repeated runs differ by fewer than a thousand instructions in all,
/// so a thousand requests between the two keep the noise of one below 0.01 %.
const LENGTHS: [u32; 2] = [200, 1200];

/// What one request costs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Instructions in user space, or `None` where valgrind is missing.
    pub instructions: Option<f64>,
    /// New blocks.
    pub allocations: f64,
}

/// Takes costs.
#[derive(Debug)]
pub(super) struct Meter<'a> {
    pub(super) shell: &'a Shell,
    pub(super) programs: &'a Programs,
    pub(super) has_valgrind: bool,
}

impl Meter<'_> {
    /// What one request of `scenario` costs `peer`.
    pub(super) fn cost(&self, peer: &str, scenario: &str) -> Result<Cost> {
        let instructions =
            self.has_valgrind.then(|| per_request(|count| self.instructions(peer, scenario, count))).transpose();
        Ok(Cost {
            instructions: instructions.with_context(|| format!("the instructions of {peer} cannot be counted"))?,
            allocations: per_request(|count| self.allocations(peer, scenario, count))
                .with_context(|| format!("the allocations of {peer} cannot be counted"))?,
        })
    }

    /// The commands that were run, once for each client, scenario and length.
    pub(super) fn commands(&self) -> Vec<String> {
        let [short, long] = LENGTHS;
        let of = |program: &str| format!("{program} send PEER get|post {short}|{long} URL");
        let counted = self.has_valgrind.then(|| format!("valgrind --tool=callgrind {}", of("httpx-bench-peer")));
        counted.into_iter().chain([of("httpx-bench-allocations")]).collect()
    }

    fn instructions(&self, peer: &str, scenario: &str, count: u32) -> Result<u64> {
        let mut server = self.programs.serve()?;
        let (program, url, count_text) = (self.programs.peer(), &server.url, count.to_string());
        let folder = tempfile::tempdir()?;
        let profile = folder.path().join("callgrind");
        let profile_flag = format!("--callgrind-out-file={}", profile.display());
        cmd!(
            self.shell,
            "valgrind --quiet --tool=callgrind {profile_flag} {program} send {peer} {scenario} {count_text} {url}"
        )
        .quiet()
        .run()?;
        server.expect_one_connection(count)?;
        total(self.shell, &profile)
    }

    fn allocations(&self, peer: &str, scenario: &str, count: u32) -> Result<u64> {
        let mut server = self.programs.serve()?;
        let (program, url, count_text) = (self.programs.allocations(), &server.url, count.to_string());
        let told = cmd!(self.shell, "{program} send {peer} {scenario} {count_text} {url}").quiet().read()?;
        server.expect_one_connection(count)?;
        told.parse().with_context(|| format!("{told:?} is not a number of allocations"))
    }
}

/// The difference of `run` at the two lengths, divided by the difference of the lengths.
fn per_request(run: impl Fn(u32) -> Result<u64>) -> Result<f64> {
    let [short, long] = LENGTHS;
    let (low, high) = (run(short)?, run(long)?);
    let more = high.checked_sub(low).ok_or_else(|| anyhow!("{long} requests counted {high}, {short} counted {low}"))?;
    // Exact: counts stay far below the 2^53 that a float holds.
    Ok(more as f64 / f64::from(long - short))
}

/// The instructions of a whole run, from the line `totals: N` of a callgrind profile.
fn total(shell: &Shell, profile: &Path) -> Result<u64> {
    let text = shell.read_file(profile)?;
    let total = text
        .lines()
        .find_map(|line| line.strip_prefix("totals: "))
        .ok_or_else(|| anyhow!("the profile has no totals"))?;
    total.trim().parse().with_context(|| format!("{total:?} is not a number of instructions"))
}
