//! One line of an index file: a version as it was published.

use std::collections::BTreeMap;

use semver::Version;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

type Features = BTreeMap<String, Vec<String>>;

/// A published version, with the names that the index gives its fields (Cargo book, "JSON schema").
///
/// Encodes back to the JSON values it was decoded from: fields that it does not know are in [`Row::other`], and what was
/// absent stays absent, except `yanked`, which is written always. A `null` that says nothing comes back as absent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Row {
    /// The crate, in the case in which it was published.
    pub name: String,
    /// The version, build metadata included.
    pub vers: Version,
    /// What it depends on.
    pub deps: Vec<Dependency>,
    /// The SHA-256 of its archive, in hexadecimal.
    pub cksum: String,
    /// Features in the syntax of schema 1; see [`Row::all_features`].
    pub features: Features,
    /// Whether it was withdrawn. It stays taken.
    #[serde(default)]
    pub yanked: bool,
    /// The native library that it links.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub links: Option<String>,
    /// The version of the schema; see [`Row::schema`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub v: Option<u32>,
    /// Features in the syntax of schema 2; see [`Row::all_features`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub features2: Option<Features>,
    /// The oldest Rust that it builds with, as written in its manifest.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub rust_version: Option<String>,
    /// Every other field.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// One dependency of a version. Like [`Row`], it keeps what it does not know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Dependency {
    /// The name in the manifest; see [`Dependency::crate_name`].
    pub name: String,
    /// The requirement, as written.
    pub req: String,
    /// The features asked for.
    pub features: Vec<String>,
    /// Whether a feature must ask for it.
    pub optional: bool,
    /// Whether its default features are on.
    pub default_features: bool,
    /// The platform it is for; `None` is every one.
    pub target: Option<String>,
    /// What it is needed for.
    #[serde(default)]
    pub kind: DependencyKind,
    /// The URL of the index that it is in; `None` is the same one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub registry: Option<String>,
    /// The name of the crate when the manifest renames it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub package: Option<String>,
    /// Every other field.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// What a dependency is needed for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DependencyKind {
    /// The crate itself.
    #[default]
    Normal,
    /// Its tests, examples and benches.
    Dev,
    /// Its build script.
    Build,
}

impl Row {
    /// The version of the schema: 1 when none is given.
    #[must_use]
    pub fn schema(&self) -> u32 {
        self.v.unwrap_or(1)
    }

    /// Every feature: those of both syntaxes together, as cargo reads them.
    #[must_use]
    pub fn all_features(&self) -> BTreeMap<String, Vec<String>> {
        let mut all = self.features.clone();
        for (name, values) in self.features2.iter().flatten() {
            all.entry(name.clone()).or_default().extend(values.iter().cloned());
        }
        all
    }
}

impl Dependency {
    /// The name of the crate depended on: `package` when the manifest renames it, else `name`.
    #[must_use]
    pub fn crate_name(&self) -> &str {
        self.package.as_deref().unwrap_or(&self.name)
    }
}
