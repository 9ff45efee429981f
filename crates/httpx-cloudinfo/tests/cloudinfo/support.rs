//! A Cloudinfo server made of a function, and a client that does not dawdle.

use std::path::Path;
use std::time::Duration;

use httpx_client::Client;
use httpx_cloudinfo::CloudInfo;
use httpx_faults::{Answer, Fault, Request, Script, Server};

/// Answers each request by a function of it.
pub(crate) async fn serve(answer: impl FnMut(&Request) -> Answer + Send + 'static) -> Server {
    let mut answer = answer;
    Server::start(Script::by_request(move |request| Fault::from(answer(request)))).await.unwrap()
}

/// Always the same answer.
pub(crate) async fn serve_always(status: u16, body: &str) -> Server {
    let answer = Answer::status(status).body(body.to_owned());
    serve(move |_| answer.clone()).await
}

/// The defaults, but one that sends again does so at once.
pub(crate) fn cloud(server: &Server) -> CloudInfo {
    let client = Client::builder().delay(Duration::from_millis(1)).max_delay(Duration::from_millis(5)).build().unwrap();
    CloudInfo::builder(&server.url()).client(client).build().unwrap()
}

/// The paths and queries that were asked for, in order.
pub(crate) fn asked(server: &Server) -> Vec<String> {
    server.journal().requests().into_iter().map(|request| request.path).collect()
}

pub(crate) fn fixture(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)).unwrap()
}
