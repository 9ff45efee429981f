//! Which release it is, or why none is.

use crate::error::ErrorKind;
use crate::model::{Plugin, Release};
use crate::reference::PluginRef;
use crate::version::NextflowVersion;

/// The release of `plugin` that `wanted` asks for, for this version of Nextflow.
pub(crate) fn choose<'a>(
    plugin: &'a Plugin,
    wanted: &PluginRef,
    nextflow: &NextflowVersion,
) -> Result<&'a Release, ErrorKind> {
    match wanted.version() {
        Some(version) => exact(plugin, version, nextflow),
        None => plugin.newest(nextflow).ok_or_else(|| none_of(plugin, nextflow)),
    }
}

fn exact<'a>(plugin: &'a Plugin, version: &str, nextflow: &NextflowVersion) -> Result<&'a Release, ErrorKind> {
    let id = plugin.id.clone();
    let Some(release) = plugin.exact(version) else {
        let nearest = plugin.nearest(version).into_iter().map(str::to_owned).collect();
        return Err(ErrorKind::UnknownVersion { id, version: version.to_owned(), nearest });
    };
    if !release.is_fetchable() {
        return Err(ErrorKind::NoArchive { id, version: Some(version.to_owned()) });
    }
    if !release.runs_with(nextflow) {
        let (requires, nextflow) = (release.requires.clone().unwrap_or_default(), nextflow.to_string());
        return Err(ErrorKind::Incompatible { id, version: version.to_owned(), requires, nextflow });
    }
    Ok(release)
}

fn none_of(plugin: &Plugin, nextflow: &NextflowVersion) -> ErrorKind {
    let id = plugin.id.clone();
    match plugin.newest_of_all() {
        None => {
            let fetchable = plugin.releases.iter().filter(|release| release.is_fetchable());
            let versions: Vec<_> = fetchable.map(|release| release.version.clone()).collect();
            match versions.is_empty() {
                true => ErrorKind::NoArchive { id, version: None },
                false => ErrorKind::NoNewest { id, versions },
            }
        }
        Some(newest) => ErrorKind::NoneCompatible {
            id,
            newest: newest.version.clone(),
            requires: newest.requires.clone().unwrap_or_default(),
            nextflow: nextflow.to_string(),
        },
    }
}
