//! Who is asking: credentials, sessions and challenges through the client's public face.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod support;

mod fixed;
mod mistakes;
mod origins;
