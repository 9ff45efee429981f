//! An index file: every version of one crate, in the order in which they were published.

use std::cmp::Ordering;

use semver::{Version, VersionReq};
use serde_json::Value;

use crate::name::Name;
use crate::row::Row;

/// The newest schema that is understood (Cargo book, "Registry Index").
const NEWEST_SCHEMA: u32 = 2;

/// Everything an index file says of a crate: its rows, yanked ones included, and the lines that could not be used.
#[derive(Clone, Debug, PartialEq)]
pub struct Versions {
    rows: Vec<Row>,
    skipped: Vec<Skipped>,
}

/// A line of an index file that is not among the rows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Skipped {
    /// Counted from 1.
    pub line: usize,
    /// The version that it is about, when that much can be read.
    pub vers: Option<Version>,
    /// Why it is not used.
    pub why: Why,
}

/// Why a line is not used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Why {
    /// Its schema is newer than this crate; cargo passes over such a line in silence.
    #[error("its schema is {0}, newer than {NEWEST_SCHEMA}")]
    NewerSchema(u32),
    /// It is not a row; the text says where it goes wrong.
    #[error("{0}")]
    Unreadable(String),
}

impl Versions {
    /// Reads the index file of the crate `name`; `Err` says why nothing in it is a row.
    pub(crate) fn parse(name: Name<'_>, text: &[u8]) -> Result<Self, String> {
        let mut versions = Versions { rows: Vec::new(), skipped: Vec::new() };
        for (at, line) in text.split(|byte| *byte == b'\n').enumerate() {
            let line = line.trim_ascii();
            if line.is_empty() {
                continue;
            }
            match row(name, line) {
                Ok(row) => versions.rows.push(row),
                Err((vers, why)) => versions.skipped.push(Skipped { line: at + 1, vers, why }),
            }
        }
        let readable = |skipped: &Skipped| matches!(skipped.why, Why::NewerSchema(_));
        if !versions.rows.is_empty() || versions.skipped.iter().any(readable) {
            return Ok(versions);
        }
        Err(match versions.skipped.first() {
            None => "it is empty, and a crate without versions has no file".to_owned(),
            Some(first) => format!("no line of it is a version; line {}: {}", first.line, first.why),
        })
    }

    /// Every version that can be read, yanked ones included.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The lines that could not be used.
    #[must_use]
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    /// The row of this very version, build metadata included, yanked or not; the last in the file if there are several.
    ///
    /// # Errors
    /// When there is none, the line that could not be used and is about this version, or hides which one it is about.
    pub fn exact(&self, version: &Version) -> Result<Option<&Row>, &Skipped> {
        match self.rows.iter().rev().find(|row| row.vers == *version) {
            Some(row) => Ok(Some(row)),
            None => self.no_skipped(|vers| vers == version).map(|()| None),
        }
    }

    /// The newest version that satisfies `requirement` and is not yanked; among versions that differ in build metadata
    /// only, the last in the file. A line that could not be used and tells its version is passed over, as cargo does.
    ///
    /// # Errors
    /// The line that hides which version it is about, as one does that was cut off: it may be the newest.
    pub fn newest(&self, requirement: &VersionReq) -> Result<Option<&Row>, &Skipped> {
        self.no_skipped(|_| false)?;
        let usable = self.rows.iter().filter(|row| !row.yanked && requirement.matches(&row.vers));
        // `max_by` takes the last of equals. The order of `Version` itself would sort them by build metadata.
        Ok(usable.max_by(|a, b| a.vers.cmp_precedence(&b.vers)))
    }

    /// Whether `version` can no longer be published: a line has it, yanked or not. Build metadata does not tell versions
    /// apart (SemVer §10).
    ///
    /// # Errors
    /// When no line has it, one that hides which version it is about.
    pub fn is_taken(&self, version: &Version) -> Result<bool, &Skipped> {
        let same = |vers: &Version| vers.cmp_precedence(version) == Ordering::Equal;
        let seen = self.skipped.iter().filter_map(|skipped| skipped.vers.as_ref());
        if self.rows.iter().map(|row| &row.vers).chain(seen).any(same) {
            return Ok(true);
        }
        self.no_skipped(|_| false).map(|()| false)
    }

    /// Fails by the first line that could not be used and is about such a version, or hides its version.
    fn no_skipped(&self, such: impl Fn(&Version) -> bool) -> Result<(), &Skipped> {
        self.skipped.iter().find(|skipped| skipped.vers.as_ref().is_none_or(&such)).map_or(Ok(()), Err)
    }
}

/// A row, or as much of its version as can be read and why it is none.
fn row(name: Name<'_>, line: &[u8]) -> Result<Row, (Option<Version>, Why)> {
    let value: Value =
        serde_json::from_slice(line).map_err(|error| (None, Why::Unreadable(format!("not JSON: {error}"))))?;
    let vers = value.get("vers").and_then(Value::as_str).and_then(|vers| Version::parse(vers).ok());
    readable(name, value).map_err(|why| (vers, why))
}

fn readable(name: Name<'_>, value: Value) -> Result<Row, Why> {
    match value.get("v").map(schema) {
        Some(None) => return Err(Why::Unreadable("v is not a whole number from 1 to 4294967295".to_owned())),
        Some(Some(newer)) if newer > NEWEST_SCHEMA => return Err(Why::NewerSchema(newer)),
        Some(Some(_)) | None => {}
    }
    let row: Row = serde_json::from_value(value).map_err(|error| Why::Unreadable(error.to_string()))?;
    if !row.name.eq_ignore_ascii_case(name.as_str()) {
        return Err(Why::Unreadable(format!("it is about the crate {:?}", row.name)));
    }
    Ok(row)
}

fn schema(v: &Value) -> Option<u32> {
    v.as_u64().and_then(|v| u32::try_from(v).ok()).filter(|v| *v > 0)
}
