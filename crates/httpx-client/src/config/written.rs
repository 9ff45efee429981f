//! How settings stand in a file: the form of each, and what reads it.
//!
//! A form has the fields of its value, or it does not compile.

use std::fmt;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Unexpected, Visitor};
use serde::ser::SerializeStruct as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::words::{self, Text};
use super::{BudgetSetting, Config, HttpVersion, Limit, RetryAfterSetting, duration};
use crate::auth_config::AuthConfig;
use crate::no_proxy::NoProxy;
use crate::proxy::Proxy;
use crate::secret::Secret;

#[derive(Serialize, Deserialize)]
#[serde(remote = "Config", default = "Config::default", deny_unknown_fields)]
struct ConfigForm {
    #[serde(deserialize_with = "words::policy", skip_serializing_if = "Option::is_none")]
    policy: Option<String>,
    #[serde(deserialize_with = "words::attempts", skip_serializing_if = "Option::is_none")]
    max_attempts: Option<NonZeroU32>,
    #[serde(with = "duration::option", skip_serializing_if = "Option::is_none")]
    delay: Option<Duration>,
    #[serde(deserialize_with = "words::factor", skip_serializing_if = "Option::is_none")]
    factor: Option<f64>,
    #[serde(with = "duration::option", skip_serializing_if = "Option::is_none")]
    max_delay: Option<Duration>,
    #[serde(deserialize_with = "words::jitter", skip_serializing_if = "Option::is_none")]
    jitter: Option<f64>,
    #[serde(deserialize_with = "words::statuses", skip_serializing_if = "Option::is_none")]
    statuses: Option<Vec<u16>>,
    #[serde(deserialize_with = "retry_after", skip_serializing_if = "Option::is_none")]
    retry_after: Option<RetryAfterSetting>,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget: Option<BudgetSetting>,
    #[serde(with = "secret", skip_serializing_if = "Option::is_none")]
    fleet: Option<Secret>,
    #[serde(skip_serializing_if = "Option::is_none")]
    adaptive_rate: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deadline: Option<Limit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout: Option<Limit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    connect_timeout: Option<Limit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    read_timeout: Option<Limit>,
    #[serde(deserialize_with = "words::redirects", skip_serializing_if = "Option::is_none")]
    max_redirects: Option<u32>,
    #[serde(deserialize_with = "words::bytes", skip_serializing_if = "Option::is_none")]
    max_body: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_agent: Option<String>,
    #[serde(deserialize_with = "http_version", skip_serializing_if = "Option::is_none")]
    http_version: Option<HttpVersion>,
    #[serde(deserialize_with = "words::file", skip_serializing_if = "Option::is_none")]
    cacert: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proxy: Option<Proxy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_proxy: Option<NoProxy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proxy_from_environment: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    auth: Option<AuthConfig>,
}

#[derive(Serialize, Deserialize)]
#[serde(
    remote = "AuthConfig",
    default = "AuthConfig::default",
    deny_unknown_fields,
    expecting = "a table of keys such as bearer_file"
)]
struct AuthForm {
    #[serde(deserialize_with = "words::file", skip_serializing_if = "Option::is_none")]
    basic_file: Option<PathBuf>,
    #[serde(deserialize_with = "words::file", skip_serializing_if = "Option::is_none")]
    bearer_file: Option<PathBuf>,
    #[serde(deserialize_with = "words::file", skip_serializing_if = "Option::is_none")]
    refresh_token_file: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refresh_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    www_authenticate: Option<bool>,
    #[serde(deserialize_with = "words::origins", skip_serializing_if = "Option::is_none")]
    origins: Option<Vec<String>>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "RetryAfterSetting", rename_all = "kebab-case")]
enum RetryAfterForm {
    Ignore,
    Wait,
    GiveUp,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "HttpVersion")]
enum HttpVersionForm {
    #[serde(rename = "auto")]
    Auto,
    #[serde(rename = "1.1")]
    Http1,
    #[serde(rename = "2")]
    Http2,
}

/// Serde cannot know by itself that a value has a form.
macro_rules! written {
    ($value:ident as $form:ident) => {
        impl Serialize for $value {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $form::serialize(self, serializer)
            }
        }

        impl<'de> Deserialize<'de> for $value {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $form::deserialize(deserializer)
            }
        }
    };
}

written!(Config as ConfigForm);
written!(AuthConfig as AuthForm);
written!(RetryAfterSetting as RetryAfterForm);
written!(HttpVersion as HttpVersionForm);

fn retry_after<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<RetryAfterSetting>, D::Error> {
    deserializer.deserialize_str(Text::new("\"ignore\", \"wait\" or \"give-up\"", words::named)).map(Some)
}

fn http_version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<HttpVersion>, D::Error> {
    deserializer.deserialize_str(Text::new("\"auto\", \"1.1\" or \"2\"", words::named)).map(Some)
}

impl Serialize for Limit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Limit::Off => serializer.serialize_str("off"),
            Limit::After(limit) => duration::serialize(limit, serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Limit {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let limit = |text: &str| match text {
            "off" => Ok(Limit::Off),
            text => duration::parse(text).map(Limit::After).map_err(|told| format!("{told} or \"off\"")),
        };
        deserializer.deserialize_str(Text::new("a duration such as \"2s\", or \"off\"", limit))
    }
}

impl<'de> Deserialize<'de> for BudgetSetting {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Table {
            #[serde(deserialize_with = "words::tokens")]
            capacity: u32,
            #[serde(deserialize_with = "words::tokens")]
            retry_cost: u32,
            #[serde(deserialize_with = "words::tokens")]
            timeout_cost: u32,
            #[serde(deserialize_with = "words::tokens")]
            first_success: u32,
        }

        struct OffOrTable;

        impl<'de> Visitor<'de> for OffOrTable {
            type Value = BudgetSetting;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("\"off\", or a table of capacity, retry_cost, timeout_cost and first_success")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<BudgetSetting, E> {
                match text {
                    "off" => Ok(BudgetSetting::Off),
                    other => Err(E::invalid_value(Unexpected::Str(other), &self)),
                }
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<BudgetSetting, A::Error> {
                let Table { capacity, retry_cost, timeout_cost, first_success } =
                    Table::deserialize(MapAccessDeserializer::new(map))?;
                Ok(BudgetSetting::Tokens { capacity, retry_cost, timeout_cost, first_success })
            }
        }

        deserializer.deserialize_any(OffOrTable)
    }
}

impl Serialize for BudgetSetting {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            BudgetSetting::Off => serializer.serialize_str("off"),
            BudgetSetting::Tokens { capacity, retry_cost, timeout_cost, first_success } => {
                let mut table = serializer.serialize_struct("BudgetSetting", 4)?;
                table.serialize_field("capacity", &capacity)?;
                table.serialize_field("retry_cost", &retry_cost)?;
                table.serialize_field("timeout_cost", &timeout_cost)?;
                table.serialize_field("first_success", &first_success)?;
                table.end()
            }
        }
    }
}

impl Serialize for Proxy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.text())
    }
}

impl<'de> Deserialize<'de> for Proxy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl Serialize for NoProxy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for NoProxy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(NoProxy::new)
    }
}

/// A secret that is written down is to be read again.
mod secret {
    use serde::{Deserializer, Serializer};

    use super::{Secret, Text};

    #[expect(clippy::ref_option, reason = "serde calls it so")]
    pub(crate) fn serialize<S: Serializer>(secret: &Option<Secret>, serializer: S) -> Result<S::Ok, S::Error> {
        match secret {
            Some(secret) => serializer.serialize_some(secret.expose()),
            None => serializer.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Secret>, D::Error> {
        deserializer.deserialize_str(Text::new("a text", |text| Ok(Secret::from(text)))).map(Some)
    }
}
