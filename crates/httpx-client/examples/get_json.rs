//! GET JSON, with a limit on the whole call: attempts, waits and body.
//!
//! `cargo run --example get_json URL`, or without a URL, against a server that is busy once.

use std::error::Error;
use std::time::Duration;

use httpx_client::Client;
use httpx_faults::{Answer, Fault, Script, Server};
use serde::Deserialize;

#[derive(Deserialize)]
struct Job {
    id: u64,
    state: String,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let well = Answer::ok().body(r#"{"id": 7, "state": "done"}"#);
    let server = Server::start(Script::first(Fault::status(503)).then(well)).await?;
    let url = std::env::args().nth(1).unwrap_or_else(|| server.url_at("/jobs/7"));

    let client = Client::new();
    let answer = client.get(url).deadline(Duration::from_secs(30)).fetch_json::<Job>().await?;
    println!("job {} is {}, after {} attempts", answer.body().id, answer.body().state, answer.attempts().count());
    Ok(())
}
