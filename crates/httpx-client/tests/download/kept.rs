//! Downloads that go on after their process has ended.

use std::path::Path;

use httpx_client::{Download, ErrorKind};
use httpx_faults::{Answer, Script, Server};

use crate::support::{
    LENGTH, blob, client, content, cut_after, folder, from, names, quick, ranges, rest_from, sha256, whole,
};

/// One attempt, and no more.
fn once(server: &Server, path: &str, target: &Path) -> Download {
    let client = quick().max_attempts(1.try_into().unwrap()).build().unwrap();
    client.get(server.url_at(path)).download_to(target).resumable()
}

#[tokio::test]
async fn what_came_is_kept_for_the_next_download_which_tidies_up() {
    let server = Server::start(
        Script::first(cut_after(400)).then(rest_from(400).cut(200, httpx_faults::End::Fin)).then(rest_from(600)),
    )
    .await
    .unwrap();
    let (folder, target) = folder();
    for have in [400, 600] {
        once(&server, "/", &target).await.unwrap_err();
        assert_eq!(names(&folder), ["blob.part", "blob.part.json"]);
        assert_eq!(content(&folder.path().join("blob.part")), blob()[..have]);
    }
    once(&server, "/", &target).await.unwrap();
    assert_eq!((content(&target), names(&folder)), (blob(), vec!["blob".to_owned()]));
    assert_eq!(ranges(&server), [None, from(400), from(600)]);
    assert_eq!(server.journal().requests()[2].header("if-range"), Some("\"v1\""));
}

#[tokio::test]
async fn what_is_of_another_url_or_not_to_be_read_is_not_gone_on_from() {
    let (folder, target) = folder();
    let (part, note) = (folder.path().join("blob.part"), folder.path().join("blob.part.json"));
    type Row<'a> = (&'a str, &'a dyn Fn(), &'a str, Option<String>);
    let inject = || {
        let told = std::fs::read_to_string(&note).unwrap();
        std::fs::write(&note, told.replace("v1", "v1\\r\\nx: y")).unwrap();
    };
    let rows: [Row<'_>; 7] = [
        ("another path", &|| (), "/other", None),
        ("another query", &|| (), "/blob?sig=2", None),
        ("the same", &|| (), "/blob?sig=1", from(400)),
        ("no note", &|| std::fs::remove_file(&note).unwrap(), "/blob?sig=1", None),
        ("half a note", &|| std::fs::write(&note, "{\"url\":").unwrap(), "/blob?sig=1", None),
        ("a note with a line break", &inject, "/blob?sig=1", None),
        ("nothing came", &|| std::fs::write(&part, "").unwrap(), "/blob?sig=1", None),
    ];
    for (name, spoil, path, asked) in rows {
        let second = if asked.is_some() { rest_from(400) } else { whole() };
        let server = Server::start(Script::first(cut_after(400)).then(second)).await.unwrap();
        once(&server, "/blob?sig=1", &target).await.unwrap_err();
        let told = std::fs::read_to_string(&note).unwrap();
        assert!(!told.contains("sig"), "{told}");
        spoil();
        once(&server, path, &target).await.unwrap();
        assert_eq!(
            (content(&target), ranges(&server)[1].clone(), names(&folder)),
            (blob(), asked, vec!["blob".to_owned()]),
            "{name}"
        );
    }
}

#[tokio::test]
async fn a_digest_covers_what_an_earlier_download_left_and_what_is_wrong_is_not_kept() {
    let (folder, target) = folder();
    for (wanted, good) in [(blob(), true), (b"other".to_vec(), false)] {
        std::fs::remove_file(&target).ok();
        let server = Server::start(Script::first(cut_after(400)).then(rest_from(400))).await.unwrap();
        once(&server, "/", &target).verify(sha256(&wanted)).await.unwrap_err();
        let got = once(&server, "/", &target).verify(sha256(&wanted)).await;
        assert_eq!((got.is_ok(), ranges(&server)), (good, vec![None, from(400)]));
        assert_eq!(names(&folder), if good { vec!["blob".to_owned()] } else { vec![] });
    }
}

#[tokio::test]
async fn two_downloads_to_one_file_do_not_mix() {
    let server = Server::start(Script::always(whole().cut(500, httpx_faults::End::Silence))).await.unwrap();
    let (_folder, target) = folder();
    let (told, halfway) = tokio::sync::oneshot::channel();
    let mut told = Some(told);
    let first = client().get(server.url()).download_to(&target).resumable().on_progress(move |progress| {
        if progress.bytes == 500 {
            told.take().map(|told| told.send(()));
        }
    });
    let first = tokio::spawn(first.into_future());
    halfway.await.unwrap();
    let error = once(&server, "/", &target).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::File);
    assert!(error.to_string().ends_with("blob: another download is writing it"), "{error}");
    first.abort();
    first.await.unwrap_err();
}

#[tokio::test]
async fn a_body_without_a_validator_is_kept_for_nobody() {
    let bare = Answer::status(200).body(blob());
    let server = Server::start(Script::first(bare.clone().cut(400, httpx_faults::End::Fin)).then(bare)).await.unwrap();
    let (folder, target) = folder();
    once(&server, "/", &target).await.unwrap_err();
    assert_eq!(names(&folder), Vec::<String>::new());
    once(&server, "/", &target).await.unwrap();
    assert_eq!(
        (content(&target), ranges(&server), names(&folder)),
        (blob(), vec![None, None], vec!["blob".to_owned()])
    );
}

/// As after a kill between the last byte and the name.
#[tokio::test]
async fn what_came_whole_is_not_fetched_again_and_what_is_too_long_is() {
    for (have, asked) in [(blob(), from(LENGTH - 1)), ([blob(), b"x".to_vec()].concat(), None)] {
        let second = if asked.is_some() { rest_from(LENGTH - 1) } else { whole() };
        let server = Server::start(Script::first(cut_after(400)).then(second)).await.unwrap();
        let (folder, target) = folder();
        once(&server, "/", &target).await.unwrap_err();
        std::fs::write(folder.path().join("blob.part"), have).unwrap();
        once(&server, "/", &target).verify(sha256(&blob())).await.unwrap();
        assert_eq!((content(&target), ranges(&server)), (blob(), vec![None, asked]));
    }
}

#[cfg(unix)]
#[tokio::test]
async fn what_another_has_put_where_the_part_would_be_is_left_alone() {
    let server = Server::start(Script::always(whole())).await.unwrap();
    let (folder, target) = folder();
    let (precious, part) = (folder.path().join("precious"), folder.path().join("blob.part"));
    std::fs::write(&precious, "precious").unwrap();
    std::os::unix::fs::symlink(&precious, &part).unwrap();
    let error = once(&server, "/", &target).await.unwrap_err();
    assert!(error.to_string().ends_with("blob: blob.part is there and not a regular file"), "{error}");
    assert_eq!((content(&precious), server.journal().connects()), (b"precious".to_vec(), 0));
}

#[tokio::test]
async fn a_body_that_is_announced_too_long_is_not_waited_for_and_what_came_of_it_is_not_kept() {
    let silent = rest_from(400).cut(0, httpx_faults::End::Silence);
    let server = Server::start(Script::first(cut_after(400)).then(silent)).await.unwrap();
    let (folder, target) = folder();
    once(&server, "/", &target).await.unwrap_err();
    let second = once(&server, "/", &target).at_most(500).into_future();
    let error = tokio::time::timeout(std::time::Duration::from_secs(20), second).await.unwrap().unwrap_err();
    assert_eq!((error.kind(), names(&folder)), (ErrorKind::TooLarge, vec![]));
}
