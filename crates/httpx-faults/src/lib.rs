//! An HTTP server that goes wrong exactly as told, and keeps a journal of what arrived.
//!
//! It writes raw bytes to TCP and TLS sockets, so it can do what no correct server can: fall silent after half a body,
//! reset a connection that a client has just taken from its pool, send a GOAWAY below a stream, never answer a
//! ClientHello. The journal tells what a client really sent, and how often the server acted on it.
//!
//! ```
//! use httpx_faults::{Fault, Script, Server};
//! # use std::io::{Read, Write};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> std::io::Result<()> {
//! // Busy twice, then well for ever.
//! let server = Server::start(Script::first(Fault::status(503).retry_after("1")).times(2).then(Fault::Ok)).await?;
//!
//! // Point any client at `server.url_at("/jobs")`; here, one of three lines.
//! let mut client = std::net::TcpStream::connect(server.address())?;
//! client.write_all(b"POST /jobs HTTP/1.1\r\nhost: test\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello")?;
//! let mut answer = String::new();
//! client.read_to_string(&mut answer)?;
//!
//! assert!(answer.starts_with("HTTP/1.1 503 "));
//! let request = &server.journal().requests()[0];
//! assert_eq!((request.method.as_str(), &request.body[..], request.complete), ("POST", &b"hello"[..], true));
//! assert_eq!(server.journal().applied_for("POST /jobs"), 0); // A server that is busy has not acted.
//! # Ok(())
//! # }
//! ```
//!
//! [`Fault`] lists what can go wrong, [`Script`] says when, [`Answer`] builds answers of your own, [`Journal`] tells what
//! came of it. [`Site`] shows every fault under a path of its own, for clients that cannot be told by a test.
//!
//! [`Server::proxy`] is a proxy with a script and a journal of its own, in front of the servers of this machine.
//!
//! A fault that needs a fresh connection makes the answer before it carry `connection: close` (over HTTP/2, a GOAWAY), so
//! that a script does not depend on the client's pool. The faults of HTTP/2 reset or close an HTTP/1.1 connection.
//!
//! Not in scope: being fast or being right. Over HTTP/2 the server does not watch the client's windows, so answers there
//! should stay below 64 KiB. All ports are free ones of 127.0.0.1. A full backlog swallows connects on Linux only.

// Values and bytes.
mod end;
mod http2_frame;
mod identity;
mod port;
mod request;

// What is said, and what was heard.
mod answer;
mod forward;
mod http1_read;
mod journal;

// The few things a server can do.
mod behaviour;

// The faults made of them, and how a reply is said.
mod fault;
mod perform;

// When a fault strikes, and how HTTP/2 says a reply.
mod http2_wire;
mod script;

mod chance;

// One connection's share of script and journal.
mod session;

// Requests one after another, and requests side by side.
mod http1;
mod http2_streams;

// The connection of those side by side.
mod http2;

// From the accepted socket to its end.
mod connection;

// The thread that accepts.
mod server;

// Every fault at once.
mod site;

pub use answer::Answer;
pub use behaviour::IDLE;
pub use end::End;
pub use fault::{BODY_ANNOUNCED, Fault, Layer, UNKNOWN_HOST};
pub use identity::FAR_HOST;
pub use journal::{Journal, REQUESTS_KEPT};
pub use request::{BODY_KEPT, Request};
pub use script::Script;
pub use server::Server;
pub use site::{Exhibit, Site};
