//! Fuzz targets: what registries, repositories and the authors of changes write is read without a panic, and means what it
//! should. Those of the client stand beside it; [`support`] says how they run.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

#[path = "../../../crates/httpx-client/tests/fuzz/support.rs"]
#[expect(dead_code, reason = "only a part of it is needed here")]
mod support;

mod served;

mod changes;
mod cloudinfo;
mod plugins;
mod registry;
mod service_config;
