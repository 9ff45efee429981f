//! Settings from a file, and what is wrong with it in one sentence.

use std::fmt;
use std::path::{Path, PathBuf};

use super::Config;

/// Why settings could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file is not there or not readable.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The text is not what it should be.
    #[error("{}{what}", Place { path: path.as_deref(), line: *line })]
    Invalid {
        /// The file, when it was one.
        path: Option<PathBuf>,
        /// Counted from 1; 0 when the place is not known.
        line: usize,
        /// What is wrong and what would be right.
        what: String,
    },
}

impl Config {
    /// Reads a TOML file.
    ///
    /// # Errors
    /// [`ConfigError`], naming the file, the line and the key.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, ConfigError> {
        let path = path.as_ref();
        let unreadable = |source| ConfigError::Unreadable { path: path.to_owned(), source };
        let text = std::fs::read_to_string(path).map_err(unreadable)?;
        parse(&text, Some(path))
    }
}

impl std::str::FromStr for Config {
    type Err = ConfigError;

    fn from_str(toml: &str) -> Result<Self, ConfigError> {
        parse(toml, None)
    }
}

fn parse(text: &str, path: Option<&Path>) -> Result<Config, ConfigError> {
    let invalid = |key: Option<String>, error: &toml::de::Error, what: &str| ConfigError::Invalid {
        path: path.map(Path::to_owned),
        line: lines_before(error, text).map_or(0, |before| before + 1),
        what: key.map_or(what.to_owned(), |key| format!("{key}: {what}")),
    };
    let message = |error: &toml::de::Error| error.message().lines().collect::<Vec<_>>().join(", ");
    let toml = toml::Deserializer::parse(text).map_err(|error| {
        let line = lines_before(&error, text).and_then(|before| text.lines().nth(before)).unwrap_or_default();
        let key = key(line).map(str::to_owned);
        // The parser takes what is not there for a text without quotes.
        let what = if is_empty(line) { "there is no value".to_owned() } else { message(&error) };
        invalid(key, &error, &what)
    })?;
    serde_path_to_error::deserialize(toml).map_err(|error| {
        let key = error.path().to_string();
        // A key that is not known is named by the message itself, and one of the whole file has no name.
        let is_named = error.inner().message().starts_with("unknown field") || key == ".";
        invalid((!is_named).then_some(key), error.inner(), &message(error.inner()))
    })
}

fn lines_before(error: &toml::de::Error, text: &str) -> Option<usize> {
    error.span().map(|span| text[..span.start].matches('\n').count())
}

/// The key of a line, or the name of the table that begins there. What else is on the line may be a secret.
fn key(line: &str) -> Option<&str> {
    let name = match line.split_once('=') {
        Some((key, _)) => key.trim(),
        None => line.trim().strip_prefix('[')?.trim_matches(['[', ']']),
    };
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    is_name.then_some(name)
}

/// Whether nothing but a comment follows the `=` of a line.
fn is_empty(line: &str) -> bool {
    let value = line.split_once('=').map(|(_, value)| value.trim());
    value.is_some_and(|value| value.is_empty() || value.starts_with('#'))
}

struct Place<'a> {
    path: Option<&'a Path>,
    line: usize,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = self.path {
            write!(f, "{}, ", path.display())?;
        }
        if self.line > 0 {
            write!(f, "line {}: ", self.line)?;
        }
        Ok(())
    }
}
