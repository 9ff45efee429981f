//! A version below the one to release that is only partly out. Once a greater one is out it stays so.

use super::{
    facts::{IndexFacts, Unfinished},
    version::same_coordinates,
};
use semver::Version;

/// The greatest version below `version` that some crates have, when a crate lacks it that is older than it.
///
/// A yanked version was given up. A crate without an older version is taken for one that came later.
pub(super) fn unfinished(index: &[IndexFacts], version: &Version) -> Option<Unfinished> {
    let rows = || index.iter().flat_map(|index| index.rows.iter().flatten());
    let below = rows().filter(|row| !row.yanked && row.version.cmp_precedence(version).is_lt());
    let greatest = &below.max_by(|one, other| one.version.cmp_precedence(&other.version))?.version;
    let is_old =
        |index: &&IndexFacts| index.rows.iter().flatten().any(|row| row.version.cmp_precedence(greatest).is_lt());
    let has = |index: &IndexFacts| index.rows.iter().flatten().any(|row| same_coordinates(&row.version, greatest));
    let name = |index: &IndexFacts| index.name.clone();
    let out = index.iter().filter(|index| has(index)).map(name).collect();
    let missing: Vec<_> = index.iter().filter(is_old).filter(|index| !has(index)).map(name).collect();
    (!missing.is_empty()).then(|| Unfinished { version: greatest.clone(), out, missing, from: None })
}
