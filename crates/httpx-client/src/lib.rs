//! An HTTP client that knows whether a failed request was ever sent.
//!
//! A retry is safe when the request provably never reached the server, or when repeating it does no harm. This client,
//! built on [`reqwest`], finds out which it was, and by default retries transient statuses and every I/O failure, except a
//! timeout that elapsed after the request was sent: then the server may be working on it, and a retry could run the
//! operation twice.
//!
//! ```no_run
//! # async fn example() -> Result<(), httpx_client::Error> {
//! let client = httpx_client::Client::new();
//! let answer = client.post("https://example.test/jobs").json(&["one", "two"]).fetch_text().await?;
//! println!("{} after {} attempts: {}", answer.status(), answer.attempts().count(), answer.body());
//! # Ok(())
//! # }
//! ```
//!
//! - [`RequestBuilder::send`] gives a streaming answer; [`RequestBuilder::fetch_bytes`], `fetch_text` and `fetch_json`
//!   read the body inside the attempt, so that one that breaks off is retried.
//! - Every result, good or bad, carries [`Attempts`]: what each one met, whether it was sent, and why it was repeated.
//! - [`Auth`] says who is asking; credentials stay with their origin and are never shown in errors or logs.
//! - [`Config`] holds all settings as a value; [`ClientBuilder`] adds rules and callbacks.
//! - The rule itself is in [`httpx_retry`]: [`httpx_retry::default_rule`].
//!
//! # Features
//!
//! Those of the first part are on by default. With `default-features = false, features = ["ring"]` there is the core:
//! policies, sending, limits, proxies, and the story of every call. It brings two crates more than reqwest and tokio
//! (`cargo xtask bench build --crates`).
//!
//! | feature | brings |
//! |---|---|
//! | `auth` | [`Auth`]: credentials of a client, sessions that are renewed, challenges that are answered |
//! | `charset` | `fetch_text` and `text` in other charsets than UTF-8 |
//! | `config` | [`Config`] from TOML, and for serde |
//! | `download` | `download_to`, digests, downloads that go on where they broke off |
//! | `json` | `json` and `fetch_json` |
//! | `ring` | the cryptography behind TLS |
//! | | |
//! | `aws-lc-rs` | another cryptography, instead of `ring` |
//! | `blocking` | a client for code that is not async |
//! | `middleware` | the same policies for reqwest-middleware |
//! | `redis` | sessions and budgets that many processes share |

#![cfg_attr(docsrs, feature(doc_cfg))]

// What values may be.
mod wanted;

// Values.
mod auth_config;
mod credentials;
#[cfg(feature = "download")]
mod digest;
mod limits;
mod no_proxy;
mod proxy;
mod redirect;
mod secret;
mod store_error;
mod trace;
mod witness;

mod body;
mod text;

// What is told.
mod config;
mod error;

mod target;

// Who is asking.
#[cfg(feature = "auth")]
mod auth;
#[cfg(not(feature = "auth"))]
#[path = "auth/none.rs"]
mod auth;

mod build_error;

// Which way.
mod proxies;

// What is sent.
mod parts;

// One exchange.
mod exchange;

mod classify;

mod failed;

mod collect;
mod events;
#[cfg(feature = "download")]
mod range;

// Where a body goes that is kept.
#[cfg(feature = "download")]
mod partial;

#[cfg(feature = "download")]
mod sink;
#[cfg(not(feature = "download"))]
#[path = "sink/none.rs"]
mod sink;

// What calls share.
mod budgets;
mod observe;
mod rates;
mod settings;

mod connector;

mod fleet;

mod shared;

// A call.
mod call;

mod attempt;
mod paid;
mod read;
mod run;

mod race;

mod send;

mod response;

mod request;

#[cfg(feature = "download")]
mod download;
#[cfg(feature = "auth")]
mod errands;

// The public face.
mod client;

mod builder;

mod defaults;

// The same for other callers.
#[cfg(feature = "blocking")]
pub mod blocking;
#[cfg(feature = "middleware")]
mod middleware;

#[cfg(feature = "redis")]
pub use auth::RedisStore;
#[cfg(feature = "auth")]
pub use auth::{
    Accept, Auth, AuthSettings, AuthSettingsError, Challenge, Challenges, Cookies, Lease, MemoryStore, OriginError,
    RealmRefused, Realms, Refresh, Session, TokenStore, Tokens,
};
pub use auth_config::AuthConfig;
pub use body::Body;
pub use build_error::BuildError;
pub use builder::ClientBuilder;
pub use client::Client;
#[cfg(feature = "config")]
pub use config::ConfigError;
pub use config::{BudgetSetting, Config, HttpVersion, Limit, RetryAfterSetting};
pub use credentials::{Credentials, CredentialsError};
#[cfg(feature = "download")]
pub use digest::{Digest, DigestError};
#[cfg(feature = "download")]
pub use download::{Download, Downloaded};
pub use error::{Error, ErrorKind, excerpt, redacted, redacted_text};
pub use events::RetryEvent;
pub use fleet::{Booked, Booking, FleetStore};
pub use httpx_retry;
#[cfg(feature = "middleware")]
pub use middleware::RetryMiddleware;
pub use no_proxy::NoProxy;
pub use proxy::{Proxy, ProxyError};
pub use request::RequestBuilder;
pub use reqwest;
pub use response::{Response, Streaming};
pub use secret::Secret;
#[cfg(feature = "download")]
pub use sink::Progress;
pub use store_error::StoreError;
pub use target::IntoUrl;
pub use trace::{AttemptRecord, Attempts, AuthStep, Ended};

/// The examples of README.md compile.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// And those of docs/RULE.md.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/RULE.md")]
struct TheRule;

/// And those of docs/GUIDE.md.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/GUIDE.md")]
struct Guide;

/// Those of docs/ADAPTERS.md too, where what they need is there.
#[cfg(all(doctest, feature = "blocking", feature = "middleware"))]
#[doc = include_str!("../../../docs/ADAPTERS.md")]
struct Adapters;

/// And those of docs/MIGRATING.md.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/MIGRATING.md")]
struct Migrating;
