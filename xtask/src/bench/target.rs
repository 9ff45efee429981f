//! What httpx is to reach, and what CI holds it to.

/// CI lets a count grow by so much: compilers and libraries change under it.
const SLACK: f64 = 1.02;

/// An upper bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Target {
    /// To be reached.
    pub(super) at_most: f64,
    /// Why it is not, if it is known not to be.
    pub(super) missed: Option<Missed>,
}

/// A target that is out of reach for now.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Missed {
    /// What was reached instead; CI holds httpx to this.
    pub(super) reached: f64,
    /// Why not the target.
    pub(super) reason: &'static str,
}

impl Target {
    /// Is this number good enough?
    pub(super) fn is_reached(&self, value: f64) -> bool {
        value <= self.at_most
    }

    /// The most that CI lets pass.
    pub(super) fn ceiling(&self) -> f64 {
        SLACK * self.missed.map_or(self.at_most, |missed| missed.reached.max(self.at_most))
    }
}
