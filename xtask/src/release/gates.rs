//! The gates, in the order in which they are asked; each says of itself what it reads, when it refuses, and the fix.
//!
//! A gate that cannot learn what it needs refuses, or leaves that to the gate whose subject the missing answer is. The
//! one thing it never does is pass.

mod group;

pub(crate) mod git;
mod marker;
mod marker_lint;
mod package;
pub(crate) mod proof;
pub(crate) mod registry;
mod run;
mod running;
pub(crate) mod stack;
mod table;
mod tree;
mod tree_changelog;

pub(crate) use group::Finding;
pub use group::Gate;
pub use table::gate_table;

use super::{case::Case, refusal::Refusal};

/// Every gate, and the two codes that only a running release can end with.
pub fn gates() -> impl Iterator<Item = &'static Gate> {
    GROUPS.iter().copied().flatten()
}

/// The gate with this code.
pub fn gate(code: &str) -> Option<&'static Gate> {
    gates().find(|gate| gate.code.eq_ignore_ascii_case(code))
}

/// Asks every gate. When HEAD asks for no release or another one runs, nothing else is asked; what has to build is asked
/// only when nothing else refuses.
pub(crate) fn refusals(case: &Case<'_>) -> Vec<Refusal> {
    let mut refusals: Vec<Refusal> = Vec::new();
    for (at, group) in GROUPS.into_iter().enumerate() {
        let is_over = refusals.iter().any(|refusal| ends(refusal.code));
        if is_over || (at >= FIRST_THAT_BUILDS && !refusals.is_empty()) {
            break;
        }
        refusals.extend(group.iter().flat_map(|gate| gate.refusals(case)));
    }
    refusals
}

/// Whether nothing else is asked once a gate refuses with this code.
pub(crate) fn ends(code: &str) -> bool {
    code == NO_MARKER || code == running::CODE
}

/// Whether a code belongs to the gates that are asked last, because they build.
pub(crate) fn builds(code: &str) -> bool {
    GROUPS[FIRST_THAT_BUILDS..].iter().copied().flatten().any(|gate| gate.code == code)
}

/// The code that `--if-marked` turns into success.
pub(crate) const NO_MARKER: &str = "E-NO-MARKER";

const GROUPS: [&[Gate]; 11] = [
    marker::GATES,
    marker_lint::GATES,
    running::GATES,
    git::GATES,
    tree::GATES,
    tree_changelog::GATES,
    stack::GATES,
    registry::GATES,
    proof::GATES,
    package::GATES,
    run::GATES,
];

/// The place of the first group in [`GROUPS`] that is expensive to answer.
const FIRST_THAT_BUILDS: usize = 9;
