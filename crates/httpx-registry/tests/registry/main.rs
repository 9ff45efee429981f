//! Cases from the field, part 6: the sparse index. The number in a name is the case's.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod answers;
mod cache;
mod config;
mod download;
mod fixtures;
mod publish;
mod support;
mod token;
mod versions;
