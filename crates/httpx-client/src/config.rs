//! Settings as a plain value.

// How it is written in a file.
#[cfg(feature = "config")]
mod duration;
#[cfg(feature = "config")]
mod file;
#[cfg(feature = "config")]
mod words;
#[cfg(feature = "config")]
mod written;

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use crate::auth_config::AuthConfig;
use crate::no_proxy::NoProxy;
use crate::proxy::Proxy;
use crate::secret::Secret;

#[cfg(feature = "config")]
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
#[derive(Clone, Debug, Default, PartialEq)]
#[doc(alias = "HxConfig")]
pub struct Config {
    /// The policy's name, one of [`httpx_retry::PRESETS`]. The settings below change it.
    pub policy: Option<String>,
    /// How many sends at most, the first included; at least 1.
    pub max_attempts: Option<NonZeroU32>,
    /// The wait before the first retry.
    pub delay: Option<Duration>,
    /// What the wait is multiplied with from retry to retry; at least 1.
    pub factor: Option<f64>,
    /// The longest wait, jitter and `Retry-After` included.
    pub max_delay: Option<Duration>,
    /// How much waits vary, as a ratio `0.0..=1.0`; 0 means not at all.
    pub jitter: Option<f64>,
    /// The statuses that are transient, `100..=999`, instead of the policy's own.
    pub statuses: Option<Vec<u16>>,
    /// What `Retry-After` means.
    pub retry_after: Option<RetryAfterSetting>,
    /// The shared allowance of retries.
    pub budget: Option<BudgetSetting>,
    /// The Redis, `"redis://user:password@host:port/0"`, through which the processes of a fleet share the budget and what
    /// `Retry-After` asks; wants the feature `redis`.
    pub fleet: Option<Secret>,
    /// Whether attempts wait their turn once a server has throttled them (429, or what the policy takes for it), as in the
    /// retry mode `adaptive` of the AWS SDKs; the wait is not part of an attempt's `timeout`, and is of the `deadline`.
    pub adaptive_rate: Option<bool>,
    /// How long the whole call may take: attempts, waits and body.
    pub deadline: Option<Limit>,
    /// How long one attempt may take, body included.
    pub timeout: Option<Limit>,
    /// How long connecting may take: resolving, TCP and TLS.
    pub connect_timeout: Option<Limit>,
    /// How long nothing may come: before the answer, and between two pieces of its body.
    pub read_timeout: Option<Limit>,
    /// How many redirects are followed; 0 hands them to the caller.
    pub max_redirects: Option<u32>,
    /// How many bytes of a body are read into memory at most, by the methods `fetch_…`, `bytes` and `text`; a longer one is
    /// an error. A download has a limit of its own, and `chunk` needs none.
    pub max_body: Option<u64>,
    /// The `User-Agent` field.
    pub user_agent: Option<String>,
    /// Which version of HTTP is spoken.
    pub http_version: Option<HttpVersion>,
    /// A PEM file; its certificates alone are trusted, instead of the system's.
    pub cacert: Option<PathBuf>,
    /// The proxy, `"http://user:password@host:port"`; servers on this machine are always asked directly.
    pub proxy: Option<Proxy>,
    /// Which servers are asked directly, such as `"localhost, .internal, 10.0.0.0/8"`.
    pub no_proxy: Option<NoProxy>,
    /// Whether `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` count where `proxy` or `no_proxy` is not set.
    pub proxy_from_environment: Option<bool>,
    /// Who is asking. Secrets stand in files of their own.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryAfterSetting {
    /// Nothing.
    Ignore,
    /// A lower bound on the wait; above `max_delay`, `max_delay`.
    Wait,
    /// A lower bound on the wait; above `max_delay`, the call ends with the answer at hand.
    GiveUp,
}

/// The shared allowance of retries: `"off"`, or a table of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BudgetSetting {
    /// Retries are not bounded across calls.
    Off,
    /// A token bucket per origin.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HttpVersion {
    /// HTTP/2 where TLS negotiates it, else HTTP/1.1.
    Auto,
    /// HTTP/1.1 only.
    Http1,
    /// HTTP/2 only, without asking first over plain TCP.
    Http2,
}

impl From<Duration> for Limit {
    fn from(limit: Duration) -> Self {
        Limit::After(limit)
    }
}
