//! The development tasks of the workspace, as a library so that its tests can ask the same questions.
//!
//! Run as `cargo xtask COMMAND`; `cargo xtask help` lists the commands.

// What the tasks look at.
mod floors;
mod marked;
pub mod receipts;
pub mod settings;

mod tokens;
mod tree;

// How they run programs.
mod steps;

// The tasks.
pub mod api;
pub mod bench;
pub mod docs_check;
pub mod fuzz;
pub mod release;
pub mod soak;
pub mod stress;
pub mod tidy;

// The tasks that show or run the others.
pub mod ci;
pub mod stack;

pub use floors::{CONSUMER_FLOOR, FLOORS, floor};
pub use tree::{Dependency, Member, Tree, root};
