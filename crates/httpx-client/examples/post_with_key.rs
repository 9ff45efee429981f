//! POST an order that must not be placed twice: retried only because its key lets the server recognise it.
//!
//! `cargo run --example post_with_key URL`, or without a URL, against a server that loses its first answer.

use std::error::Error;

use httpx_client::Client;
use httpx_client::httpx_retry::Rule;
use httpx_faults::{Answer, Fault, Script, Server};
use serde::Serialize;

#[derive(Serialize)]
struct Order {
    article: &'static str,
    pieces: u32,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let server = Server::start(Script::first(Fault::AppliedThenReset).then(Answer::status(201))).await?;
    let url = std::env::args().nth(1).unwrap_or_else(|| server.url_at("/orders"));

    let client = Client::builder().rule(Rule::idempotent_only()).build()?;
    let order = Order { article: "teapot", pieces: 2 };
    let answer = client.post(&url).header("Idempotency-Key", "order-4711").json(&order).fetch_bytes().await?;
    for attempt in answer.attempts().iter() {
        println!("attempt {}: {}", attempt.number, attempt.reason);
    }
    println!("{}", answer.status());
    Ok(())
}
