//! Plugins and their releases, as repositories tell them.

use std::time::SystemTime;

use jiff::Timestamp;
use semver::Version;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::requirement::Requirement;
use crate::version::NextflowVersion;

/// A plugin with its releases, in the order of the repository, which means nothing.
///
/// Encodes back to the JSON values it was decoded from: fields that it does not know are kept, and only a `null` comes back
/// otherwise, as an empty list of releases or as an absent field.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Plugin {
    /// Its name: `nf-amazon`.
    pub id: String,
    /// Every release.
    #[serde(default, deserialize_with = "nullable")]
    pub releases: Vec<Release>,
    /// Every other field, such as `provider`.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A release. Like [`Plugin`], it keeps what it does not know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Release {
    /// The version, by SemVer: `2.1.4-patch1`. One that is not can only be asked for by its text.
    pub version: String,
    /// Where its archive is, perhaps relative to the repository. A release without it is never chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// When it was published, as the repository says it; see [`Release::released_at`].
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub date: Value,
    /// The SHA-512 of its archive, in hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha512sum: Option<String>,
    /// Which versions of Nextflow it runs with, as the repository says it; see [`Release::runs_with`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requires: Option<String>,
    /// Every other field.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

fn nullable<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Release>, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

impl Plugin {
    /// The newest release that runs with this version of Nextflow and has an archive.
    #[must_use]
    pub fn newest(&self, nextflow: &NextflowVersion) -> Option<&Release> {
        self.releases.iter().filter(|release| release.is_fetchable() && release.runs_with(nextflow)).fold(None, newer)
    }

    /// The newest release that has an archive, whatever it requires.
    pub(crate) fn newest_of_all(&self) -> Option<&Release> {
        self.releases.iter().filter(|release| release.is_fetchable()).fold(None, newer)
    }

    /// The release with this very version; of several, the first that has an archive.
    #[must_use]
    pub fn exact(&self, version: &str) -> Option<&Release> {
        let same = || self.releases.iter().filter(|release| release.version == version);
        same().find(|release| release.is_fetchable()).or_else(|| same().next())
    }

    /// The versions around `version`, two below it and two above at the most, ascending; of a text that is no SemVer, the
    /// newest four.
    #[must_use]
    pub fn nearest(&self, version: &str) -> Vec<&str> {
        let mut known: Vec<_> = self.releases.iter().filter_map(|release| Some((release.semver()?, release))).collect();
        known.sort_by(|(one, _), (two, _)| one.cmp_precedence(two));
        known.dedup_by(|(_, one), (_, two)| one.version == two.version);
        let at = match Version::parse(version) {
            Ok(wanted) => known.partition_point(|(version, _)| version.cmp_precedence(&wanted).is_lt()),
            Err(_) => known.len().saturating_sub(2),
        };
        let around = at.saturating_sub(2)..known.len().min(at + 2);
        known[around].iter().map(|(_, release)| release.version.as_str()).collect()
    }

    /// Adds the releases of another entry of the same plugin. What is there already stays as it is, and a release that is
    /// there without its archive is added with it.
    pub(crate) fn absorb(&mut self, other: Plugin) {
        for release in other.releases {
            if self.exact(&release.version).is_none_or(|own| release.is_fetchable() && !own.is_fetchable()) {
                self.releases.push(release);
            }
        }
        for (name, value) in other.other {
            self.other.entry(name).or_insert(value);
        }
    }
}

/// The later of two, the first of equals.
fn newer<'a>(found: Option<&'a Release>, next: &'a Release) -> Option<&'a Release> {
    let Some(version) = next.semver() else { return found };
    let is_later = |found: &Release| found.semver().is_none_or(|found| version.cmp_precedence(&found).is_gt());
    if found.is_none_or(is_later) { Some(next) } else { found }
}

impl Release {
    /// When it was published; `None` when the repository does not say, or not so that it can be read.
    ///
    /// RFC 3339, with offsets as `+0000` too and up to nine digits of a second.
    #[must_use]
    pub fn released_at(&self) -> Option<SystemTime> {
        Some(self.date.as_str()?.parse::<Timestamp>().ok()?.into())
    }

    /// Whether it runs with this version of Nextflow. It does when it requires nothing, and does not when what it requires
    /// cannot be understood.
    #[must_use]
    pub fn runs_with(&self, nextflow: &NextflowVersion) -> bool {
        match &self.requires {
            None => true,
            Some(requires) => requires.parse::<Requirement>().is_ok_and(|requirement| requirement.matches(nextflow)),
        }
    }

    pub(crate) fn is_fetchable(&self) -> bool {
        self.url.as_deref().is_some_and(|url| !url.trim().is_empty())
    }

    fn semver(&self) -> Option<Version> {
        Version::parse(&self.version).ok()
    }
}
