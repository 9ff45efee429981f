//! Proxies: which requests go through one, with which credentials, and what is known when they fail.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod by_hand;
mod credentials;
mod environment;
mod failures;
mod hostile;
mod list;
mod on_the_wire;
mod support;
