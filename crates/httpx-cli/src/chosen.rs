//! Policies by the names that were typed.

use httpx_client::BuildError;
use httpx_retry::{PRESETS, Preset, preset};

use crate::exit::Trouble;

/// The policy of `--policy NAME`.
pub(crate) fn policy(name: &str) -> Result<&'static Preset, Trouble> {
    let known = PRESETS.iter().map(|preset| preset.name).collect();
    let unknown = BuildError::UnknownPolicy { name: name.to_owned(), known };
    preset(name).ok_or_else(|| Trouble::usage(format!("--policy: {unknown}")))
}

/// Those of every `--policy NAME`, in their order.
pub(crate) fn policies(names: &[String]) -> Result<Vec<&'static Preset>, Trouble> {
    names.iter().map(|name| policy(name)).collect()
}
