//! Why a release stops between two steps, and what finishes it.

/// Why a crate is not out.
#[derive(Debug)]
pub(super) struct Stop {
    pub(super) why: String,
    pub(super) way_on: WayOn,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WayOn {
    /// The same again, with `--resume`.
    Resume,
    /// The same, back on the commit that is released.
    Return,
    /// The version cannot be finished any more: it is out with other bytes.
    Bump,
}

impl Stop {
    pub(super) fn resumable(why: String) -> Self {
        Self { why, way_on: WayOn::Resume }
    }

    pub(super) fn moved(why: String) -> Self {
        Self { why, way_on: WayOn::Return }
    }

    pub(super) fn taken(why: String) -> Self {
        Self { why, way_on: WayOn::Bump }
    }

    /// Whether waiting longer could not help.
    pub(super) fn is_final(&self) -> bool {
        self.way_on == WayOn::Bump
    }

    /// The same, told in the sentence that `tell` makes of the reason.
    pub(super) fn because(self, tell: impl FnOnce(String) -> String) -> Self {
        Self { why: tell(self.why), ..self }
    }
}
