//! Settings as a plain value that can be read from a file.

mod file;

use std::fmt;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::auth_config::AuthConfig;
use crate::duration;
use crate::no_proxy::NoProxy;
use crate::proxy::Proxy;
use crate::secret::{self, Secret};
use crate::wanted::{self, Text};

pub use file::ConfigError;

/// Every setting of a [`Client`](crate::Client) that can be written down. Absent means the default.
///
/// In TOML, durations are texts such as `"500ms"` and unknown keys are refused:
///
/// ```
/// let config: httpx_client::Config = r#"
///     policy = "idempotent_only"
///     max_attempts = 3
///     timeout = "2s"
///     deadline = "10s"
/// "#.parse()?;
/// let client = httpx_client::ClientBuilder::from(config).build()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[doc(alias = "HxConfig")]
pub struct Config {
    /// The policy's name, one of [`httpx_retry::PRESETS`]. The settings below change it.
    #[serde(deserialize_with = "wanted::policy", skip_serializing_if = "Option::is_none")]
    pub policy: Option<String>,
    /// How many sends at most, the first included; at least 1.
    #[serde(deserialize_with = "wanted::attempts", skip_serializing_if = "Option::is_none")]
    pub max_attempts: Option<NonZeroU32>,
    /// The wait before the first retry.
    #[serde(with = "duration::option", skip_serializing_if = "Option::is_none")]
    pub delay: Option<Duration>,
    /// What the wait is multiplied with from retry to retry; at least 1.
    #[serde(deserialize_with = "wanted::factor", skip_serializing_if = "Option::is_none")]
    pub factor: Option<f64>,
    /// The longest wait, jitter and `Retry-After` included.
    #[serde(with = "duration::option", skip_serializing_if = "Option::is_none")]
    pub max_delay: Option<Duration>,
    /// How much waits vary, as a ratio `0.0..=1.0`; 0 means not at all.
    #[serde(deserialize_with = "wanted::jitter", skip_serializing_if = "Option::is_none")]
    pub jitter: Option<f64>,
    /// The statuses that are transient, `100..=999`, instead of the policy's own.
    #[serde(deserialize_with = "wanted::statuses", skip_serializing_if = "Option::is_none")]
    pub statuses: Option<Vec<u16>>,
    /// What `Retry-After` means.
    #[serde(deserialize_with = "retry_after", skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<RetryAfterSetting>,
    /// The shared allowance of retries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<BudgetSetting>,
    /// The Redis, `"redis://user:password@host:port/0"`, through which the processes of a fleet share the budget and what
    /// `Retry-After` asks; wants the feature `redis`.
    #[serde(with = "secret::option", skip_serializing_if = "Option::is_none")]
    pub fleet: Option<Secret>,
    /// Whether attempts wait their turn once a server has throttled them (429, or what the policy takes for it), as in the
    /// retry mode `adaptive` of the AWS SDKs; the wait is not part of an attempt's `timeout`, and is of the `deadline`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adaptive_rate: Option<bool>,
    /// How long the whole call may take: attempts, waits and body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadline: Option<Limit>,
    /// How long one attempt may take, body included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Limit>,
    /// How long connecting may take: resolving, TCP and TLS.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connect_timeout: Option<Limit>,
    /// How long nothing may come: before the answer, and between two pieces of its body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_timeout: Option<Limit>,
    /// How many redirects are followed; 0 hands them to the caller.
    #[serde(deserialize_with = "wanted::redirects", skip_serializing_if = "Option::is_none")]
    pub max_redirects: Option<u32>,
    /// How many bytes of a body are read into memory at most, by the methods `fetch_…`, `bytes` and `text`; a longer one is
    /// an error. A download has a limit of its own, and `chunk` needs none.
    #[serde(deserialize_with = "wanted::bytes", skip_serializing_if = "Option::is_none")]
    pub max_body: Option<u64>,
    /// The `User-Agent` field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_agent: Option<String>,
    /// Which version of HTTP is spoken.
    #[serde(deserialize_with = "http_version", skip_serializing_if = "Option::is_none")]
    pub http_version: Option<HttpVersion>,
    /// A PEM file; its certificates alone are trusted, instead of the system's.
    #[serde(deserialize_with = "wanted::file", skip_serializing_if = "Option::is_none")]
    pub cacert: Option<PathBuf>,
    /// The proxy, `"http://user:password@host:port"`; servers on this machine are always asked directly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proxy: Option<Proxy>,
    /// Which servers are asked directly, such as `"localhost, .internal, 10.0.0.0/8"`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_proxy: Option<NoProxy>,
    /// Whether `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` count where `proxy` or `no_proxy` is not set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proxy_from_environment: Option<bool>,
    /// Who is asking. Secrets stand in files of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub auth: Option<AuthConfig>,
}

/// A time limit, or none: `"2s"` or `"off"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// No limit.
    Off,
    /// At most this long.
    After(Duration),
}

/// What `Retry-After` means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RetryAfterSetting {
    /// Nothing.
    Ignore,
    /// A lower bound on the wait; above `max_delay`, `max_delay`.
    Wait,
    /// A lower bound on the wait; above `max_delay`, the call ends with the answer at hand.
    GiveUp,
}

/// The shared allowance of retries: `"off"`, or a table of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BudgetSetting {
    /// Retries are not bounded across calls.
    Off,
    /// A token bucket per origin.
    #[serde(untagged)]
    Tokens {
        /// Tokens of a full bucket.
        capacity: u32,
        /// What a retry takes.
        retry_cost: u32,
        /// What a retry after a timeout takes.
        timeout_cost: u32,
        /// What a success on the first attempt gives.
        first_success: u32,
    },
}

/// Which version of HTTP is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HttpVersion {
    /// HTTP/2 where TLS negotiates it, else HTTP/1.1.
    #[serde(rename = "auto")]
    Auto,
    /// HTTP/1.1 only.
    #[serde(rename = "1.1")]
    Http1,
    /// HTTP/2 only, without asking first over plain TCP.
    #[serde(rename = "2")]
    Http2,
}

fn retry_after<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<RetryAfterSetting>, D::Error> {
    deserializer.deserialize_str(Text::new("\"ignore\", \"wait\" or \"give-up\"", wanted::named)).map(Some)
}

fn http_version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<HttpVersion>, D::Error> {
    deserializer.deserialize_str(Text::new("\"auto\", \"1.1\" or \"2\"", wanted::named)).map(Some)
}

impl Serialize for Limit {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
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
            #[serde(deserialize_with = "wanted::tokens")]
            capacity: u32,
            #[serde(deserialize_with = "wanted::tokens")]
            retry_cost: u32,
            #[serde(deserialize_with = "wanted::tokens")]
            timeout_cost: u32,
            #[serde(deserialize_with = "wanted::tokens")]
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

impl From<Duration> for Limit {
    fn from(limit: Duration) -> Self {
        Limit::After(limit)
    }
}
