//! A registry made of a table of paths, and a client that does not dawdle.

use std::collections::HashMap;
use std::time::Duration;

use httpx_client::Client;
use httpx_faults::{Answer, Fault, Request, Script, Server};
use httpx_registry::{Registry, RegistryBuilder, Row};

/// A registry without an index file, whose archives are nowhere.
pub(crate) const CONFIG: &str = r#"{"dl":"https://static.example.test/crates"}"#;

/// The defaults, but one that sends again does so at once.
pub(crate) fn quick() -> Client {
    Client::builder().delay(Duration::from_millis(1)).max_delay(Duration::from_millis(5)).build().unwrap()
}

/// Answers each request by a function of it.
pub(crate) async fn serve(answer: impl FnMut(&Request) -> Answer + Send + 'static) -> Server {
    let mut answer = answer;
    Server::start(Script::by_request(move |request| Fault::from(answer(request)))).await.unwrap()
}

/// Answers each path with its body, and any other with 404.
pub(crate) async fn serve_files(files: &[(&str, &str)]) -> Server {
    let files: HashMap<String, String> =
        files.iter().map(|(path, body)| ((*path).to_owned(), (*body).to_owned())).collect();
    serve(move |request| match files.get(&request.path) {
        Some(body) => Answer::status(200).body(body.clone()),
        None => Answer::status(404),
    })
    .await
}

/// The registry whose index is the root of `server`.
pub(crate) fn builder(server: &Server) -> RegistryBuilder {
    Registry::builder(&server.url()).client(quick())
}

pub(crate) fn registry(server: &Server) -> Registry {
    builder(server).build().unwrap()
}

/// The paths that were asked for, in order.
pub(crate) fn asked(server: &Server) -> Vec<String> {
    server.journal().requests().into_iter().map(|request| request.path).collect()
}

/// The line of a version without dependencies.
pub(crate) fn line(name: &str, vers: &str) -> String {
    line_with(name, vers, "")
}

/// The same with further fields, each followed by a comma.
pub(crate) fn line_with(name: &str, vers: &str, fields: &str) -> String {
    format!(r#"{{{fields}"name":"{name}","vers":"{vers}","deps":[],"cksum":"00","features":{{}},"yanked":false}}"#)
}

pub(crate) fn row(line: &str) -> Row {
    serde_json::from_str(line).unwrap()
}

/// What stands in for an archive.
pub(crate) const ARCHIVE: &str = "an archive";

/// The SHA-256 of [`ARCHIVE`].
pub(crate) const ARCHIVE_SHA256: &str = "9e691d5adacf0e102f203100842ffaba4e2a7dfe3dbd536827d3c0db8c7e88f1";
