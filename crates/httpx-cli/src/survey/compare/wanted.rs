//! Where we want to differ, and why.

use http::Method;
use serde::Deserialize;

use crate::exit::Trouble;

const WANTED: &str = include_str!("../../../data/wanted.csv");

/// One difference, in one or more cells of a policy.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Wanted {
    policy: String,
    columns: String,
    method: String,
    /// What we measure of ourselves there.
    pub(super) ours: u64,
    pub(super) reason: String,
}

/// All of them.
pub(super) fn wanted() -> Result<Vec<Wanted>, Trouble> {
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(WANTED.as_bytes());
    reader.deserialize().collect::<Result<_, _>>().map_err(Trouble::failed)
}

impl Wanted {
    /// Whether it is about this cell.
    pub(super) fn covers(&self, policy: &str, column: &str, method: &Method) -> bool {
        let columns = self.columns.split(", ");
        self.policy == policy
            && (self.method == "both" || self.method == method.as_str())
            && columns.into_iter().any(|covered| covered == column)
    }
}
