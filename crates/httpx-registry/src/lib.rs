//! Reads Cargo registries that speak the sparse protocol: what is published, and the archives.
//!
//! ```no_run
//! # async fn example() -> Result<(), httpx_registry::Error> {
//! use httpx_registry::Registry;
//!
//! let registry = Registry::open("sparse+https://registry.example.test/index/")?;
//! let newest = registry.newest("serde", &"^1.0".parse().expect("a requirement")).await?;
//! if let Some(row) = newest {
//!     println!("{} {} with checksum {}", row.name, row.vers, row.cksum);
//!     registry.download(&row, "serde.crate").await?;
//! }
//! # Ok(())
//! # }
//! ```
//!
//! - **It fails closed.** Only `200` and `404`, `410` or `451` are answers: rows, or "not there" (`None`). Everything else,
//!   an index file without one readable line included, is an [`Error`]; it never means "not published".
//! - **Rows are raw.** [`Versions`] holds every row of a crate in the order of the index, yanked ones included, and tells
//!   each line that it could not use; [`Versions::is_taken`] refuses to say "free" while such a line could be the version,
//!   and [`Versions::newest`] to name one while a line hides its version.
//! - **A version is identified without its build metadata** (SemVer §10) where the question is whether it is taken, and
//!   with it where a row is asked for.
//! - **What was fetched is asked for again only if it changed**: `ETag` or `Last-Modified` go along, and the body comes
//!   from the cache when the answer is `304`. Nothing is ever answered by the cache alone. [`Registry::fresh`] also asks
//!   the caches on the way to check with their origin.
//! - **A token is sent only when it is wanted**: the configuration is first asked for without; after `401` the token goes
//!   along verbatim, and on all files from then on when the registry says `auth-required`. A redirect to another origin
//!   drops it, and archives on another origin than the index get it only by
//!   [`RegistryBuilder::trust`]. It is in no message.
//!
//! What happens when a request fails is the default of [`httpx_client`], which this crate inherits and cannot change.
//! Publishing is cargo's business; [`Config::api_url`] says where it would go. Sources: the Cargo book, "Registry Index"
//! and "Running a Registry" (rust-lang/cargo 1423140), and cargo's own reader where the book is silent.

// What goes wrong.
mod error;

// Values.
mod index_url;
mod name;
mod row;

// What the two kinds of files of an index say.
mod config;
mod versions;

// What was fetched before.
mod cache;
mod challenge;

// One file of an index.
mod fetch;

// The public face.
mod registry;

mod builder;
mod download;

pub use builder::RegistryBuilder;
pub use config::Config;
pub use error::{Error, ErrorKind};
pub use registry::Registry;
pub use row::{Dependency, DependencyKind, Row};
pub use versions::{Skipped, Versions, Why};
