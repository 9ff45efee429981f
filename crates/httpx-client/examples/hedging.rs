//! Hedging: when no answer has come after a while, a second send races the first, and the first good answer wins.
//!
//! `cargo run --example hedging URL`, or without a URL, against a server whose first answer never comes.

use std::error::Error;
use std::time::Duration;

use httpx_client::Client;
use httpx_client::httpx_retry::{Hedging, Policy};
use httpx_faults::{Fault, Script, Server};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let server = Server::start(Script::first(Fault::NeverAnswer).then(Fault::Ok)).await?;
    let url = std::env::args().nth(1).unwrap_or_else(|| server.url_at("/search"));

    let hedging = Hedging::new(Duration::from_millis(200), 2.try_into()?);
    let client = Client::builder().policy(Policy::default().with_hedging(hedging)).build()?;
    let answer = client.get(url).fetch_text().await?;
    println!("{}: {}", answer.status(), answer.body());
    for attempt in answer.attempts().iter() {
        println!("send {}: {}", attempt.number, attempt.reason);
    }
    Ok(())
}
