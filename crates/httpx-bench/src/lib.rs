//! What one HTTP request costs each client.
//!
//! `cargo xtask bench` runs these programs and prints the table:
//!
//! - `httpx-bench-server CACERT` answers every request as its path says, and counts. It is a process of its own, so that
//!   its work is in nobody's count.
//! - `httpx-bench-peer run SCENARIO WORKER COUNT …` does the work with one client on one thread.
//! - `httpx-bench-allocations` does the same under a counting allocator.
//!
//! Both print what was found out as one JSON object, and `list SCENARIO` prints who can be asked.
//!
//! # Units
//! *Instructions* are those that callgrind counts in user space (`Ir`); the kernel's are not in them. *Allocations*
//! are new blocks of any size; a block that grows or shrinks is not counted again, but what it grows by is among the
//! bytes. Time is not measured: equal clients scatter by a fifth on a shared machine, counts repeat.
//!
//! # Method
//! Where calls go one after the other, each client runs at two lengths, and the difference of the two counts divided by
//! the difference of the lengths is the cost of one call. Start, certificates, the first connection and the end are in
//! both runs and fall out. All clients are linked into one program, with the same features, versions and cryptography,
//! and run in one session; the figure is the difference between them, not the number itself.

// What is known of the world.
mod counts;
mod heap;

// What is asked.
mod scenario;

mod task;

mod peer;

mod server;

mod work;

// Who is asked.
mod peers;

mod adopted;
mod readers;

// The programs.
mod command;

pub use command::{Command, run};
pub use heap::{Heap, Look};
pub use server::serve;
