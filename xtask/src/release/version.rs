//! The file VERSION: one strict semantic version on one line.

use semver::Version;

/// The version that the text of a VERSION file states. White space around it and a byte order mark are forgiven.
///
/// # Errors
/// One clause that says what is wrong.
pub fn parse(text: &str) -> Result<Version, String> {
    let text = bare(text);
    let version = Version::parse(text).map_err(|error| format!("VERSION {text:?} is not one version: {error}"))?;
    if version.build.is_empty() {
        Ok(version)
    } else {
        Err(format!("VERSION {text:?} has build metadata, which registries ignore"))
    }
}

/// The text without a byte order mark and white space around it.
pub(crate) fn bare(text: &str) -> &str {
    text.trim_start_matches('\u{feff}').trim()
}

/// Whether two texts state the same version.
pub(crate) fn same(one: Option<&str>, other: &Version) -> bool {
    one.and_then(|text| parse(text).ok()).as_ref() == Some(other)
}

/// Whether registries take the two for one: all but the build metadata is equal.
pub(crate) fn same_coordinates(one: &Version, other: &Version) -> bool {
    (one.major, one.minor, one.patch, &one.pre) == (other.major, other.minor, other.patch, &other.pre)
}
