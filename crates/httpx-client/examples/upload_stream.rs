//! Upload a stream. One that can be read only once is sent only once; a factory makes it anew for each attempt.
//!
//! `cargo run --example upload_stream URL`, or without a URL, against a server that is busy twice.

use std::convert::Infallible;
use std::error::Error;

use futures_util::stream::{self, Stream};
use httpx_client::{Body, Client};
use httpx_faults::{Answer, Fault, Script, Server};

/// What comes from a file or a pipe in a real program.
fn lines() -> impl Stream<Item = Result<&'static [u8], Infallible>> {
    stream::iter([&b"one\n"[..], b"two\n", b"three\n"].map(Ok))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let busy_twice = Script::first(Fault::status(503)).times(2).then(Answer::status(201));
    let server = Server::start(busy_twice).await?;
    let url = std::env::args().nth(1).unwrap_or_else(|| server.url_at("/upload"));

    let client = Client::new();
    let once = client.put(&url).body(Body::stream(lines())).fetch_bytes().await?;
    println!("stream: {} after {} attempt, {}", once.status(), once.attempts().count(), once.attempts().stop_reason());
    let anew = client.put(&url).body(Body::factory(lines)).fetch_bytes().await?;
    println!("factory: {} after {} attempts", anew.status(), anew.attempts().count());
    Ok(())
}
