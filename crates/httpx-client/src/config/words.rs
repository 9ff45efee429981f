//! How a setting is read: who writes `httpx.toml` knows of no `u32`.

use std::fmt;
use std::marker::PhantomData;
use std::num::NonZeroU32;
use std::path::PathBuf;

use httpx_retry::preset;
use serde::de::value::{Error as Unnamed, SeqAccessDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer as _, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

use crate::wanted::{FACTOR, JITTER, STATUS, Wanted, policies, unknown_policy};

const ATTEMPTS: Wanted<NonZeroU32> =
    Wanted { right: "a number of attempts, 1 or more, the first one included", holds: |_| true };
const REDIRECTS: Wanted<u32> = Wanted { right: "a number of redirects, 0 or more", holds: |_| true };
const BYTES: Wanted<u64> = Wanted { right: "a number of bytes, 0 or more", holds: |_| true };
const TOKENS: Wanted<u32> = Wanted { right: "a number of tokens, 0 or more", holds: |_| true };

pub(crate) fn factor<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    deserializer.deserialize_any(FACTOR).map(Some)
}

pub(crate) fn jitter<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    deserializer.deserialize_any(JITTER).map(Some)
}

pub(crate) fn attempts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<NonZeroU32>, D::Error> {
    deserializer.deserialize_any(ATTEMPTS).map(Some)
}

pub(crate) fn redirects<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    deserializer.deserialize_any(REDIRECTS).map(Some)
}

pub(crate) fn bytes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    deserializer.deserialize_any(BYTES).map(Some)
}

pub(crate) fn tokens<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    deserializer.deserialize_any(TOKENS)
}

pub(crate) fn statuses<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<u16>>, D::Error> {
    struct Status(u16);

    impl<'de> Deserialize<'de> for Status {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_any(STATUS).map(Status)
        }
    }

    let statuses =
        deserializer.deserialize_seq(List::<Status>("a list of status codes such as [429, 503]", PhantomData));
    Ok(Some(statuses?.into_iter().map(|Status(code)| code).collect()))
}

pub(crate) fn origins<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<String>>, D::Error> {
    deserializer.deserialize_seq(List("a list of origins such as [\"https://host\"]", PhantomData)).map(Some)
}

pub(crate) fn file<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PathBuf>, D::Error> {
    deserializer.deserialize_str(Text::new("the path of a file", |path| Ok(PathBuf::from(path)))).map(Some)
}

pub(crate) fn policy<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let known = |name: &str| match preset(name) {
        Some(_) => Ok(name.to_owned()),
        None => Err(unknown_policy(name, &policies())),
    };
    deserializer.deserialize_str(Text::new("the name of a policy", known)).map(Some)
}

/// The value of an enumeration that `text` names.
pub(crate) fn named<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    T::deserialize(text.into_deserializer()).map_err(|error: Unnamed| error.to_string())
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

/// Numbers as a file has them.
trait Number: Sized {
    fn whole(number: i64) -> Option<Self>;

    fn real(_: f64) -> Option<Self> {
        None
    }
}

impl Number for u16 {
    fn whole(number: i64) -> Option<Self> {
        number.try_into().ok()
    }
}

impl Number for u32 {
    fn whole(number: i64) -> Option<Self> {
        number.try_into().ok()
    }
}

impl Number for u64 {
    fn whole(number: i64) -> Option<Self> {
        number.try_into().ok()
    }
}

impl Number for NonZeroU32 {
    fn whole(number: i64) -> Option<Self> {
        NonZeroU32::new(number.try_into().ok()?)
    }
}

impl Number for f64 {
    fn whole(number: i64) -> Option<Self> {
        Some(number as f64)
    }

    fn real(number: f64) -> Option<Self> {
        Some(number)
    }
}

impl<T: Number> Visitor<'_> for Wanted<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.right)
    }

    fn visit_i64<E: serde::de::Error>(self, number: i64) -> Result<T, E> {
        let read = T::whole(number).filter(self.holds);
        read.ok_or_else(|| E::invalid_value(Unexpected::Signed(number), &self))
    }

    fn visit_u64<E: serde::de::Error>(self, number: u64) -> Result<T, E> {
        let read = i64::try_from(number).ok().and_then(T::whole).filter(self.holds);
        read.ok_or_else(|| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_f64<E: serde::de::Error>(self, number: f64) -> Result<T, E> {
        let read = T::real(number).filter(self.holds);
        read.ok_or_else(|| E::invalid_value(Unexpected::Float(number), &self))
    }
}

/// A list, and of anything else what was expected.
struct List<T>(&'static str, PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for List<T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Vec<T>, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(items))
    }
}
