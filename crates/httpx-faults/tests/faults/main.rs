//! Every fault, proven with a bare socket: what the peer sees, and what the journal holds.
#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps nothing")]

mod bare;

mod connection;
mod http2;
mod journal;
mod port;
mod proxy;
mod request;
mod reused;
mod script;
mod site;
mod tls;
