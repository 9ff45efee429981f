//! Finds Nextflow plugins and fetches them verified: from registries, and from the `plugins.json` indexes before them.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use httpx_plugin_repo::PluginRepo;
//!
//! let repositories = ["https://registry.example.test/api", "https://files.example.test/plugins.json"];
//! let plugins = PluginRepo::open("24.04.4".parse()?, repositories)?;
//! for found in plugins.resolve_all(&["nf-amazon".parse()?, "nf-hello@0.5.0".parse()?]).await {
//!     let found = found?;
//!     println!("{} {} from {}", found.id, found.release.version, found.repository);
//!     plugins.download(&found, "plugins").await?;
//! }
//! # Ok(())
//! # }
//! ```
//!
//! - [`PluginRepo::resolve_all`] asks each repository once, however many plugins are wanted, and where that fails asks for
//!   each by itself; [`PluginRepo::prefetch`] is its first half.
//! - **The newest release that runs with this Nextflow** is chosen by its version and by what it requires, never by its
//!   place in a list. Entries of the same plugin count as one.
//! - **Repositories are asked in their order**, and the first that has what is wanted answers. One that cannot be asked is an
//!   error, never "not there". Within its answer, an entry that cannot be read spoils no other plugin, and a release that
//!   cannot be read no other release.
//! - **A version that is there and needs another Nextflow**, one that is not there, and a plugin that is nowhere are three
//!   errors: [`ErrorKind::Incompatible`], [`ErrorKind::UnknownVersion`] and [`ErrorKind::UnknownPlugin`].
//! - [`NextflowVersion`] and [`Requirement`] are Nextflow's own calendar versions and ranges, which SemVer cannot read. The
//!   plugins themselves have versions by SemVer.
//! - An archive is called after plugin and version, wherever redirects lead, and is never there unless its SHA-512 is right.
//!   A token that is wanted on the way is fetched for that host alone.
//!
//! What happens when a request fails is the default of [`httpx_client`], which this crate inherits and cannot change.
//! Sources: `HttpPluginRepository`, `CustomVersionManager` and `VersionNumber` of nextflow-io/nextflow 0ebd12b, and the real
//! index of nextflow-io/plugins e4b1ecf.

// Values.
mod reference;
mod version;

mod requirement;

// What repositories tell.
mod model;

// What goes wrong.
mod error;

// Which release it is.
mod choice;

// What is in an answer.
mod listing;

// One repository.
mod repository;

// The public face.
mod plugin_repo;

mod builder;
mod download;

pub use builder::PluginRepoBuilder;
pub use error::{Error, ErrorKind};
pub use model::{Plugin, Release};
pub use plugin_repo::{Found, PluginRepo};
pub use reference::{NoPluginRef, PluginRef};
pub use requirement::{NoRequirement, Requirement};
pub use version::{NextflowVersion, NoVersion};
