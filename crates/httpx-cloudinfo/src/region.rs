//! Regions of a cloud.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A region.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Region {
    /// How the cloud calls it: `eu-west-1`.
    pub id: String,
    /// How people call it: `EU (Ireland)`.
    pub name: String,
    /// Every other field.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}
