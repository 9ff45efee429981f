//! One client under an allocator whose cost does not depend on where blocks lie: the program whose instructions are counted.

use clap::Parser as _;
use httpx_bench::{Command, Heap, run};
use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> anyhow::Result<()> {
    run(Command::parse(), Heap::default)
}
