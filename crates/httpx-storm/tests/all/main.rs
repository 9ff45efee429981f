//! The simulation, through its public face.
#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps nothing")]

mod budgets;
mod conservation;
mod limits;
mod mistakes;
mod outages;
mod queueing;
mod repeatable;
