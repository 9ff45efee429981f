//! Where a release can be interrupted. A test names a point, and the program ends there as if it had been killed.

use std::process::{self, Command};

/// Every point, in the order in which a release passes them. Those about a crate are passed once for each.
pub const POINTS: [&str; 10] = [
    "before-upload",
    "after-attempt",
    "while-uploading",
    "after-upload",
    "after-confirmation",
    "after-seen",
    "before-tag",
    "after-tag",
    "after-push",
    "after-notes",
];

/// Kills the program when `XTASK_FAULT` names this point: `after-upload` or `after-upload:core`.
pub(super) fn reach(point: &str) {
    debug_assert!(POINTS.contains(&point.split(':').next().unwrap_or_default()), "{point} is in the list");
    let Ok(wanted) = std::env::var("XTASK_FAULT") else { return };
    if wanted == point || point.strip_prefix(wanted.as_str()).is_some_and(|rest| rest.starts_with(':')) {
        // A signal that no program can catch, as a person, a host or the kernel short of memory sends it.
        let _ = Command::new("kill").args(["-KILL", &process::id().to_string()]).status();
        process::abort();
    }
}
