//! A repository made of a function, and a client that does not dawdle.

use std::path::Path;
use std::time::Duration;

use httpx_client::{Auth, Challenges, Client};
use httpx_faults::{Answer, Fault, Request, Script, Server};
use httpx_plugin_repo::{NextflowVersion, Plugin, PluginRef, PluginRepo};
use sha2::{Digest, Sha512};

/// The defaults, but one that sends again does so at once.
pub(crate) fn quick() -> Client {
    let auth = Auth::challenges(Challenges::anonymous());
    Client::builder().delay(Duration::from_millis(1)).max_delay(Duration::from_millis(5)).auth(auth).build().unwrap()
}

/// Answers each request by a function of it.
pub(crate) async fn serve(answer: impl FnMut(&Request) -> Answer + Send + 'static) -> Server {
    let mut answer = answer;
    Server::start(Script::by_request(move |request| Fault::from(answer(request)))).await.unwrap()
}

/// Always the same answer.
pub(crate) async fn serve_always(status: u16, body: impl Into<String>) -> Server {
    let answer = Answer::status(status).body(body.into());
    serve(move |_| answer.clone()).await
}

pub(crate) fn nextflow(text: &str) -> NextflowVersion {
    text.parse().unwrap()
}

pub(crate) fn wanted(text: &str) -> PluginRef {
    text.parse().unwrap()
}

/// The repositories at these URLs, asked for Nextflow 25.04.8.
pub(crate) fn repo<U: Into<String>>(urls: impl IntoIterator<Item = U>) -> PluginRepo {
    let builder = PluginRepo::builder(nextflow("25.04.8")).client(quick());
    urls.into_iter().fold(builder, |builder, url| builder.repository(url)).build().unwrap()
}

/// The paths and queries that were asked for, in order.
pub(crate) fn asked(server: &Server) -> Vec<String> {
    server.journal().requests().into_iter().map(|request| request.path).collect()
}

pub(crate) fn fixture(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)).unwrap()
}

/// The rows of a table, without its head.
pub(crate) fn table<const N: usize>(name: &str) -> Vec<[String; N]> {
    let text = fixture(name);
    let mut reader = csv::ReaderBuilder::new().delimiter(b'\t').from_reader(text.as_bytes());
    let row = |row: csv::StringRecord| -> [String; N] {
        row.iter().map(str::to_owned).collect::<Vec<_>>().try_into().unwrap()
    };
    reader.records().map(|record| row(record.unwrap())).collect()
}

/// A plugin with these releases, each a version and what it requires.
pub(crate) fn plugin(id: &str, releases: &[(&str, &str)]) -> String {
    let release = |(version, requires): &(&str, &str)| {
        format!(r#"{{"version":"{version}","url":"/{id}-{version}.zip","requires":"{requires}"}}"#)
    };
    let releases = releases.iter().map(release).collect::<Vec<_>>().join(",");
    format!(r#"{{"id":"{id}","releases":[{releases}]}}"#)
}

/// What a registry answers that has these plugins.
pub(crate) fn registry_of(plugins: &[String]) -> String {
    format!(r#"{{"plugins":[{}]}}"#, plugins.join(","))
}

pub(crate) fn parsed(plugin: &str) -> Plugin {
    serde_json::from_str(plugin).unwrap()
}

pub(crate) fn sha512(bytes: &[u8]) -> String {
    Sha512::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
