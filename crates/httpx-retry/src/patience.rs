//! What becomes of long waits.

/// What a policy does when a wait is longer than the timeout of one attempt, where there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// Waits.
    Endless,
    /// Ends the call when it is the server that asks for such a wait.
    HintWithinTimeout,
    /// Ends the call.
    WithinTimeout,
}
