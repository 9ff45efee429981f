//! The work of one run: how many requests of which scenario, and to where.

use crate::scenario::Scenario;
use anyhow::{Context, Result, ensure};
use reqwest::{
    Url,
    header::{HeaderName, HeaderValue},
};
use std::{future::Future, pin::Pin};

/// What a peer is asked to send.
#[derive(Clone, Debug)]
pub struct Load {
    /// The kind of request.
    pub scenario: Scenario,
    /// How many requests, one after the other. All over one connection: the server tells when they were not.
    pub count: u32,
    /// The address of `httpx-bench-server`, as in `http://127.0.0.1:4000/`.
    pub url: String,
}

impl Load {
    /// The address, parsed once for the whole run. A client that parses it again for each request pays for that.
    pub(crate) fn url(&self) -> Result<Url> {
        Url::parse(&self.url).with_context(|| format!("{:?} is not an address", self.url))
    }

    /// The three fields that every request carries, on top of what a client adds by itself; parsed once, too.
    pub(crate) fn fields(&self) -> [(HeaderName, HeaderValue); 3] {
        FIELDS.map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
    }
}

const FIELDS: [(&str, &str); 3] =
    [("accept", "application/json"), ("x-request-source", "bench"), ("x-request-trace", "00-4bf92f3577b34da6")];

/// A client under measurement: sends a [`Load`] and reads every answer to its end.
pub type Peer = fn(Load) -> Pin<Box<dyn Future<Output = Result<()>>>>;

/// Refuses an answer that is not the server's, so that no count is ever taken of failures.
///
/// # Errors
/// When `status` is not 200 or `length`, the bytes of the body, is not that of [`ANSWER_BODY`].
pub(crate) fn check(status: u16, length: usize) -> Result<()> {
    ensure!(status == 200, "the server answered {status} where 200 is due");
    ensure!(length == ANSWER_BODY.len(), "the body has {length} bytes where {} are due", ANSWER_BODY.len());
    Ok(())
}

/// The body of every answer.
pub const ANSWER_BODY: &str = "{\"status\":\"done\"}\n";
