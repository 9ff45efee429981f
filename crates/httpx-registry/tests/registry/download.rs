//! Archives: where they are, and whether they are the right ones.

use std::error::Error as _;
use std::fs;
use std::sync::{Arc, Mutex};

use httpx_faults::{Answer, End, Server};
use httpx_registry::{Error, ErrorKind, Row};

use crate::support::{ARCHIVE, ARCHIVE_SHA256, line, registry, row, serve};

async fn serve_archive(archive: Answer) -> Server {
    serve(move |request| match request.path.as_str() {
        "/config.json" => {
            let host = request.header("host").unwrap();
            Answer::status(200).body(format!(r#"{{"dl":"http://{host}/{{crate}}-{{version}}.crate"}}"#))
        }
        _ => archive.clone(),
    })
    .await
}

fn published(cksum: &str) -> Row {
    row(&line("a", "1.0.0+b").replace(r#""00""#, &format!("\"{cksum}\"")))
}

/// Downloads over a file that is there, and tells what it holds afterwards.
async fn download(server: &Server, row: &Row) -> (Result<u64, Error>, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.crate");
    fs::write(&file, "before").unwrap();
    let result = registry(server).download(row, &file).await;
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left behind");
    (result, fs::read_to_string(file).unwrap())
}

#[tokio::test]
async fn an_archive_with_the_right_checksum_replaces_the_file() {
    for cksum in [ARCHIVE_SHA256.to_owned(), ARCHIVE_SHA256.to_uppercase()] {
        let server = serve_archive(Answer::status(200).body(ARCHIVE)).await;
        let (length, held) = download(&server, &published(&cksum)).await;
        assert_eq!((length.unwrap(), held.as_str()), (10, ARCHIVE));
        assert_eq!(server.journal().requests()[1].path, "/a-1.0.0+b.crate");
    }
}

#[tokio::test]
async fn progress_is_told_while_it_comes() {
    let server = serve_archive(Answer::status(200).body(ARCHIVE)).await;
    let (folder, told) = (tempfile::tempdir().unwrap(), Arc::new(Mutex::new(Vec::new())));
    let heard = Arc::clone(&told);
    let tell = move |progress| heard.lock().unwrap().push(progress);
    registry(&server).download_with(&published(ARCHIVE_SHA256), folder.path().join("a.crate"), tell).await.unwrap();
    let last = *told.lock().unwrap().last().unwrap();
    assert_eq!((last.bytes, last.total), (10, Some(10)));
}

#[tokio::test]
async fn any_other_archive_is_an_error_and_the_file_is_as_it_was() {
    let wrong = "0".repeat(64);
    let server = serve_archive(Answer::status(200).body(ARCHIVE)).await;
    let url = server.url_at("/a-1.0.0+b.crate");
    let (error, held) = download(&server, &published(&wrong)).await;
    let error = error.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Checksum { .. }));
    assert_eq!(error.to_string(), format!("the archive at {url} is not the one that was published"));
    let told = error.source().unwrap().source().unwrap().to_string();
    assert!(told.contains(ARCHIVE_SHA256) && told.contains(&wrong), "{told}");
    assert_eq!(held, "before");
}

#[tokio::test]
async fn an_archive_that_is_not_there_is_an_error() {
    for (status, told) in [(404, "404 Not Found"), (410, "410 Gone")] {
        let server = serve_archive(Answer::status(status)).await;
        let url = server.url_at("/a-1.0.0+b.crate");
        let (error, held) = download(&server, &published(ARCHIVE_SHA256)).await;
        assert_eq!(
            error.unwrap_err().to_string(),
            format!("the archive of a 1.0.0+b is not there: {url} answered {told}")
        );
        assert_eq!(held, "before");
    }
}

#[tokio::test]
async fn other_answers_are_errors() {
    for status in [304, 400, 403, 500] {
        let server = serve_archive(Answer::status(status)).await;
        let (error, held) = download(&server, &published(ARCHIVE_SHA256)).await;
        let error = error.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Status { status: told, .. } if *told == status), "{error}");
        assert_eq!(held, "before");
    }
}

#[tokio::test]
async fn a_file_that_cannot_be_written_is_an_error_that_names_it() {
    let server = serve_archive(Answer::status(200).body(ARCHIVE)).await;
    let file = tempfile::tempdir().unwrap().path().join("gone/a.crate");
    let error = registry(&server).download(&published(ARCHIVE_SHA256), &file).await.unwrap_err();
    assert_eq!(error.to_string(), format!("cannot write {}", file.display()));
}

#[tokio::test]
async fn an_archive_that_breaks_off_is_gone_on_with() {
    let mut asked = 0;
    let server = serve(move |request| {
        if request.path == "/config.json" {
            let host = request.header("host").unwrap();
            return Answer::status(200).body(format!(r#"{{"dl":"http://{host}/{{crate}}.crate"}}"#));
        }
        asked += 1;
        match (asked, request.header("range")) {
            (1, None) => Answer::status(200).header("etag", "\"1\"").body(ARCHIVE).cut(4, End::Fin),
            (2, Some("bytes=4-")) => {
                Answer::status(206).header("etag", "\"1\"").header("content-range", "bytes 4-9/10").body(&ARCHIVE[4..])
            }
            _ => Answer::status(400),
        }
    })
    .await;
    let (length, held) = download(&server, &published(ARCHIVE_SHA256)).await;
    assert_eq!((length.unwrap(), held.as_str()), (10, ARCHIVE));
}

#[tokio::test]
async fn a_password_in_a_dl_that_makes_no_url_is_not_told() {
    let config = r#"{"dl":"http://u:SECRETPW@[bad/x"}"#;
    let server = serve(move |_| Answer::status(200).body(config)).await;
    let (error, held) = download(&server, &published(ARCHIVE_SHA256)).await;
    let told = r#"dl makes "...@[bad/x/a/1.0.0+b/download", which is no URL: invalid IPv6 address"#;
    let told = format!("{}/ cannot be read: {told}", server.url());
    assert_eq!((error.unwrap_err().to_string(), held.as_str()), (told, "before"));
}

#[tokio::test]
async fn a_row_without_a_checksum_has_no_archive_that_could_be_verified() {
    let server = serve_archive(Answer::status(200).body(ARCHIVE)).await;
    for (cksum, told) in [
        ("", "sha256 has 64 hexadecimal digits, not 0"),
        ("00", "sha256 has 64 hexadecimal digits, not 2"),
        ("x", "a digest has hexadecimal digits only"),
    ] {
        let (error, held) = download(&server, &published(cksum)).await;
        let told = format!("{}/ cannot be read: cksum of a 1.0.0+b: {told}", server.url());
        assert_eq!((error.unwrap_err().to_string(), held.as_str()), (told, "before"));
    }
}
