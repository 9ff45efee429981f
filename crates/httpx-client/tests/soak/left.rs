//! What is left of a round when all of it is gone.

use std::alloc::System;
use std::fmt;

use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// What rounds may differ by: what is kept for ever grows a little with what the first did not meet.
const NOISE: usize = 256 << 10;

/// What a process holds.
#[derive(Clone, Copy)]
pub(crate) struct Left {
    /// Open files and sockets; `None` where the system does not tell.
    files: Option<usize>,
    /// Of memory.
    bytes: usize,
}

impl Left {
    pub(crate) fn now() -> Self {
        let stats = ALLOCATOR.stats();
        // Reading the folder opens it.
        let files = std::fs::read_dir("/proc/self/fd").ok().map(|entries| entries.count() - 1);
        Left { files, bytes: stats.bytes_allocated - stats.bytes_deallocated }
    }

    /// What there is more of than before the first round, or in memory than after it.
    pub(crate) fn leaked(self, before: Left, first: Left) -> Vec<String> {
        let mut leaked = Vec::new();
        if self.files > before.files {
            leaked.push(format!("open files and sockets: {:?}, at first {:?}", self.files, before.files));
        }
        if self.bytes > first.bytes + NOISE {
            leaked.push(format!("bytes of memory: {}, after the first round {}", self.bytes, first.bytes));
        }
        leaked
    }
}

impl fmt::Display for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.files {
            Some(files) => write!(f, "{files} open files and sockets, ")?,
            None => write!(f, "files not counted on this system, ")?,
        }
        write!(f, "{} KiB of memory", self.bytes / 1024)
    }
}
