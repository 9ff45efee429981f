//! Who is asking: credentials, sessions and challenges through the client's public face.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod support;

mod answers;
mod challenge;
mod challenges;
mod fixed;
mod hostile;
mod inner;
mod mistakes;
mod moments;
mod origins;
mod reference;
mod refresh;
mod sessions;
mod settings;
mod stores;
mod together;
