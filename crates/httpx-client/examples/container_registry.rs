//! Pull from a container registry: its challenge is answered with a token for nobody, and the blob comes from elsewhere.
//!
//! `cargo run --example container_registry BLOB SHA256`, or without them, against a registry and a store of this machine.

use std::error::Error;

use httpx_client::{Auth, Challenges, Client, Digest};
use httpx_faults::{Answer, Fault, Script, Server};

const SHA256: &str = "2689367b205c16ce32ed4200942b8b8b1e262dfc70d9bc9fbc77c49699a4f1df";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let realm = Server::start(Script::always(Answer::ok().body(r#"{"token": "t"}"#))).await?;
    let store = Server::start(Script::always(Fault::Ok)).await?;
    let challenge =
        format!(r#"Bearer realm="{}",service="registry",scope="repository:tool:pull""#, realm.url_at("/token"));
    let blob = store.url_at("/blob");
    let registry = Script::by_request(move |request| match request.header("authorization") {
        Some("Bearer t") => Fault::Redirect(307, blob.clone()),
        _ => Answer::status(401).header("www-authenticate", challenge.clone()).into(),
    });
    let registry = Server::start(registry).await?;
    let mut arguments = std::env::args().skip(1);
    let url = arguments.next().unwrap_or_else(|| registry.url_at("/v2/tool/blobs/sha256:2689"));
    let sha256 = arguments.next().unwrap_or_else(|| SHA256.to_owned());

    let client = Client::builder().auth(Auth::challenges(Challenges::anonymous())).build()?;
    let folder = tempfile::tempdir()?;
    let saved = client.get(url).download_to(folder.path().join("blob")).verify(Digest::sha256(sha256)?).await?;
    println!("{} bytes, verified, after {} attempt", saved.body().bytes, saved.attempts().count());
    for request in store.journal().requests() {
        println!("the store was shown {}", request.header("authorization").map_or("no token", |_| "the token"));
    }
    Ok(())
}
