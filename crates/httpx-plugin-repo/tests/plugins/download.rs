//! Archives: how they are called, where they come from, and whether they are the right ones.

use std::error::Error as _;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use httpx_client::Downloaded;
use httpx_faults::{Answer, End, Fault, Script, Server};
use httpx_plugin_repo::{Error, ErrorKind, Found, PluginRepo};

use crate::support::{asked, fixture, nextflow, repo, serve, serve_always, sha512, wanted};

const ARCHIVE: &str = "an archive";

/// A repository whose one release has its archive at `url`.
async fn listing(url: &str, sha512sum: &str) -> Server {
    let release = format!(r#"{{"version":"1.0.0","url":"{url}","sha512sum":"{sha512sum}"}}"#);
    serve_always(200, format!(r#"{{"plugins":[{{"id":"nf-x","releases":[{release}]}}]}}"#)).await
}

async fn download(url: &str, sha512sum: &str, folder: &Path) -> Result<Downloaded, Error> {
    let server = listing(url, sha512sum).await;
    let repo = repo([server.url()]);
    let found = repo.resolve(&wanted("nf-x")).await.unwrap();
    repo.download(&found, folder).await
}

fn authorizations(server: &Server) -> Vec<Option<String>> {
    server.journal().requests().iter().map(|request| request.header("authorization").map(str::to_owned)).collect()
}

#[tokio::test]
async fn c82_redirects_and_a_token_on_the_way_lead_to_a_file_of_the_right_name() {
    let presigned = serve_always(200, ARCHIVE).await;
    let tokens = serve_always(200, r#"{"token":"t"}"#).await;
    let (end, realm) = (presigned.url_at("/blobs/ab12?X-Signature=s"), tokens.url_at("/token"));
    let blobs = Server::start(Script::by_request(move |request| match request.header("authorization") {
        Some("Bearer t") => Fault::Redirect(307, end.clone()),
        _ => {
            let challenge = format!(r#"Bearer realm="{realm}",service="blobs",scope="repository:p:pull""#);
            Answer::status(401).header("www-authenticate", challenge).into()
        }
    }));
    let blobs = blobs.await.unwrap();
    let blob = blobs.url_at("/v2/p/blobs/sha256:ab12");
    let registry = Server::start(Script::always(Fault::Redirect(307, blob))).await.unwrap();

    let folder = tempfile::tempdir().unwrap();
    let url = registry.url_at("/v1/plugins/nf-x/1.0.0/download/nf-x-1.0.0.zip");
    let list = listing(&url, &sha512(ARCHIVE.as_bytes())).await;
    // The client that comes without asking.
    let repo = PluginRepo::open(nextflow("25.04.8"), [list.url()]).unwrap();
    let found = repo.resolve(&wanted("nf-x")).await.unwrap();
    let saved = repo.download(&found, folder.path()).await.unwrap();
    assert_eq!((saved.path.as_path(), saved.bytes), (&*folder.path().join("nf-x-1.0.0.zip"), 10));
    assert_eq!(fs::read_to_string(&saved.path).unwrap(), ARCHIVE);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);

    assert_eq!(authorizations(&registry), [None], "the token is the blob host's alone");
    assert_eq!(authorizations(&blobs), [None, Some("Bearer t".to_owned())]);
    assert_eq!(authorizations(&presigned), [None]);
    assert_eq!(asked(&tokens), ["/token?service=blobs&scope=repository%3Ap%3Apull"]);
}

#[tokio::test]
async fn an_archive_with_another_digest_is_never_there() {
    // The digest that the real index once had for another archive.
    let faults: serde_json::Value = serde_json::from_str(&fixture("historic-faults.json")).unwrap();
    let wrong = faults[0]["sha512sum_before"].as_str().unwrap();
    let server = serve_always(200, ARCHIVE).await;
    let folder = tempfile::tempdir().unwrap();
    let error = download(&server.url_at("/x.zip"), wrong, folder.path()).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Digest { .. }));
    let told = format!("the archive at {} is not the one that was published", server.url_at("/x.zip"));
    assert_eq!(error.to_string(), told);
    let told = error.source().unwrap().to_string();
    assert!(told.contains(wrong) && told.contains(&sha512(ARCHIVE.as_bytes())), "{told}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left of it");
    assert_eq!(asked(&server).len(), 1, "it is not asked for again");
}

#[tokio::test]
async fn an_archive_that_cannot_be_verified_is_not_fetched() {
    let server = serve_always(200, ARCHIVE).await;
    let folder = tempfile::tempdir().unwrap();
    for (sum, told) in [
        ("00", "its sha512sum is none: sha512 has 128 hexadecimal digits, not 2"),
        ("x", "its sha512sum is none: a digest has hexadecimal digits only"),
    ] {
        let error = download(&server.url_at("/x.zip"), sum, folder.path()).await.unwrap_err();
        assert_eq!(error.to_string(), format!("nf-x 1.0.0 cannot be verified: {told}"));
    }
    let list = serve_always(200, r#"{"plugins":[{"id":"nf-x","releases":[{"version":"1.0.0","url":"/x"}]}]}"#).await;
    let repo = repo([list.url()]);
    let found = repo.resolve(&wanted("nf-x")).await.unwrap();
    let error = repo.download(&found, folder.path()).await.unwrap_err();
    assert_eq!(error.to_string(), "nf-x 1.0.0 cannot be verified: its repository names no sha512sum");
    assert_eq!(asked(&server).len(), 0);
}

/// Half of the archive, then nothing more; asked for the rest, the rest.
async fn halting(halts: usize) -> Server {
    let mut asked = 0;
    serve(move |request| {
        asked += 1;
        let answer = match request.header("range") {
            Some("bytes=4-") => Answer::status(206).header("content-range", "bytes 4-9/10").body(&ARCHIVE[4..]),
            _ => Answer::status(200).body(ARCHIVE),
        };
        let answer = answer.header("etag", "\"1\"");
        if asked <= halts { answer.cut(if asked == 1 { 4 } else { 0 }, End::Fin) } else { answer }
    })
    .await
}

fn ranges(server: &Server) -> Vec<Option<String>> {
    server.journal().requests().iter().map(|request| request.header("range").map(str::to_owned)).collect()
}

#[tokio::test]
async fn an_archive_that_breaks_off_is_gone_on_with() {
    let server = halting(1).await;
    let folder = tempfile::tempdir().unwrap();
    let saved = download(&server.url_at("/x.zip"), &sha512(ARCHIVE.as_bytes()), folder.path()).await.unwrap();
    assert_eq!(fs::read_to_string(saved.path).unwrap(), ARCHIVE);
    assert_eq!(ranges(&server), [None, Some("bytes=4-".to_owned())]);
}

#[tokio::test]
async fn what_has_come_when_a_download_fails_is_there_for_the_next() {
    let server = halting(5).await;
    let folder = tempfile::tempdir().unwrap();
    let (url, sum) = (server.url_at("/x.zip"), sha512(ARCHIVE.as_bytes()));
    let error = download(&url, &sum, folder.path()).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NoAnswer(_)), "{error}");
    assert!(!folder.path().join("nf-x-1.0.0.zip").exists());

    let saved = download(&url, &sum, folder.path()).await.unwrap();
    assert_eq!(fs::read_to_string(saved.path).unwrap(), ARCHIVE);
    assert_eq!(ranges(&server).last().unwrap().as_deref(), Some("bytes=4-"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[tokio::test]
async fn progress_is_told_while_it_comes() {
    let archive = serve_always(200, ARCHIVE).await;
    let list = listing(&archive.url_at("/x.zip"), &sha512(ARCHIVE.as_bytes())).await;
    let repo = repo([list.url()]);
    let found: Found = repo.resolve(&wanted("nf-x")).await.unwrap();
    let (folder, told) = (tempfile::tempdir().unwrap(), Arc::new(Mutex::new(Vec::new())));
    let heard = Arc::clone(&told);
    repo.download_with(&found, folder.path(), move |progress| heard.lock().unwrap().push(progress)).await.unwrap();
    let last = *told.lock().unwrap().last().unwrap();
    assert_eq!((last.bytes, last.total), (10, Some(10)));
}

#[tokio::test]
async fn an_archive_that_is_not_there_and_a_folder_that_is_not_there_are_errors() {
    let gone = serve_always(404, "").await;
    let folder = tempfile::tempdir().unwrap();
    let sum = sha512(ARCHIVE.as_bytes());
    let error = download(&gone.url_at("/x.zip"), &sum, folder.path()).await.unwrap_err();
    assert_eq!(error.to_string(), format!("{} answered 404 Not Found", gone.url_at("/x.zip")));
    let missing = folder.path().join("missing");
    let error = download(&gone.url_at("/x.zip"), &sum, &missing).await.unwrap_err();
    assert_eq!(error.to_string(), format!("cannot write {}", missing.join("nf-x-1.0.0.zip").display()));
}
