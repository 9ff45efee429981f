//! Has the programs do the work, and takes the numbers.

use super::{
    programs::Programs,
    sheet::{Numbers, Sheet},
    work::{CONNECTIONS_FOR_MORE, Length, Work, chosen},
};
use anyhow::{Context, Result};
use std::{collections::BTreeMap, path::Path};
use xshell::{Shell, cmd};

/// Takes numbers.
#[derive(Debug)]
pub(super) struct Meter<'a> {
    pub(super) shell: &'a Shell,
    pub(super) programs: &'a Programs,
    pub(super) has_valgrind: bool,
}

/// One run of a program.
#[derive(Clone, Copy, Debug)]
struct Run<'a> {
    scenario: &'a str,
    worker: &'a str,
    count: u32,
}

impl Meter<'_> {
    /// The numbers of the work of these keys, or of all, and who did which: the workers of each key, in their order.
    pub(super) fn sheet(&self, keys: &[String]) -> Result<(Sheet, BTreeMap<&'static str, Vec<String>>)> {
        let mut sheet = Sheet::default();
        let mut workers = BTreeMap::new();
        let works = chosen(keys);
        for (at, work) in works.iter().enumerate() {
            let names = self.programs.workers(self.shell, work.scenario)?;
            for worker in &names {
                if is_too_much(&sheet, work, worker) {
                    continue;
                }
                eprintln!("{} of {}: {} by {worker}", at + 1, works.len(), work.key);
                let numbers = self
                    .numbers(work, worker)
                    .with_context(|| format!("{} by {worker} cannot be measured", work.key))?;
                sheet.put(work.key, worker, numbers);
            }
            workers.insert(work.key, names);
        }
        Ok((sheet, workers))
    }

    /// The commands that were run, once for each client and length.
    pub(super) fn commands(&self) -> Vec<String> {
        let of = |program: &str| format!("{program} run SCENARIO CLIENT COUNT PORT TLS_PORT CACERT");
        let counted = self.has_valgrind.then(|| format!("valgrind --tool=callgrind {}", of("httpx-bench-peer")));
        counted.into_iter().chain([of("httpx-bench-allocations")]).collect()
    }

    fn numbers(&self, work: &Work, worker: &str) -> Result<Numbers> {
        let run = |count| Run { scenario: work.scenario, worker, count };
        match work.length {
            Length::Once(count) => self.counted(run(count)),
            Length::Two([short, long]) => {
                let mut numbers = between(&self.counted(run(short))?, &self.counted(run(long))?, long - short);
                if work.instructions && self.has_valgrind {
                    let more = self.instructions(run(long))? as f64 - self.instructions(run(short))? as f64;
                    numbers.insert("instructions".to_owned(), more / f64::from(long - short));
                }
                Ok(numbers)
            }
        }
    }

    /// What the program under the counting allocator tells.
    fn counted(&self, run: Run<'_>) -> Result<Numbers> {
        let server = self.programs.serve()?;
        let (program, arguments) = (self.programs.allocations(), run.arguments(&server.arguments()));
        let told = cmd!(self.shell, "{program} {arguments...}").quiet().read()?;
        serde_json::from_str(&told).with_context(|| format!("{told:?} are no numbers"))
    }

    fn instructions(&self, run: Run<'_>) -> Result<u64> {
        let folder = tempfile::tempdir()?;
        let profile = folder.path().join("callgrind");
        self.profile(run, &profile)?;
        total(&self.shell.read_file(&profile)?)
    }

    /// What callgrind_annotate tells of a run, function by function.
    pub(super) fn annotated(&self, scenario: &str, worker: &str, count: u32) -> Result<String> {
        let folder = tempfile::tempdir()?;
        let profile = folder.path().join("callgrind");
        self.profile(Run { scenario, worker, count }, &profile)?;
        Ok(cmd!(self.shell, "callgrind_annotate --auto=no --threshold=100 {profile}").quiet().read()?)
    }

    /// Has callgrind write its profile of a run.
    fn profile(&self, run: Run<'_>, profile: &Path) -> Result<()> {
        let server = self.programs.serve()?;
        let (program, arguments) = (self.programs.peer(), run.arguments(&server.arguments()));
        let flag = format!("--callgrind-out-file={}", profile.display());
        cmd!(self.shell, "valgrind --quiet --tool=callgrind {flag} {program} {arguments...}")
            .quiet()
            .ignore_stdout()
            .run()?;
        Ok(())
    }
}

impl Run<'_> {
    fn arguments(&self, server: &[String]) -> Vec<String> {
        let own = ["run", self.scenario, self.worker, &self.count.to_string()].map(str::to_owned);
        own.into_iter().chain(server.iter().cloned()).collect()
    }
}

/// Would it need more connections than a process may have?
fn is_too_much(sheet: &Sheet, work: &Work, worker: &str) -> bool {
    let held = sheet.get("parked-1056", worker, "connections_held");
    work.key == "parked-100000" && held.is_some_and(|held| held > CONNECTIONS_FOR_MORE)
}

/// The differences of two runs, divided by how many calls there are between them.
fn between(short: &Numbers, long: &Numbers, calls: u32) -> Numbers {
    let cost = |(name, long): (&String, &f64)| Some((name.clone(), (long - short.get(name)?) / f64::from(calls)));
    long.iter().filter_map(cost).collect()
}

/// The instructions of a whole run, from the line `totals: N` of a callgrind profile.
fn total(profile: &str) -> Result<u64> {
    let total = profile.lines().find_map(|line| line.strip_prefix("totals: ")).context("the profile has no totals")?;
    total.trim().parse().with_context(|| format!("{total:?} is not a number of instructions"))
}
