//! A proxy that wants credentials: it gets them, and the server behind it never sees them.
//!
//! `cargo run --example proxy PROXY URL`, or without them, through a proxy of this machine.

use std::error::Error;

use httpx_client::{Client, Proxy};
use httpx_faults::{Fault, Script, Server};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let (proxy, server) =
        (Server::proxy(Script::always(Fault::Ok)).await?, Server::start(Script::always(Fault::Ok)).await?);
    let mut arguments = std::env::args().skip(1);
    let through = arguments.next().unwrap_or_else(|| format!("http://user:secret@{}", proxy.address()));
    // Not by its address: servers of this machine are asked directly.
    let url = arguments.next().unwrap_or_else(|| server.far_url_at("/"));

    let client =
        Client::builder().proxy(Proxy::new(through)?).no_proxy("10.0.0.0/8, .internal.example.test").build()?;
    let answer = client.get(url).fetch_text().await?;
    println!("{}: {}", answer.status(), answer.body());
    for (name, journal) in [("proxy", proxy.journal()), ("server", server.journal())] {
        for request in journal.requests() {
            println!(
                "the {name} was shown {}",
                request.header("proxy-authorization").map_or("nothing", |_| "credentials")
            );
        }
    }
    Ok(())
}
