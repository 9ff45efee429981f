//! Which plugin is asked for.

use std::fmt;
use std::str::FromStr;

/// A plugin, and perhaps the one version of it that is wanted: `nf-amazon` or `nf-amazon@2.1.4`.
///
/// Both parts are safe in a URL and in the name of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PluginRef {
    id: String,
    version: Option<String>,
}

/// A text that names no plugin.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} names no plugin; it is like nf-amazon or nf-amazon@2.1.4")]
pub struct NoPluginRef(pub String);

impl PluginRef {
    /// The plugin: ASCII letters, digits, `-`, `_` and `.`, the first a letter or digit.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The version that is wanted; `None` is the newest one that will do.
    #[must_use]
    pub fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }
}

impl FromStr for PluginRef {
    type Err = NoPluginRef;

    fn from_str(text: &str) -> Result<Self, NoPluginRef> {
        let (id, version) = match text.split_once('@') {
            Some((id, version)) => (id, Some(version)),
            None => (text, None),
        };
        if is_word(id, "-_.") && version.is_none_or(|version| is_word(version, "-_.+")) {
            Ok(PluginRef { id: id.to_owned(), version: version.map(str::to_owned) })
        } else {
            Err(NoPluginRef(text.to_owned()))
        }
    }
}

fn is_word(text: &str, further: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphanumeric())
        && text.chars().all(|char| char.is_ascii_alphanumeric() || further.contains(char))
}

impl fmt::Display for PluginRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id)?;
        self.version.iter().try_for_each(|version| write!(f, "@{version}"))
    }
}
