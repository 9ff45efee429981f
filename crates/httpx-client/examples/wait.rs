//! Code that is not async waits for the same client. Wants the feature `blocking`.
//!
//! `cargo run --features blocking --example wait URL`, or without a URL, against a server that is busy once.

use std::error::Error;
use std::io::Read;

use httpx_client::blocking::Client;
use httpx_faults::{Fault, Script, Server};

fn main() -> Result<(), Box<dyn Error>> {
    let client = Client::new()?;
    let server = client.wait(Server::start(Script::first(Fault::status(503)).then(Fault::Ok)))?;
    let url = std::env::args().nth(1).unwrap_or_else(|| server.url_at("/"));

    let answer = client.wait(client.get(&url).fetch_text())?;
    println!("{} after {} attempts: {}", answer.status(), answer.attempts().count(), answer.body());
    let mut text = String::new();
    client.reader(client.wait(client.get(url).send())?).read_to_string(&mut text)?;
    println!("read piece by piece: {text}");
    Ok(())
}
