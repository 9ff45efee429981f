//! Downloads: what is asked for, what is in the file afterwards, and what is never there.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod checks;
mod digests;
mod files;
mod kept;
mod limits;
mod resumed;
mod support;
