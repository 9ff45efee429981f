//! Size limits, progress, and requests that cannot be downloads.

use std::sync::{Arc, Mutex};

use httpx_client::{ErrorKind, Progress};
use httpx_faults::{Answer, End, Script, Server};

use crate::support::{blob, client, cut_after, folder, names, rest_from, whole};

#[tokio::test]
async fn a_body_longer_than_it_may_be_is_not_stored_and_not_fetched_again() {
    let endless = Answer::status(200).body(vec![b'x'; 4000]).chunked();
    let rows = [
        ("told by its length", Script::always(whole()), 999, false, 1),
        ("told only by its bytes", Script::always(endless), 999, false, 1),
        ("just right", Script::always(whole()), 1000, true, 1),
        (
            "told by the rest",
            Script::first(Answer::status(200).header("etag", "\"v1\"").body(blob()).chunked().cut(500, End::Fin))
                .then(rest_from(500)),
            999,
            false,
            2,
        ),
    ];
    for (name, script, at_most, good, attempts) in rows {
        let server = Server::start(script).await.unwrap();
        let (folder, target) = folder();
        let got = client().get(server.url()).download_to(&target).at_most(at_most).await;
        assert_eq!((got.is_ok(), target.exists(), server.journal().complete()), (good, good, attempts), "{name}");
        if let Err(error) = got {
            assert_eq!((error.kind(), names(&folder)), (ErrorKind::TooLarge, vec![]), "{name}");
            assert!(error.to_string().contains(": the body has more than 999 bytes after "), "{error}");
        }
    }
}

async fn progress(script: Script) -> Vec<(u64, Option<u64>)> {
    let server = Server::start(script).await.unwrap();
    let (_folder, target) = folder();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let told = seen.clone();
    let note = move |progress: Progress| told.lock().unwrap().push((progress.bytes, progress.total));
    client().get(server.url()).download_to(&target).on_progress(note).await.unwrap();
    let mut seen = seen.lock().unwrap().clone();
    seen.dedup();
    seen
}

#[tokio::test]
async fn progress_tells_what_is_there_and_how_much_there_is() {
    let total = Some(1000);
    assert_eq!(progress(Script::always(whole())).await, [(0, total), (1000, total)]);
    assert_eq!(progress(Script::always(whole().chunked())).await, [(0, None), (1000, None)]);
    let resumed = Script::first(cut_after(500)).then(rest_from(500));
    assert_eq!(progress(resumed).await, [(0, total), (500, total), (1000, total)]);
    let started_over = Script::first(cut_after(500)).then(whole());
    assert_eq!(progress(started_over).await, [(0, total), (500, total), (0, total), (1000, total)]);
}

#[tokio::test]
async fn a_range_of_the_callers_own_is_refused_and_an_encoding_of_its_own_is_kept() {
    let server = Server::start(Script::always(whole())).await.unwrap();
    let (folder, target) = folder();
    for name in ["range", "if-range"] {
        let error = client().get(server.url()).header(name, "bytes=1-2").download_to(&target).await.unwrap_err();
        assert!(
            error.to_string().ends_with("a download asks for ranges itself; leave Range and If-Range out"),
            "{error}"
        );
    }
    assert_eq!((server.journal().connects(), names(&folder)), (0, vec![]));
    client().get(server.url()).header("accept-encoding", "zstd").download_to(&target).await.unwrap();
    assert_eq!(server.journal().requests()[0].header_lines("accept-encoding").collect::<Vec<_>>(), ["zstd"]);
}
