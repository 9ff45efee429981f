//! What the client knows about each fault: kind, phase, sent, and how often the server was contacted.

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::support::{FAIR, LONG, SHORT, quick, trusting};
use http::Method;
use httpx_client::httpx_retry::{FailureKind as Kind, Phase, Sent};
use httpx_client::reqwest::dns::{Addrs, Name, Resolve, Resolving};
use httpx_client::{AttemptRecord, Client, ClientBuilder, Ended, ErrorKind, HttpVersion};
use httpx_faults::{Answer, Fault, Script, Server, UNKNOWN_HOST};

/// One claim: a POST that meets `fault` once ends its first attempt like this.
struct Row {
    fault: Fault,
    kinds: &'static [Kind],
    phase: Phase,
    sent: Sent,
}

const fn row(fault: Fault, kind: &'static Kind, phase: Phase, sent: Sent) -> Row {
    Row { fault, kinds: std::slice::from_ref(kind), phase, sent }
}

/// Over HTTP/2 the client may be writing when the server closes, and the kernel then calls it a reset.
const fn close(fault: Fault, phase: Phase, sent: Sent) -> Row {
    Row { fault, kinds: &[Kind::Closed, Kind::Truncated, Kind::Reset], phase, sent }
}

async fn check(rows: Vec<Row>, start: impl AsyncFn(Script) -> (Server, ClientBuilder)) {
    for Row { fault, kinds, phase, sent } in rows {
        let name = fault.name();
        let (server, builder) = start(Script::always(fault)).await;
        let client = builder.max_attempts(1.try_into().unwrap()).build().unwrap();
        let got = client.post(server.url_at("/jobs")).body("x").fetch_bytes().await;
        let error = got.expect_err(name);
        let first = error.attempts().expect(name).last().clone();
        let Ended::Failure(failure) = first.ended else { panic!("{name}: {first:?}") };
        assert!(kinds.contains(&failure.kind), "{name}: {error:?}");
        assert_eq!((failure.phase, first.sent), (phase, sent), "{name}: {error:?}");
    }
}

#[tokio::test]
async fn every_fault_of_plain_http_is_told_by_kind_phase_and_sent() {
    use Sent::{Maybe, No};
    let rows = vec![
        row(Fault::Refused, &Kind::Refused, Phase::Connect, No),
        row(Fault::CloseAfterRequest, &Kind::Closed, Phase::Answer, Maybe),
        row(Fault::ResetAfterRequest, &Kind::Reset, Phase::Answer, Maybe),
        row(Fault::AppliedThenReset, &Kind::Reset, Phase::Answer, Maybe),
        row(Fault::Garbage, &Kind::Garbage, Phase::Answer, Maybe),
        row(Fault::HalfBodyFin, &Kind::Truncated, Phase::Body, Maybe),
        row(Fault::HalfBodyReset, &Kind::Reset, Phase::Body, Maybe),
        row(Fault::ChunkedCut, &Kind::Truncated, Phase::Body, Maybe),
    ];
    check(rows, async |script| (Server::start(script).await.unwrap(), quick())).await;
}

#[tokio::test]
async fn timeouts_tell_whether_anything_was_sent() {
    use Sent::{Maybe, No};
    let rows = vec![
        row(Fault::BlackHole, &Kind::RequestTimeout, Phase::Connect, No),
        row(Fault::NeverAnswer, &Kind::RequestTimeout, Phase::Answer, Maybe),
        row(Fault::AppliedThenHang, &Kind::RequestTimeout, Phase::Answer, Maybe),
        row(Fault::HeadersThenStall(500), &Kind::RequestTimeout, Phase::Body, Maybe),
    ];
    let limited = async |script| (Server::start(script).await.unwrap(), quick().timeout(SHORT));
    check(rows, limited).await;

    let rows = vec![row(Fault::BlackHole, &Kind::ConnectTimeout, Phase::Connect, No)];
    check(rows, async |script| (Server::start(script).await.unwrap(), quick().connect_timeout(SHORT))).await;

    let rows = vec![
        row(Fault::NeverAnswer, &Kind::ReadTimeout, Phase::Answer, Maybe),
        row(Fault::HeadersThenStall(500), &Kind::ReadTimeout, Phase::Body, Maybe),
    ];
    check(rows, async |script| (Server::start(script).await.unwrap(), quick().read_timeout(SHORT))).await;

    let rows = vec![
        row(Fault::BlackHole, &Kind::Deadline, Phase::Connect, No),
        row(Fault::NeverAnswer, &Kind::Deadline, Phase::Answer, Maybe),
        row(Fault::HeadersThenStall(500), &Kind::Deadline, Phase::Body, Maybe),
    ];
    check(rows, async |script| (Server::start(script).await.unwrap(), quick().deadline(SHORT).timeout(LONG))).await;
}

#[tokio::test]
async fn faults_of_tls_are_told_apart_from_certificates() {
    use Sent::{Maybe, No};
    let rows = vec![
        row(Fault::BadCertificate, &Kind::Certificate, Phase::Tls, No),
        row(Fault::TlsReset, &Kind::TlsHandshake, Phase::Tls, No),
        row(Fault::AcceptThenClose, &Kind::TlsHandshake, Phase::Tls, No),
        row(Fault::TlsStall, &Kind::RequestTimeout, Phase::Connect, No),
        row(Fault::NeverAnswer, &Kind::RequestTimeout, Phase::Answer, Maybe),
        row(Fault::ResetAfterRequest, &Kind::Reset, Phase::Answer, Maybe),
    ];
    let secure = async |script| {
        let server = Server::tls(script).await.unwrap();
        let builder = trusting(quick(), &server).timeout(FAIR);
        (server, builder)
    };
    check(rows, secure).await;
}

#[tokio::test]
async fn http2_tells_what_the_server_says_of_a_stream() {
    use Sent::{Maybe, NotProcessed};
    let rows = vec![
        row(Fault::RefusedStream, &Kind::StreamRefused, Phase::Answer, NotProcessed),
        row(Fault::InternalError, &Kind::StreamReset, Phase::Answer, Maybe),
        row(Fault::GoAwayUnprocessed, &Kind::GoAway, Phase::Answer, NotProcessed),
        close(Fault::GoAwayProcessed, Phase::Answer, Maybe),
        row(Fault::NeverAnswer, &Kind::RequestTimeout, Phase::Answer, Maybe),
        close(Fault::CloseAfterRequest, Phase::Answer, Maybe),
        row(Fault::ResetAfterRequest, &Kind::Reset, Phase::Answer, Maybe),
        close(Fault::HalfBodyFin, Phase::Body, Maybe),
        row(Fault::BlackHole, &Kind::RequestTimeout, Phase::Connect, Sent::No),
    ];
    let h2 = async |script| (Server::h2(script).await.unwrap(), quick().http_version(HttpVersion::Http2).timeout(FAIR));
    check(rows, h2).await;
}

#[tokio::test]
async fn a_connection_that_ends_at_once_is_retried_whatever_was_noticed_first() {
    for fault in [Fault::AcceptThenClose, Fault::AcceptThenReset] {
        let server = Server::start(Script::first(fault).times(2).then(Fault::Ok)).await.unwrap();
        let answer = quick().build().unwrap().post(server.url()).body("x").fetch_bytes().await.unwrap();
        assert_eq!((answer.attempts().count(), server.journal().complete()), (3, 1));
    }
}

#[tokio::test]
async fn an_unknown_host_was_sent_nothing() {
    let client = quick().max_attempts(1.try_into().unwrap()).build().unwrap();
    let error = client.request(Method::GET, format!("http://{UNKNOWN_HOST}/")).send().await.unwrap_err();
    let last = error.attempts().unwrap().last();
    assert_eq!(last.failure().unwrap().kind, Kind::UnknownHost, "{error:?}");
    assert_eq!((last.failure().unwrap().phase, last.sent), (Phase::Resolve, Sent::No));
}

#[tokio::test]
async fn a_pooled_connection_that_went_stale_is_told_by_what_the_server_read() {
    for (fault, kind) in [(Fault::InUseFin, Kind::Closed), (Fault::InUseReset, Kind::Reset)] {
        let server = Server::start(Script::always(fault)).await.unwrap();
        let client = quick().max_attempts(1.try_into().unwrap()).build().unwrap();
        client.get(server.url()).fetch_bytes().await.unwrap();
        let error = client.post(server.url()).body("x").send().await.unwrap_err();
        let last = error.attempts().unwrap().last();
        assert_eq!((last.failure().unwrap().kind, last.sent), (kind, Sent::Maybe));
        assert_eq!(server.journal().complete(), 2);
    }
}

#[tokio::test]
async fn a_connection_that_closed_while_idle_costs_nothing() {
    for fault in [Fault::IdleFin, Fault::IdleReset] {
        let server = Server::start(Script::always(fault)).await.unwrap();
        let client = quick().build().unwrap();
        for _ in 0..3 {
            let answer = client.post(server.url()).body("x").fetch_bytes().await.unwrap();
            assert_eq!(answer.status().as_u16(), 200);
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        assert_eq!(server.journal().complete(), 3);
    }
}

/// Asks a server over HTTP before it says that there is no such name.
struct AskingResolver {
    by: Client,
    whom: String,
}

impl Resolve for AskingResolver {
    fn resolve(&self, _: Name) -> Resolving {
        let asked = self.by.get(&self.whom).fetch_text();
        Box::pin(async move {
            asked.await?;
            Err("no such name".into())
        })
    }
}

/// Gives these answers in turn, the last one for ever.
struct Flapping {
    answers: Vec<Option<SocketAddr>>,
    asked: AtomicUsize,
}

impl Resolve for Flapping {
    fn resolve(&self, _: Name) -> Resolving {
        let at = self.asked.fetch_add(1, Ordering::Relaxed).min(self.answers.len() - 1);
        let found = self.answers[at].ok_or("no such name");
        Box::pin(async move { Ok(Box::new(std::iter::once(found?)) as Addrs) })
    }
}

#[tokio::test]
async fn a_name_that_comes_and_goes_is_asked_for_by_every_attempt_and_nothing_is_sent_twice() {
    // It closes the connection, so that the next attempt has to ask for the name.
    let old = Server::start(Script::always(Answer::status(503).header("connection", "close"))).await.unwrap();
    let new = Server::start(Script::always(Fault::Ok)).await.unwrap();
    let shut = Server::showing(Fault::Refused).await.unwrap();
    let [at_old, at_new, at_shut] = [&old, &new, &shut].map(|server| Some(server.address()));
    let answers = vec![None, at_old, None, at_shut, at_new];
    let resolver = Arc::new(Flapping { answers, asked: AtomicUsize::new(0) });
    let client = quick().max_attempts(9.try_into().unwrap());
    let client = client.customise_reqwest(|reqwest| reqwest.dns_resolver(resolver)).build().unwrap();
    let answer = client.post("http://host.test/").body("x").fetch_bytes().await.unwrap();
    let told = |attempt: &AttemptRecord| (attempt.failure().map(|failure| failure.kind), attempt.sent);
    let unknown = (Some(Kind::UnknownHost), Sent::No);
    assert_eq!(
        answer.attempts().iter().map(told).collect::<Vec<_>>(),
        [unknown, (None, Sent::Maybe), unknown, (Some(Kind::Refused), Sent::No), (None, Sent::Maybe)]
    );
    assert_eq!((old.journal().complete(), new.journal().complete()), (1, 1));
}

#[tokio::test]
async fn an_exchange_within_another_one_hides_nothing_from_it() {
    let server = Server::start(Script::always(Fault::Ok)).await.unwrap();
    let resolver = Arc::new(AskingResolver { by: quick().build().unwrap(), whom: server.url() });
    let client = quick().customise_reqwest(|reqwest| reqwest.dns_resolver(resolver)).build().unwrap();
    let error = client.post("http://host.test/").body("x").max_attempts(NonZeroU32::MIN).send().await.unwrap_err();
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Failure(Kind::UnknownHost), Sent::No), "{error:?}");
    assert_eq!(server.journal().complete(), 1);
}

#[tokio::test]
async fn a_limit_that_has_passed_already_sends_nothing() {
    let server = Server::start(Script::always(Fault::Ok)).await.unwrap();
    let client = quick().max_attempts(NonZeroU32::MIN).build().unwrap();
    client.get(server.url()).fetch_bytes().await.unwrap(); // So that there is a connection to send it on.
    let rows = [
        (Kind::RequestTimeout, client.post(server.url()).timeout(Duration::ZERO)),
        (Kind::ReadTimeout, client.post(server.url()).read_timeout(Duration::ZERO)),
        (Kind::Deadline, client.post(server.url()).deadline(Duration::ZERO)),
    ];
    for (kind, request) in rows {
        let error = request.body("x").send().await.unwrap_err();
        assert_eq!((error.kind(), error.sent()), (ErrorKind::Failure(kind), Sent::No));
    }
    assert_eq!(server.journal().recorded(), 1);
}

#[tokio::test]
async fn a_head_that_is_too_large_is_http_and_final() {
    let many = (0..200).fold(Answer::ok(), |answer, n| answer.header(format!("x-{n}"), "y"));
    let server = Server::start(Script::always(many)).await.unwrap();
    let error = quick().build().unwrap().post(server.url()).body("x").send().await.unwrap_err();
    assert_eq!((error.kind(), error.attempts().unwrap().count()), (ErrorKind::Failure(Kind::HeadTooLarge), 1));
}

#[tokio::test]
async fn of_two_limits_that_elapse_together_the_deadline_has_the_last_word() {
    let server = Server::start(Script::always(Fault::NeverAnswer)).await.unwrap();
    let request = quick().build().unwrap().get(server.url());
    let error = request.timeout(SHORT).deadline(SHORT).send().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Failure(Kind::Deadline));
}
