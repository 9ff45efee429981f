//! The gates as a table for the documentation.

use super::gates;
use std::fmt::Write;

/// One row per code: its exit, what it reads, when it refuses, and the fix.
pub fn gate_table() -> String {
    let mut table = "| code | exit | reads | refuses when | fix |\n|---|---|---|---|---|\n".to_owned();
    for gate in gates() {
        // Writing to a string does not fail.
        let _ = writeln!(table, "| {} | {} | {} | {} | {} |", gate.code, gate.exit, gate.reads, gate.fails, gate.fix);
    }
    table
}
