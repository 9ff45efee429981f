//! What is asked of a peer.

use bytes::Bytes;
use clap::ValueEnum;
use std::fmt;

/// One kind of request without any fault, sent again and again over one connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Scenario {
    /// GET with three fields.
    Get,
    /// POST with three fields and a body of 1 KiB held in memory.
    Post,
}

impl Scenario {
    /// The body to send, or `None` when the request has none. Cloning it copies no byte.
    pub fn body(self) -> Option<Bytes> {
        match self {
            Self::Get => None,
            Self::Post => Some(Bytes::from_static(&[b'x'; 1024])),
        }
    }
}

impl fmt::Display for Scenario {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Get => "get",
            Self::Post => "post",
        })
    }
}
