//! Dependency lines in documents: `core = "1.1"`, `core = { version = "1.1", … }`.

use regex::Regex;
use semver::Version;
use std::sync::LazyLock;

static SNIPPET: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"^[\s>`*-]*"?([A-Za-z0-9_-]+)"?\s*=\s*(?:\{[^}]*\bversion\s*=\s*)?"\s*[=^~>]*\s*([0-9][^"]*)""#)
        .expect("the pattern is constant")
});

static TABLE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*\[(?:[\w.-]*\.)?(?:dev-|build-)?dependencies\.([A-Za-z0-9_-]+)\]")
        .expect("the pattern is constant")
});

/// The lines that ask for a crate of `names` by parts of a version that are not `version`'s, counted from 1.
pub fn stale<'a>(text: &'a str, names: &[&str], version: &Version) -> Vec<(usize, &'a str)> {
    let mut found = Vec::new();
    let mut inside: Option<String> = None;
    for (at, line) in text.lines().enumerate() {
        if let Some(header) = TABLE.captures(line) {
            inside = Some(header[1].to_owned());
        } else if line.trim_start().starts_with('[') || line.trim_start().starts_with("```") {
            inside = None;
        } else if let Some(captures) = SNIPPET.captures(line) {
            let named = if &captures[1] == "version" { inside.as_deref().unwrap_or_default() } else { &captures[1] };
            if names.contains(&named) && !states(captures[2].trim(), version) {
                found.push((at + 1, line.trim()));
            }
        }
    }
    found
}

/// Whether the parts of a version that `stated` gives are those of `version`.
fn states(stated: &str, version: &Version) -> bool {
    let full = format!("{}.{}.{}", version.major, version.minor, version.patch);
    match stated.split('.').count() {
        1 | 2 => full.starts_with(&format!("{stated}.")),
        _ => stated == version.to_string(),
    }
}
