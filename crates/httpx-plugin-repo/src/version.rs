//! Versions of Nextflow: calendar versions, which SemVer refuses for their leading zeros.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A version of Nextflow, such as `24.04.4` or `26.08.0-edge`. It begins with a digit.
///
/// It has no order of its own, only [`compare`](NextflowVersion::compare): Nextflow compares two numbers as numbers and all
/// else as text, by which `2 < 10`, `10 < 1a` and `1a < 2`. No sorting may be built on that.
#[derive(Clone, Debug)]
pub struct NextflowVersion(String);

/// A text that is no version of Nextflow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no version of Nextflow; it is like 24.04.4 or 26.08.0-edge{further}", further = without_v(.0))]
pub struct NoVersion(pub String);

impl NextflowVersion {
    /// Which of the two is later; source: `VersionNumber.compare` of Nextflow 02e23e1.
    ///
    /// Dots and dashes part a version. Parts that are both numbers are compared as numbers, others as text, and a part
    /// that is missing is 0. So `24.04.0` comes before `24.04.0-edge`, since `0` stands before `edge`.
    #[must_use]
    pub fn compare(&self, other: &NextflowVersion) -> Ordering {
        let (mut own, mut others) = (self.parts(), other.parts());
        loop {
            match (own.next(), others.next()) {
                (None, None) => return Ordering::Equal,
                (one, two) => match compare_parts(one.unwrap_or("0"), two.unwrap_or("0")) {
                    Ordering::Equal => {}
                    decided => return decided,
                },
            }
        }
    }

    /// As it may stand in a requirement, where any word may: letters, digits, `.`, `-` and `_`.
    pub(crate) fn required(text: &str) -> Option<Self> {
        let is_meant = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
        let version = NextflowVersion(text.trim().to_owned());
        (version.0.bytes().all(is_meant) && version.parts().next().is_some()).then_some(version)
    }

    /// As it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn parts(&self) -> impl Iterator<Item = &str> {
        self.0.split(['.', '-']).filter(|part| !part.is_empty())
    }

    pub(crate) fn is_snapshot(&self) -> bool {
        self.0.ends_with("-SNAPSHOT")
    }

    /// Without what stands after its last dash.
    pub(crate) fn plain(&self) -> Self {
        NextflowVersion(self.0.rsplit_once('-').map_or(self.0.as_str(), |(plain, _)| plain).to_owned())
    }
}

/// Of any length: no number is too long to be one.
pub(crate) fn compare_parts(one: &str, two: &str) -> Ordering {
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if !(is_number(one) && is_number(two)) {
        return one.cmp(two);
    }
    let (one, two) = (one.trim_start_matches('0'), two.trim_start_matches('0'));
    one.len().cmp(&two.len()).then_with(|| one.cmp(two))
}

impl FromStr for NextflowVersion {
    type Err = NoVersion;

    fn from_str(text: &str) -> Result<Self, NoVersion> {
        // A word is later than every number, so `latest` would run whatever requires `>=25.04.0`.
        let numbered = |version: &Self| version.0.starts_with(|first: char| first.is_ascii_digit());
        Self::required(text).filter(numbered).ok_or_else(|| NoVersion(text.to_owned()))
    }
}

/// What would be right of a version written like a tag.
fn without_v(text: &str) -> &'static str {
    match text.trim().strip_prefix('v') {
        Some(rest) if rest.parse::<NextflowVersion>().is_ok() => ", without the v",
        Some(_) | None => "",
    }
}

impl fmt::Display for NextflowVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
