//! `config.json`: where archives and the web API of a registry are (Cargo book, "Index Configuration").

use semver::Version;
use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind};
use crate::name::Name;
use crate::row::Row;

/// What a registry says of itself. Other keys are ignored on purpose: they are extensions of single servers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Config {
    /// The template of archive URLs; see [`Config::archive_url`].
    pub dl: String,
    /// The root of the web API; a registry without one is read-only.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub api: Option<String>,
    /// Whether every file wants the token.
    #[serde(rename = "auth-required", skip_serializing_if = "std::ops::Not::not", default)]
    pub auth_required: bool,
}

/// What may stand in `dl`; without any of them, [`Config::archive_url`] adds a path of its own.
const MARKERS: [&str; 5] = ["{crate}", "{version}", "{prefix}", "{lowerprefix}", "{sha256-checksum}"];

impl Config {
    /// Where the archive of `row` is.
    ///
    /// `dl` with its markers filled in: `{crate}`, `{version}`, `{prefix}` (as `se/rd`, in the name's own case),
    /// `{lowerprefix}` and `{sha256-checksum}`. Without a marker, `/{crate}/{version}/download` is added. Braces around
    /// anything else stay, and so does the `+` of build metadata, which in a path is no space.
    ///
    /// # Errors
    /// [`ErrorKind::Name`] when the row has a name that no crate can have.
    pub fn archive_url(&self, row: &Row) -> Result<String, Error> {
        let name = Name::parse(&row.name)?;
        if !MARKERS.iter().any(|marker| self.dl.contains(marker)) {
            return Ok(format!("{}/{}/{}/download", self.dl, row.name, row.vers));
        }
        Ok(filled(&self.dl, name, &row.vers, &row.cksum))
    }

    /// Where the web API has `path`, which starts after `/api/v1/`: `crates/new` to publish.
    ///
    /// # Errors
    /// [`ErrorKind::ReadOnly`] when there is no API.
    pub fn api_url(&self, path: &str) -> Result<String, Error> {
        let api = self.api.as_deref().ok_or(ErrorKind::ReadOnly)?.trim_end_matches('/');
        // Some servers name the versioned root.
        let api = api.strip_suffix("/api/v1").unwrap_or(api);
        Ok(format!("{api}/api/v1/{}", path.trim_start_matches('/')))
    }
}

fn filled(dl: &str, name: Name<'_>, version: &Version, cksum: &str) -> String {
    let prefix = name.prefix();
    let values =
        [name.as_str().to_owned(), version.to_string(), prefix.clone(), prefix.to_ascii_lowercase(), cksum.to_owned()];
    // No value can hold a brace, so none is filled in twice.
    MARKERS.iter().zip(values).fold(dl.to_owned(), |url, (marker, value)| url.replace(marker, &value))
}
