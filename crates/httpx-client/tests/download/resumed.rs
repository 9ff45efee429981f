//! A body that breaks off goes on from where it broke off, if it is still the same one.

use httpx_client::httpx_retry::FailureKind;
use httpx_client::{Client, Ended};
use httpx_faults::{Answer, End, Fault, Script, Server};

use crate::support::{LENGTH, TAG, blob, client, content, cut_after, folder, from, ranges, rest_from, whole};

/// Downloads once; the file must hold the body in the end.
async fn saved(client: &Client, server: &Server) -> httpx_client::Response<httpx_client::Downloaded> {
    let (_folder, target) = folder();
    let saved = client.get(server.url()).download_to(&target).await.unwrap();
    assert!(content(&target) == blob());
    saved
}

#[tokio::test]
async fn what_came_is_kept_between_attempts_however_the_body_breaks_off() {
    for end in [End::Fin, End::Reset] {
        let script = Script::first(whole().cut(300, end)).then(rest_from(300).cut(300, end)).then(rest_from(600));
        let server = Server::start(script).await.unwrap();
        let saved = saved(&client(), &server).await;
        assert_eq!(ranges(&server), [None, from(300), from(600)]);
        let validators: Vec<_> =
            server.journal().requests().iter().map(|r| r.header("if-range").map(str::to_owned)).collect();
        assert_eq!(validators, [None, Some(TAG.to_owned()), Some(TAG.to_owned())]);
        let story: Vec<_> = saved.attempts().iter().map(|attempt| attempt.ended).collect();
        assert!(matches!(story[..], [Ended::Failure(_), Ended::Failure(_), Ended::Answer(_)]), "{story:?}");
    }
}

#[tokio::test]
async fn other_failures_in_between_leave_what_came_alone() {
    let between: [Fault; 3] = [Fault::status(503).into(), Fault::CloseAfterRequest, Fault::AcceptThenClose];
    for fault in between {
        let name = fault.name();
        let server = Server::start(Script::first(cut_after(500)).then(fault).then(rest_from(500))).await.unwrap();
        let saved = saved(&client(), &server).await;
        assert_eq!((saved.attempts().count(), ranges(&server).last().unwrap()), (3, &from(500)), "{name}");
    }
}

/// A first answer with these fields breaks off; what does the second request ask for?
#[tokio::test]
async fn only_a_strong_validator_lets_the_rest_be_asked_for() {
    const DAY: &str = "Wed, 21 Oct 2015 07:28:00 GMT";
    const NEXT_SECOND: &str = "Wed, 21 Oct 2015 07:28:01 GMT";
    type Row = (&'static [(&'static str, &'static str)], Option<&'static str>);
    let rows: &[Row] = &[
        (&[("etag", "\"v1\"")], Some("\"v1\"")),
        (&[("etag", "\"v1\""), ("last-modified", DAY), ("date", NEXT_SECOND)], Some("\"v1\"")),
        (&[("last-modified", DAY), ("date", NEXT_SECOND)], Some(DAY)),
        (&[], None),
        (&[("etag", "W/\"v1\"")], None),
        (&[("etag", "W/\"v1\""), ("last-modified", DAY), ("date", NEXT_SECOND)], None),
        (&[("etag", "v1")], None),
        (&[("last-modified", DAY)], None),
        (&[("last-modified", DAY), ("date", DAY)], None),
        (&[("last-modified", "yesterday"), ("date", DAY)], None),
        (&[("etag", "\"v1\""), ("accept-ranges", "none")], None),
        (&[("etag", "\"v1\""), ("accept-ranges", "bytes")], Some("\"v1\"")),
    ];
    for (fields, validator) in rows {
        let with = |answer: Answer| fields.iter().fold(answer, |answer, (name, value)| answer.header(*name, *value));
        let first = with(Answer::status(200).body(blob())).cut(500, End::Fin);
        let second = if validator.is_some() { rest_from(500) } else { whole() };
        let server = Server::start(Script::first(first).then(second)).await.unwrap();
        saved(&client(), &server).await;
        let second = server.journal().requests().pop().unwrap();
        assert_eq!(
            (second.header("range").is_some(), second.header("if-range")),
            (validator.is_some(), *validator),
            "{fields:?}"
        );
    }
}

/// What the rest is answered with, and what is asked for then.
#[tokio::test]
async fn an_answer_that_does_not_go_on_from_here_starts_the_body_over() {
    let part = |range: &str, from: usize| {
        Answer::status(206).header("etag", TAG).header("content-range", range).body(blob()[from..].to_vec())
    };
    let bare = Answer::status(206).header("etag", TAG).body(blob()[500..].to_vec());
    let other = Answer::status(206).header("etag", "\"v2\"").header("content-range", "bytes 500-999/1000");
    let again = vec![None, from(500), None];
    let goes_on = vec![None, from(500)];
    let rows = [
        ("the rest", rest_from(500), goes_on.clone()),
        ("the rest of an unknown length", part("bytes 500-999/*", 500), goes_on.clone()),
        ("the body has changed, or the server has no ranges", whole(), goes_on.clone()),
        ("another place", part("bytes 400-999/1000", 400), again.clone()),
        ("another length", part("bytes 500-999/1001", 500), again.clone()),
        ("another version", other.body(vec![0; 500]), again.clone()),
        ("no place", bare.clone(), again.clone()),
        ("no bytes", part("items 500-999/1000", 500), again.clone()),
        ("several parts", bare.header("content-type", "multipart/byteranges; boundary=x"), again.clone()),
        ("upside down", part("bytes 500-400/1000", 500), again.clone()),
        ("beyond its end", part("bytes 500-1000/1000", 500), again.clone()),
        ("not satisfiable", Answer::status(416).header("content-range", "bytes */500"), again.clone()),
    ];
    for (name, answer, expected) in rows {
        let server = Server::start(Script::first(cut_after(500)).then(answer).then(whole())).await.unwrap();
        let saved = saved(&client(), &server).await;
        assert_eq!(ranges(&server), expected, "{name}");
        assert_eq!(saved.attempts().count(), 2, "{name}: asking for all of it belongs to the attempt");
    }
}

#[tokio::test]
async fn a_body_that_changed_is_the_new_one_throughout() {
    // Shorter than what had come of the old one.
    let new = vec![b'n'; 300];
    let changed = || Answer::status(200).header("etag", "\"v2\"").body(new.clone());
    let rest = Answer::status(206)
        .header("etag", "\"v2\"")
        .header("content-range", "bytes 200-299/300")
        .body(new[200..].to_vec());
    let script = Script::first(cut_after(500)).then(changed().cut(200, End::Fin)).then(rest);
    let server = Server::start(script).await.unwrap();
    let (_folder, target) = folder();
    let saved = client().get(server.url()).download_to(&target).await.unwrap();
    assert_eq!((content(&target), saved.body().bytes), (new.clone(), 300));
    assert_eq!(ranges(&server), [None, from(500), from(200)]);
    assert_eq!(server.journal().requests()[2].header("if-range"), Some("\"v2\""));
}

#[tokio::test]
async fn a_server_that_sends_less_than_it_was_asked_for_is_asked_for_the_rest() {
    let some = Answer::status(206)
        .header("etag", TAG)
        .header("content-range", "bytes 500-699/1000")
        .body(blob()[500..700].to_vec());
    let server = Server::start(Script::first(cut_after(500)).then(some).then(rest_from(700))).await.unwrap();
    let saved = saved(&client(), &server).await;
    assert_eq!(ranges(&server), [None, from(500), from(700)]);
    let second = saved.attempts().iter().nth(1).unwrap().failure().unwrap();
    assert_eq!(second.kind, FailureKind::Truncated);
}

#[tokio::test]
async fn a_redirect_is_followed_with_the_range() {
    let mut asked = 0;
    let script = Script::by_request(move |request| {
        if request.path == "/dl" {
            asked += 1;
            return Fault::Redirect(302, format!("/blob?sig={asked}"));
        }
        if request.header("range") == Some("bytes=500-") { rest_from(500).into() } else { cut_after(500).into() }
    });
    let server = Server::start(script).await.unwrap();
    let (_folder, target) = folder();
    client().get(server.url_at("/dl")).download_to(&target).await.unwrap();
    let paths: Vec<_> = server.journal().requests().into_iter().map(|request| request.path).collect();
    assert_eq!((content(&target), paths.join(" ").as_str()), (blob(), "/dl /blob?sig=1 /dl /blob?sig=2"));
}

#[tokio::test]
async fn a_method_without_ranges_starts_over() {
    let server = Server::start(Script::first(cut_after(500)).then(whole())).await.unwrap();
    let (_folder, target) = folder();
    client().post(server.url()).body("x").download_to(&target).await.unwrap();
    assert_eq!((content(&target).len(), ranges(&server)), (LENGTH, vec![None, None]));
}

#[tokio::test]
async fn attempts_end_when_the_policy_says_so_and_tell_how_far_it_came() {
    let script = Script::first(cut_after(100)).then(rest_from(100).cut(100, End::Fin)).then(Fault::CloseAfterRequest);
    let server = Server::start(script).await.unwrap();
    let (_folder, target) = folder();
    let client = crate::support::quick().max_attempts(2.try_into().unwrap()).build().unwrap();
    let error = client.get(server.url()).download_to(&target).await.unwrap_err();
    assert_eq!((error.bytes_received(), error.attempts().unwrap().count(), target.exists()), (200, 2, false));
    assert!(error.to_string().contains("body ended early while reading the body, 200 bytes received"), "{error}");
}

/// `*` for its length, and no length before: nobody can tell whether the part reaches the end.
#[tokio::test]
async fn a_part_of_a_body_whose_length_nobody_tells_is_not_taken_for_its_rest() {
    let unknown = Answer::status(200).header("etag", TAG).body(blob()).chunked().cut(500, End::Fin);
    let some = Answer::status(206)
        .header("etag", TAG)
        .header("content-range", "bytes 500-699/*")
        .body(blob()[500..700].to_vec());
    let server = Server::start(Script::first(unknown).then(some).then(whole())).await.unwrap();
    saved(&client(), &server).await;
    assert_eq!(ranges(&server), [None, from(500), None]);
}
