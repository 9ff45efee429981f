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
fn bare(text: &str) -> &str {
    text.trim_start_matches('\u{feff}').trim()
}

/// Whether a text states `version`, by whatever spelling: with a `v`, with build metadata, which registries ignore, with
/// two parts, or among other words.
///
/// Lenient on purpose, where [`parse`] is strict: it asks whether something belongs to a version, and what is left out for
/// its spelling would be left behind.
pub(crate) fn states(text: Option<&str>, version: &Version) -> bool {
    let is_version = |word: &str| {
        let word = word.trim_start_matches(['v', 'V', '=']);
        let full = if word.split('.').count() == 2 { format!("{word}.0") } else { word.to_owned() };
        Version::parse(&full).is_ok_and(|stated| same_coordinates(&stated, version))
    };
    text.is_some_and(|text| bare(text).split_whitespace().any(is_version))
}

/// Whether registries take the two for one: all but the build metadata is equal.
pub(crate) fn same_coordinates(one: &Version, other: &Version) -> bool {
    (one.major, one.minor, one.patch, &one.pre) == (other.major, other.minor, other.patch, &other.pre)
}
