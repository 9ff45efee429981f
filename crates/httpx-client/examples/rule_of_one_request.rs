//! A rule for one request: what was just written may not be found yet, so that here a 404 is worth another try.
//!
//! `cargo run --example rule_of_one_request URL`, or without a URL, against a server that is slow to find it.

use std::error::Error;

use httpx_client::Client;
use httpx_client::httpx_retry::{Rule, When};
use httpx_client::reqwest::StatusCode;
use httpx_faults::{Fault, Script, Server};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let server = Server::start(Script::first(Fault::status(404)).then(Fault::Ok)).await?;
    let url = std::env::args().nth(1).unwrap_or_else(|| server.url_at("/just-written"));

    let client = Client::new();
    let not_there_yet = Rule::rows("not there yet", [When::status(StatusCode::NOT_FOUND).retry()]);
    let answer = client.get(url).rule(Rule::default_rule().or(not_there_yet)).fetch_text().await?;
    println!("{} after {} attempts: {}", answer.status(), answer.attempts().count(), answer.body());
    Ok(())
}
