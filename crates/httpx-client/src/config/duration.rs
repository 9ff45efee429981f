//! Durations as people write them.

use std::time::Duration;

use serde::{Deserializer, Serializer};

pub(crate) fn parse(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|_| format!("{text:?} is not a duration; write it as \"500ms\", \"2s\""))
}

pub(crate) fn serialize<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&humantime::format_duration(*duration))
}

/// For `Option<Duration>` fields.
pub(crate) mod option {
    use super::{Deserializer, Duration, Serializer, parse};
    use crate::config::words::Text;

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
