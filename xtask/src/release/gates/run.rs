//! What only a running release can end with.

use super::group::Gate;

pub(super) const GATES: &[Gate] = &[
    Gate {
        code: "E-PUBLISH",
        exit: 80,
        reads: "the raw index after each upload",
        fails: "the checksum of an uploaded crate is not seen in time, or is another one",
        fix: "cargo xtask release --execute --resume",
        check: None,
    },
    Gate {
        code: "E-POST",
        exit: 81,
        reads: "the push of the tag, and the notes",
        fails: "every crate is out, and the tag or the notes are not",
        fix: "cargo xtask release --execute --resume makes the tag; cargo xtask release notes prints the notes",
        check: None,
    },
];
