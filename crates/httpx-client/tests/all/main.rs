//! The client through its public face, against servers that go wrong as told.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod support;

mod adaptive;
mod adopted;
mod bodies;
mod cases;
mod config;
mod connections;
mod executed;
mod grpc;
mod handlers;
mod observe;
mod race;
mod redirects;
mod sent;
mod story;
