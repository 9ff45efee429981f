//! A refusal: its code, its text and its fix.

use std::fmt;

/// Why nothing may be published.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Refusal {
    /// The code of the gate, as in `E-BURNED`.
    pub code: &'static str,
    /// The exit code of the gate's group.
    pub exit: u8,
    /// What is wrong, as a sentence without full stop.
    pub message: String,
    /// What makes it right.
    pub fix: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "refused[{}]: {}. fix: {}", self.code, self.message, self.fix)
    }
}
