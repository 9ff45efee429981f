//! Download a file: it goes on where it broke off, is checked, and is there whole or not at all.
//!
//! `cargo run --example download URL SHA256 FILE`, or without them, against a server that breaks off half-way.

use std::error::Error;

use httpx_client::{Client, Digest};
use httpx_faults::{Answer, End, Fault, Request, Script, Server};

const FILE: &str = "one line of a file\nand another one\n";
const SHA256: &str = "f2aef02b76c02cb5569cb13647539ccab1ea8aabef2969aba706c24ed84b0458";

/// Breaks off after ten bytes, and sends the rest when asked for it.
fn half_way(request: &Request) -> Fault {
    match request.header("range") {
        None => Answer::ok().header("etag", "\"v1\"").body(FILE).cut(10, End::Fin).into(),
        Some(_) => {
            let range = format!("bytes 10-{}/{}", FILE.len() - 1, FILE.len());
            Answer::status(206).header("etag", "\"v1\"").header("content-range", range).body(&FILE[10..]).into()
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let server = Server::start(Script::by_request(half_way)).await?;
    let folder = tempfile::tempdir()?;
    let mut arguments = std::env::args().skip(1);
    let url = arguments.next().unwrap_or_else(|| server.url_at("/file"));
    let sha256 = arguments.next().unwrap_or_else(|| SHA256.to_owned());
    let path = arguments.next().map_or_else(|| folder.path().join("file"), Into::into);

    let client = Client::new();
    let saved = client.get(url).download_to(&path).resumable().verify(Digest::sha256(sha256)?).await?;
    println!("{} bytes after {} attempts, verified", saved.body().bytes, saved.attempts().count());
    assert_eq!(std::fs::metadata(path)?.len(), saved.body().bytes);
    Ok(())
}
