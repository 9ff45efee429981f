//! Fuzz targets: what strangers write is read without a panic, and means what it should.
//!
//! Each target is a test that runs for a second, and `cargo xtask fuzz` runs all of them for a minute. A finding prints
//! its input, made as small as it gets, and the seed that brings it again. With cargo-bolero and a nightly toolchain the
//! same targets run under libFuzzer.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod support;

mod challenges;
mod config;
mod content_range;
mod cookies;
mod no_proxy;
mod proxy;
mod retry_after;
