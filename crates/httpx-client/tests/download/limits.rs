//! What bounds a download.

use httpx_client::ErrorKind;
use httpx_client::httpx_retry::{FailureKind, Reason, Rule};
use httpx_faults::{Answer, End, Fault, Script, Server};

use crate::support::{SHORT, blob, content, cut_after, folder, from, names, quick, ranges, rest_from, whole};

#[tokio::test]
async fn a_body_that_stalls_ends_by_the_limit_that_is_set_and_leaves_nothing() {
    let rows = [
        ("attempt", quick().timeout(SHORT), FailureKind::RequestTimeout, Reason::MayBeWorking),
        ("read", quick().read_timeout(SHORT), FailureKind::ReadTimeout, Reason::MayBeWorking),
        ("deadline", quick().deadline(SHORT), FailureKind::Deadline, Reason::Deadline),
    ];
    for (name, builder, kind, reason) in rows {
        let server = Server::start(Script::always(whole().cut(500, End::Silence))).await.unwrap();
        let (folder, target) = folder();
        let error = builder.build().unwrap().get(server.url()).download_to(&target).await.unwrap_err();
        assert_eq!((error.kind(), error.bytes_received()), (ErrorKind::Failure(kind), 500), "{name}");
        assert_eq!((error.attempts().unwrap().stop_reason(), names(&folder)), (&reason, vec![]), "{name}");
    }
}

#[tokio::test]
async fn a_rule_that_retries_timeouts_goes_on_from_what_came_and_the_deadline_bounds_it_all() {
    let stall = |answer: Answer| answer.cut(100, End::Silence);
    let resuming = || quick().rule(Rule::any_io_error()).read_timeout(SHORT);
    let server =
        Server::start(Script::first(stall(whole())).then(stall(rest_from(100))).then(rest_from(200))).await.unwrap();
    let (_folder, target) = folder();
    resuming().build().unwrap().get(server.url()).download_to(&target).await.unwrap();
    assert_eq!((content(&target), ranges(&server)), (blob(), vec![None, from(100), from(200)]));

    // After the first part nothing more comes, however often it is asked for.
    let server = Server::start(Script::first(stall(whole())).then(Fault::NeverAnswer)).await.unwrap();
    let stubborn = resuming().max_attempts(1000.try_into().unwrap()).deadline(SHORT * 10).build().unwrap();
    let error = stubborn.get(server.url()).download_to(&target).await.unwrap_err();
    assert_eq!((error.kind(), ranges(&server)[1].clone()), (ErrorKind::Failure(FailureKind::Deadline), from(100)));
    assert!(error.elapsed() < SHORT * 50, "{error}");
}

#[tokio::test]
async fn an_end_that_is_missing_after_the_last_byte_is_no_loss() {
    // Chunks without the one that ends them, of a body whose length is known from its range.
    let script = Script::first(cut_after(500)).then(rest_from(500).chunked().cut(500, End::Fin));
    let server = Server::start(script).await.unwrap();
    let (_folder, target) = folder();
    let saved = quick().build().unwrap().get(server.url()).download_to(&target).await.unwrap();
    assert_eq!((content(&target), saved.attempts().count()), (blob(), 2));
}
