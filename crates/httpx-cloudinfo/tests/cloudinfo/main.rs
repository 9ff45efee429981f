//! Cases from the field, part 8: Cloudinfo. The number in a name is the case's.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod answers;
mod cache;
mod model;
mod questions;
mod support;
