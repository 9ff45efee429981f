//! One client under a counting allocator; the last line printed is the number of allocations since the start.

use clap::Parser as _;
use httpx_bench::{Command, run};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() -> anyhow::Result<()> {
    run(Command::parse())?;
    println!("{}", ALLOCATOR.stats().allocations);
    Ok(())
}
