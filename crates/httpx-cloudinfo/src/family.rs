//! Machine families of a cloud.

use serde::Deserialize;

use crate::nullable;

/// The answer to which families there are.
#[derive(Debug, Deserialize)]
pub(crate) struct Families {
    #[serde(deserialize_with = "nullable::list")]
    pub(crate) families: Vec<String>,
}
