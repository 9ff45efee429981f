//! One client under a counting allocator.

use clap::Parser as _;
use httpx_bench::{Command, Heap, run};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() -> anyhow::Result<()> {
    run(Command::parse(), || {
        let stats = ALLOCATOR.stats();
        Heap {
            allocations: stats.allocations as u64,
            bytes: stats.bytes_allocated as u64,
            live: (stats.bytes_allocated - stats.bytes_deallocated) as u64,
        }
    })
}
