//! The command, run as a person or a program runs it.
#![expect(clippy::unwrap_used, reason = "a test fails where it unwraps nothing")]

mod support;

mod auth;
mod compare;
mod consumers;
mod explain;
mod fixtures;
mod full_disk;
mod interrupted;
mod mistakes;
mod picture;
mod policies;
mod proxy;
mod registry;
mod secrets;
mod send_body;
mod send_download;
mod send_exit;
mod send_json;
mod send_output;
mod serve;
mod service_config;
mod storm;
mod survey;
mod timeline;
mod token_file;
