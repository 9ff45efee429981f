//! `Content-Range` of an answer that goes on where a body broke off, over a connection.

use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bolero::check;
use httpx_client::Client;
use httpx_faults::{Answer, End, Script, Server};

use crate::support::{field, numbers};

const WORDS: &[&str] = &[
    "bytes ",
    "bytes",
    "4",
    "0",
    "9",
    "10",
    "-",
    "/",
    "*",
    "4-9/10",
    "bytes 4-9/10",
    "bytes 4-9/*",
    "bytes 3-9/10",
    "bytes 4-8/10",
    "18446744073709551615",
    "+4",
    " ",
    ",",
    "\t",
];

const WHOLE: &str = "0123456789";

/// There is the whole file or none: a part is never put where it does not belong.
#[test]
fn content_range() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let part: Arc<Mutex<Answer>> = Arc::new(Mutex::new(Answer::ok()));
    let contacts = Arc::new(AtomicU64::new(0));
    let (given, contact) = (Arc::clone(&part), Arc::clone(&contacts));
    let whole = || Answer::ok().header("etag", "\"v1\"").body(WHOLE);
    let script =
        Script::by_request(move |request| match (request.header("range"), contact.fetch_add(1, Ordering::Relaxed)) {
            (Some(_), _) => given.lock().unwrap().clone().into(),
            (None, 0) => whole().cut(4, End::Fin).into(),
            (None, _) => whole().into(),
        });
    let server = runtime.block_on(Server::start(script)).unwrap();
    let client = Client::builder().delay(Duration::ZERO).timeout(Duration::from_secs(60)).build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    // A connection that a panic has left half used is closed.
    let stage = AssertUnwindSafe((runtime, client, server, part, contacts, folder));
    check!().with_generator((numbers(7), 0..12usize, 0..3u8)).for_each(|(range, from, tag)| {
        let (runtime, client, server, part, contacts, folder) = &*stage;
        let file = folder.path().join("file");
        let range = field(range, WORDS);
        let mut answer = Answer::status(206).header("content-range", range).body(&WHOLE[(*from).min(10)..]);
        if *tag > 0 {
            answer = answer.header("etag", format!("\"v{tag}\""));
        }
        *part.lock().unwrap() = answer;
        contacts.store(0, Ordering::Relaxed);
        std::fs::remove_file(&file).ok();
        let saved = runtime.block_on(async { client.get(server.url()).download_to(&file).await });
        let there = std::fs::read_to_string(&file);
        match (&saved, there) {
            (Ok(_), Ok(text)) => assert!(text == WHOLE || *from != 4, "{text:?}"),
            (Err(_), there) => assert!(there.is_err()),
            (Ok(_), Err(error)) => panic!("{error}"),
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), usize::from(saved.is_ok()));
    });
}
