//! Durations as people write them.

use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use serde::de::Visitor;
use serde::{Deserializer, Serializer};

pub(crate) fn parse(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|_| format!("{text:?} is not a duration; write it as \"500ms\", \"2s\""))
}

pub(crate) fn serialize<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&humantime::format_duration(*duration))
}

/// For `Option<Duration>` fields.
pub(crate) mod option {
    use super::{Deserializer, Duration, Serializer, Text, parse};

    pub(crate) fn serialize<S: Serializer>(duration: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
        match duration {
            Some(duration) => super::serialize(duration, serializer),
            None => serializer.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
        deserializer.deserialize_str(Text::new("a duration such as \"2s\"", parse)).map(Some)
    }
}

/// Reads a text, and of anything else says what was `expected`.
pub(crate) struct Text<T, F> {
    expected: &'static str,
    read: F,
    value: PhantomData<T>,
}

impl<T, F: FnOnce(&str) -> Result<T, String>> Text<T, F> {
    pub(crate) const fn new(expected: &'static str, read: F) -> Self {
        Text { expected, read, value: PhantomData }
    }
}

impl<T, F: FnOnce(&str) -> Result<T, String>> Visitor<'_> for Text<T, F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<T, E> {
        (self.read)(text).map_err(E::custom)
    }
}
