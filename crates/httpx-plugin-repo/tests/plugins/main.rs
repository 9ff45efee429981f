//! Cases from the field, part 7: the plugin repository of Nextflow. The number in a name is the case's.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod answers;
mod choice;
mod download;
mod model;
mod order;
mod support;
mod versions;
