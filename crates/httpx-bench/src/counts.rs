//! What the server saw, told by itself.

use anyhow::{Context, Result};
use reqwest::Url;
use serde::{Deserialize, Serialize};
use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
    time::Duration,
};
use tokio::time::sleep;

/// What the server saw since it started. Asking is not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counts {
    /// Connections that carried a request.
    pub(crate) opened: u64,
    /// Those that are open still.
    pub(crate) open: u64,
    /// Requests.
    pub(crate) requests: u64,
    /// Those whose answer is on its way.
    pub(crate) answered: u64,
    /// Those since the outage ended.
    pub(crate) since_outage: u64,
    /// Tokens given out.
    pub(crate) tokens: u64,
}

impl Counts {
    /// Asks the server at `url`; `/repair` ends the outage, too.
    ///
    /// # Errors
    /// When it cannot be asked.
    pub(crate) fn ask(url: &Url, path: &str) -> Result<Self> {
        // Not by a client under measurement: it would keep a connection, and allocate as it pleases.
        let address = url.socket_addrs(|| None)?;
        let mut stream = TcpStream::connect(&*address).context("the server cannot be asked what it saw")?;
        write!(stream, "GET {path} HTTP/1.1\r\nhost: {url}\r\nconnection: close\r\n\r\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (_, body) = answer.split_once("\r\n\r\n").context("the server told nothing")?;
        serde_json::from_str(body).with_context(|| format!("the server told {body:?}"))
    }
}

/// Waits until the server has answered so many requests.
pub(crate) async fn until_answered(url: &Url, requests: u64) -> Result<()> {
    loop {
        if Counts::ask(url, "/counts")?.answered >= requests {
            return Ok(());
        }
        sleep(Duration::from_millis(1)).await;
    }
}
