//! What a repository lists, read one by one: an entry or a release that is odd spoils no other.

use std::collections::HashMap;

use serde_json::Value;

use crate::model::{Plugin, Release};
use crate::reference::PluginRef;

/// A plugin, and those of its releases that cannot be read.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    pub(crate) plugin: Plugin,
    odd: Vec<Odd>,
}

/// A release that cannot be read.
#[derive(Clone, Debug)]
struct Odd {
    /// The version that it is, when that much can be read.
    version: Option<String>,
    why: String,
}

/// Entries of the same plugin become one, and those without releases none. An entry that names no plugin is nobody's.
pub(crate) fn by_id(entries: Vec<Value>) -> HashMap<String, Listed> {
    let mut found: HashMap<String, Listed> = HashMap::new();
    for entry in entries {
        let listed = match Listed::read(entry) {
            Ok(listed) if listed.plugin.releases.is_empty() && listed.odd.is_empty() => continue,
            Ok(listed) => listed,
            Err(error) => {
                tracing::warn!(%error, "an entry names no plugin");
                continue;
            }
        };
        listed.warn();
        match found.get_mut(&listed.plugin.id) {
            Some(there) => {
                there.plugin.absorb(listed.plugin);
                there.odd.extend(listed.odd);
            }
            None => drop(found.insert(listed.plugin.id.clone(), listed)),
        }
    }
    found
}

impl Listed {
    fn read(mut entry: Value) -> Result<Self, serde_json::Error> {
        let releases = entry.get_mut("releases").map(Value::take).unwrap_or_default();
        let mut listed = Listed { plugin: serde_json::from_value(entry)?, odd: Vec::new() };
        let releases = match releases {
            Value::Null => Vec::new(),
            Value::Array(releases) => releases,
            Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {
                listed.odd.push(Odd { version: None, why: "its releases are no list".to_owned() });
                Vec::new()
            }
        };
        for release in releases {
            let version = release.get("version").and_then(Value::as_str).map(str::to_owned);
            match serde_json::from_value::<Release>(release) {
                Ok(release) => listed.plugin.releases.push(release),
                Err(error) => listed.odd.push(Odd { version, why: error.to_string() }),
            }
        }
        Ok(listed)
    }

    /// Why a release that cannot be read may be the one that is wanted, if there is such a release. Where the newest is
    /// wanted, one that tells its version is passed over, like one whose requirement cannot be understood.
    pub(crate) fn hidden(&self, wanted: &PluginRef) -> Option<String> {
        let Listed { plugin, odd } = self;
        let may_be = |odd: &&Odd| match (&odd.version, wanted.version()) {
            (None, Some(version)) => plugin.exact(version).is_none(),
            (Some(own), Some(version)) => own == version && plugin.exact(version).is_none(),
            (None, None) => true,
            (Some(_), None) => plugin.releases.is_empty(),
        };
        odd.iter().find(may_be).map(|odd| match &odd.version {
            Some(version) => format!("release {version} of {}: {}", plugin.id, odd.why),
            None => format!("a release of {}: {}", plugin.id, odd.why),
        })
    }

    /// Tells what is not read, and does not matter to most.
    fn warn(&self) {
        let Listed { plugin: Plugin { id, releases, .. }, odd } = self;
        for Odd { version, why } in odd {
            tracing::warn!(id, version, why, "a release cannot be read");
        }
        for Release { version, date, .. } in releases.iter().filter(|release| release.released_at().is_none()) {
            if !date.is_null() {
                tracing::warn!(id, version, %date, "a date cannot be read");
            }
        }
    }
}
