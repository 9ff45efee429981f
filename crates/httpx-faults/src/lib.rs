//! A faulty HTTP server.

mod end;
mod request;

mod answer;
mod behaviour;
mod journal;
mod port;

mod fault;

mod script;

mod session;

mod http1_read;
mod perform;

mod http1;
mod http2;

mod connection;
mod identity;

mod server;

pub use answer::Answer;
pub use end::End;
pub use fault::{BODY_ANNOUNCED, Fault, Layer, UNKNOWN_HOST};
pub use journal::{Journal, REQUESTS_KEPT};
pub use request::{BODY_KEPT, Request};
pub use script::Script;
pub use server::Server;
