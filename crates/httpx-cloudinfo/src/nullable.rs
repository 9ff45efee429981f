//! Lists that may be `null`: the server writes that for an empty one. A list that is missing is an error.

use serde::{Deserialize, Deserializer};

pub(crate) fn list<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}
