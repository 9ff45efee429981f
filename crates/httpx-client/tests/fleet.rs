//! What the processes of a fleet share over one real Redis: their budget, and how long a server is left alone.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

#[path = "fleet/away.rs"]
mod away;
#[path = "fleet/books.rs"]
mod books;
#[path = "fleet/processes.rs"]
mod processes;
#[path = "auth/redis_server.rs"]
#[expect(dead_code, reason = "only a part of it is needed here")]
mod redis_server;
#[path = "fleet/shared.rs"]
mod shared;

use std::time::Duration;

use futures_util::future::join_all;
use httpx_client::{Client, ClientBuilder};
use httpx_faults::{Fault, Script, Server};

/// A client of the fleet, as each process has one, that waits next to nothing.
fn quick(redis: &str) -> ClientBuilder {
    Client::builder().delay(Duration::from_millis(1)).fleet(redis)
}

/// Answers 503 under `/bad` and well elsewhere.
async fn half_broken() -> Server {
    Server::start(Script::by_request(|request| match &*request.path {
        "/bad" => Fault::status(503).into(),
        _ => Fault::Ok,
    }))
    .await
    .unwrap()
}

/// So many calls at once, whatever comes of them, and how many retries they made.
async fn retries(client: &Client, url: &str, calls: usize) -> usize {
    let calls = (0..calls).map(|_| tokio::spawn(client.get(url).fetch_bytes()));
    join_all(calls).await.into_iter().map(|ended| ended.unwrap().unwrap().attempts().count() - 1).sum()
}
