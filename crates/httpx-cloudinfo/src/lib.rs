//! Asks a Cloudinfo server for cloud regions, instance types with their prices, and machine families.
//!
//! ```no_run
//! # async fn example() -> Result<(), httpx_cloudinfo::Error> {
//! use httpx_cloudinfo::{CloudInfo, Provider, Query};
//!
//! let cloud = CloudInfo::open("https://cloudinfo.example.test")?;
//! for region in cloud.region_ids(Provider::Amazon).await? {
//!     let found = cloud.products(Provider::Amazon, &region, &Query::new().features(["gpu", "nvidia"])).await?;
//!     println!("{region}: {} types with an NVIDIA GPU", found.products.len());
//! }
//! # Ok(())
//! # }
//! ```
//!
//! - [`CloudInfo::regions`], [`CloudInfo::products`] and [`CloudInfo::families`] are the three questions; [`Query`] filters
//!   on the server.
//! - The model holds every field of the answers, and what it does not know is kept: [`Product::other`]. Units stand at each
//!   field. A memory of 0 means that the server does not know it.
//! - An answer that carries an `ETag` is kept, and sent for again only if it changed.
//! - [`Error::message`] is what the server says; [`Error::valid_capabilities`] lists the features it knows when it was asked
//!   for one that it does not.
//!
//! What happens when a request fails is the default of [`httpx_client`], which this crate inherits and cannot change.
//! Sources: seqeralabs/cloudinfo b715894 (`types.go`, `errorresponse.go`) for the answers, and for the questions the Java
//! client of the same service, lib-cloudinfo 2.1.0 (`CloudInfoClient`).

// How values are written.
mod nullable;
mod number;

// What is asked and answered.
mod family;
mod product;
mod provider;
mod query;
mod region;

// What goes wrong.
mod error;

// What was fetched before.
mod cache;

// The public face.
mod client;

mod builder;

pub use builder::CloudInfoBuilder;
pub use client::CloudInfo;
pub use error::{Error, ErrorKind, Refusal};
pub use product::{Product, Products, SpotPrice};
pub use provider::{Provider, UnknownProvider};
pub use query::Query;
pub use region::Region;
