//! What a process costs: how long it runs, and the most memory it has at once.

use anyhow::{Context, Result};
use std::{
    fs,
    io::Read,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// What a process cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cost {
    pub(super) time: Duration,
    /// In KiB; `None` where the system does not tell.
    pub(super) memory: Option<u64>,
}

/// Runs a process to its end, and returns what it printed too.
pub(super) fn cost(command: &mut Command) -> Result<(Cost, Vec<u8>)> {
    let start = Instant::now();
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().context("the program does not run")?;
    let mut output = child.stdout.take().context("the program has no output")?;
    let reader = thread::spawn(move || {
        let mut printed = Vec::new();
        output.read_to_end(&mut printed).map(|_| printed)
    });
    let mut memory = None;
    // The high-water mark only grows; what is missed is the last moment before the end.
    while child.try_wait()?.is_none() {
        memory = peak(child.id()).or(memory);
        thread::sleep(Duration::from_millis(1));
    }
    let time = start.elapsed();
    let printed = reader.join().ok().context("the output cannot be read")??;
    Ok((Cost { time, memory }, printed))
}

/// The most memory that a process had so far. Source: proc(5), `VmHWM`.
fn peak(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}
