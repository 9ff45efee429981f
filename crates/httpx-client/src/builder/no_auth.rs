//! Without the feature `auth` nobody is asking, and settings that say otherwise are refused.

use crate::auth::{Auth, Keeper};
use crate::build_error::BuildError;
use crate::shared::Shared;

pub(super) fn keeper(_: Vec<Auth>, shared: &Shared) -> Result<Option<Keeper>, BuildError> {
    match shared.config.auth {
        None => Ok(None),
        Some(_) => Err(BuildError::WithoutFeature { setting: "auth", feature: "auth" }),
    }
}
