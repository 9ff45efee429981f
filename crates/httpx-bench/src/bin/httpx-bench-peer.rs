//! One client under the system's allocator: the program whose instructions are counted.

use clap::Parser as _;
use httpx_bench::{Command, run};

fn main() -> anyhow::Result<()> {
    run(Command::parse())
}
