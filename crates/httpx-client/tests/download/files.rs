//! The file is there whole or not at all, and mistakes of the place are told by its name.

use httpx_client::httpx_retry::Sent;
use httpx_client::{Error, ErrorKind};
use httpx_faults::{Answer, Fault, Script, Server};

use crate::support::{blob, client, content, cut_after, folder, names, whole};

#[tokio::test]
async fn a_body_ends_up_in_its_file_with_one_plain_request() {
    let server = Server::start(Script::always(whole())).await.unwrap();
    let (folder, target) = folder();
    let saved = client().get(server.url()).download_to(&target).await.unwrap();
    assert_eq!((content(&target), names(&folder)), (blob(), vec!["blob".to_owned()]));
    assert_eq!((saved.body().bytes, &saved.body().path, saved.status().as_u16()), (1000, &target, 200));
    let request = &server.journal().requests()[0];
    let fields = ["accept-encoding", "range", "if-range"].map(|name| request.header(name));
    assert_eq!((fields, server.journal().complete()), ([Some("identity"), None, None], 1));
}

#[tokio::test]
async fn a_body_of_any_framing_and_length_is_stored_as_it_comes() {
    let rows = [
        ("empty", Answer::status(200), vec![]),
        ("no content", Answer::status(204), vec![]),
        ("chunked", Answer::status(200).body(blob()).chunked(), blob()),
        (
            "encoded all the same",
            Answer::status(200).header("content-encoding", "gzip").body("\x1f\u{8b}"),
            "\x1f\u{8b}".into(),
        ),
        ("large", Answer::status(200).body(vec![7; 3 << 20]), vec![7; 3 << 20]),
    ];
    for (name, answer, expected) in rows {
        let server = Server::start(Script::always(answer)).await.unwrap();
        let (_folder, target) = folder();
        client().get(server.url()).download_to(&target).await.expect(name);
        assert!(content(&target) == expected, "{name}");
    }
}

#[tokio::test]
async fn an_older_file_stays_until_the_new_one_is_whole() {
    let server = Server::start(Script::first(cut_after(500)).times(5).then(whole())).await.unwrap();
    let (folder, target) = folder();
    std::fs::write(&target, "old").unwrap();
    client().get(server.url()).download_to(&target).await.unwrap_err();
    assert_eq!((content(&target), names(&folder)), (b"old".to_vec(), vec!["blob".to_owned()]));
    client().get(server.url()).download_to(&target).await.unwrap();
    assert_eq!((content(&target), names(&folder)), (blob(), vec!["blob".to_owned()]));
}

#[tokio::test]
async fn a_download_that_is_given_up_in_the_middle_leaves_nothing() {
    let server = Server::start(Script::always(Fault::HeadersThenStall(500))).await.unwrap();
    let (folder, target) = folder();
    let (told, halfway) = tokio::sync::oneshot::channel();
    let mut told = Some(told);
    let download = client().get(server.url()).download_to(&target).on_progress(move |progress| {
        if progress.bytes == 500 {
            told.take().map(|told| told.send(()));
        }
    });
    let task = tokio::spawn(download.into_future());
    halfway.await.unwrap();
    assert!(!target.exists());
    task.abort();
    task.await.unwrap_err();
    assert_eq!(names(&folder), Vec::<String>::new());
}

#[tokio::test]
async fn a_status_that_is_no_success_is_an_error_and_stores_nothing() {
    let rows = [(404, 1), (416, 1), (304, 1), (206, 1), (503, 5)];
    for (status, attempts) in rows {
        let server = Server::start(Script::always(Answer::status(status).body("not it"))).await.unwrap();
        let (folder, target) = folder();
        let error = client().get(server.url()).download_to(&target).await.unwrap_err();
        assert_eq!(error.status().map(|status| status.as_u16()), Some(status));
        assert_eq!((error.attempts().unwrap().count(), names(&folder)), (attempts, vec![]), "{status}");
    }
}

fn told(error: &Error, expected: &str) {
    assert_eq!(error.kind(), ErrorKind::File, "{error}");
    assert!(error.to_string().contains(expected), "{error}");
}

#[tokio::test]
async fn a_place_that_cannot_be_written_is_named_before_anything_is_sent() {
    let server = Server::start(Script::always(whole())).await.unwrap();
    let (folder, target) = folder();
    std::fs::create_dir(&target).unwrap();
    let missing = folder.path().join("no").join("blob");
    for (path, why) in [(&target, "it is there and not a regular file"), (&missing, "No such file or directory")] {
        for request in
            [client().get(server.url()).download_to(path), client().get(server.url()).download_to(path).resumable()]
        {
            let error = request.await.unwrap_err();
            told(&error, &format!("/: cannot write {}: {why}", path.display()));
            assert!(error.attempts().is_none() && error.sent() == Sent::No, "{error:?}");
        }
    }
    assert_eq!(server.journal().connects(), 0);
    let stands: Vec<_> = std::fs::read_dir(&target).unwrap().collect();
    assert!(stands.is_empty());
}

#[cfg(unix)]
#[tokio::test]
async fn a_place_that_vanishes_is_named_and_no_failure_of_the_network() {
    let server = Server::start(Script::always(whole())).await.unwrap();
    let (folder, _) = folder();
    let inner = folder.path().join("inner");
    std::fs::create_dir(&inner).unwrap();
    let target = inner.join("blob");
    let (gone, path) = (inner.clone(), target.clone());
    let download = client().get(server.url()).download_to(&path).on_progress(move |_| {
        std::fs::remove_dir_all(&gone).ok();
    });
    let error = download.await.unwrap_err();
    told(&error, &format!("cannot write {}: No such file or directory", target.display()));
    assert_eq!((error.attempts().unwrap().count(), server.journal().complete()), (1, 1), "it is not retried");
    let system = std::iter::successors(Some(&error as &dyn std::error::Error), |error| error.source());
    assert!(system.into_iter().any(|error| error.is::<std::io::Error>()));
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_stays_a_link_and_the_file_is_as_open_as_any() {
    use std::os::unix::fs::PermissionsExt as _;
    let server = Server::start(Script::always(whole())).await.unwrap();
    let (folder, target) = folder();
    let (link, ordinary) = (folder.path().join("link"), folder.path().join("ordinary"));
    std::fs::write(&target, "old").unwrap();
    std::fs::write(&ordinary, "").unwrap();
    std::os::unix::fs::symlink(&target, &link).unwrap();
    client().get(server.url()).download_to(&link).await.unwrap();
    assert!(link.is_symlink() && content(&target) == blob());
    let mode = |path| std::fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(&target), mode(&ordinary));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_folder_that_takes_no_file_is_told_by_the_name_that_was_given() {
    let server = Server::start(Script::always(whole())).await.unwrap();
    let error = client().get(server.url()).download_to("/proc/blob").await.unwrap_err();
    told(&error, "cannot write /proc/blob: ");
    assert!(!error.to_string().contains(".httpx-") && server.journal().connects() == 0, "{error}");
}
