//! Watch a call while it runs: what each attempt met, whether it was sent, and how long the wait is.
//!
//! `cargo run --example observe URL`, or without a URL, against a server that goes wrong in three ways. The same is told as
//! spans of `tracing`, called `http.attempt`.

use std::error::Error;

use httpx_client::Client;
use httpx_faults::{Fault, Script, Server};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let script =
        Script::first(Fault::status(503)).then(Fault::ResetAfterRequest).then(Fault::HalfBodyFin).then(Fault::Ok);
    let server = Server::start(script).await?;
    let url = std::env::args().nth(1).unwrap_or_else(|| server.url_at("/"));

    let client = Client::builder()
        .on_retry(|event| {
            let attempt = event.attempt();
            println!(
                "attempt {}: {:?}, sent: {}; {}",
                attempt.number,
                attempt.ended,
                attempt.sent.name(),
                attempt.reason
            );
        })
        .build()?;
    let answer = client.get(url).fetch_text().await?;
    println!("attempt {}: {}", answer.attempts().count(), answer.status());
    Ok(())
}
