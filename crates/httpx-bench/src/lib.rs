//! What one HTTP request costs each client.
//!
//! `cargo xtask bench` runs these programs and prints the table:
//!
//! - `httpx-bench-server` answers every request with the same 200 over kept connections. It is a process of its own,
//!   so that its work is in nobody's count.
//! - `httpx-bench-peer send PEER SCENARIO COUNT URL` sends `COUNT` requests with one client on one thread.
//! - `httpx-bench-allocations send PEER SCENARIO COUNT URL` does the same under a counting allocator and prints the
//!   count.
//!
//! # Units
//! *Instructions* are those that callgrind counts in user space (`Ir`); the kernel's are not in them. *Allocations*
//! are new blocks of any size; a block that grows or shrinks is not counted again. Time is not measured: equal clients
//! scatter by a fifth on a shared machine, counts repeat.
//!
//! # Method
//! Each peer runs at two lengths, and the difference of the two counts divided by the difference of the lengths is
//! the cost of one request. Start, certificates, the first connection and the end are in both runs and fall out.
//! All peers are linked into one program, with the same features, versions and cryptography, and run in one session;
//! the figure is the difference between them, not the number itself.

// What is asked.
mod scenario;

mod load;

// Who is asked.
mod peers;

// The programs.
mod command;
mod server;

pub use command::{Command, run};
pub use load::{ANSWER_BODY, Load, Peer};
pub use peers::PEERS;
pub use scenario::Scenario;
pub use server::serve;
