//! Names of crates, and where an index keeps them (Cargo book, "Index files").

use crate::error::{Error, ErrorKind};

/// A name that a crate can have, so that it makes a path and nothing else.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<'a>(&'a str);

impl<'a> Name<'a> {
    pub(crate) fn parse(name: &'a str) -> Result<Self, Error> {
        let good = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        if name.is_empty() || !name.bytes().all(good) {
            return Err(ErrorKind::Name(name.to_owned()).into());
        }
        Ok(Name(name))
    }

    pub(crate) const fn as_str(self) -> &'a str {
        self.0
    }

    /// The folder of its index file, in the name's own case: `1`, `2`, `3/s` or `se/rd`.
    pub(crate) fn prefix(self) -> String {
        let name = self.0;
        match name.len() {
            1 => "1".to_owned(),
            2 => "2".to_owned(),
            3 => format!("3/{}", &name[..1]),
            _ => format!("{}/{}", &name[..2], &name[2..4]),
        }
    }

    /// The path of its index file from the index, in lower case: `se/rd/serde`.
    pub(crate) fn index_path(self) -> String {
        format!("{}/{}", self.prefix(), self.0).to_ascii_lowercase()
    }
}
