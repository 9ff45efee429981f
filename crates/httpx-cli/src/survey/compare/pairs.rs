//! Our cells beside the real ones.

use http::Method;

use super::measured::Client;
use super::wanted::wanted;
use crate::exit::Trouble;

/// What we did.
#[derive(Clone, Debug)]
pub(super) struct Ours<'a> {
    pub(super) client: &'a Client,
    pub(super) column: &'static str,
    pub(super) method: Method,
    pub(super) contacts: u64,
}

/// One cell of ours and the client's own.
#[derive(Clone, Debug)]
pub(super) struct Pair<'a> {
    pub(super) ours: Ours<'a>,
    pub(super) theirs: u64,
    /// Why we differ here, where that is wanted.
    pub(super) wanted: Option<String>,
}

impl Pair<'_> {
    /// Alike, and meant to be; or different exactly as wanted.
    pub(super) fn is_unexplained(&self) -> bool {
        (self.ours.contacts == self.theirs) != self.wanted.is_none()
    }
}

/// Pairs what was measured of us with what was measured of others.
pub(super) fn pairs<'a>(ours: impl Iterator<Item = Ours<'a>>) -> Result<Vec<Pair<'a>>, Trouble> {
    let wanted = wanted()?;
    let pair = |ours: Ours<'a>| {
        let theirs = ours.client.contacts(ours.column, &ours.method)?;
        let of_cell = wanted.iter().find(|wanted| wanted.covers(&ours.client.policy, ours.column, &ours.method));
        // A difference of another size than the wanted one is not explained by it.
        let reason = of_cell.filter(|wanted| wanted.ours == ours.contacts || ours.contacts == theirs);
        Some(Pair { theirs, wanted: reason.map(|wanted| wanted.reason.clone()), ours })
    };
    Ok(ours.filter_map(pair).collect())
}
