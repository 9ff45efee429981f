//! What a proxy that fails means: nothing was sent to the server unless the proxy may have passed it on.

use httpx_client::httpx_retry::{FailureKind as Kind, Phase, Reason, Sent};
use httpx_client::{ClientBuilder, Ended, Error};
use httpx_faults::{Answer, Fault, Script, Server};

use crate::support::{SHORT, through, trusting};

/// Which server is behind the proxy.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Behind {
    Plain,
    Tls,
}

/// One claim: a POST whose proxy shows `fault` at every contact ends like this.
struct Row {
    fault: Fault,
    behind: Behind,
    kind: Kind,
    phase: Phase,
    sent: Sent,
    attempts: usize,
    reason: Reason,
}

async fn check(rows: Vec<Row>, limited: impl Fn(ClientBuilder) -> ClientBuilder) {
    for Row { fault, behind, kind, phase, sent, attempts, reason } in rows {
        let name = fault.name();
        let proxy = Server::proxy(Script::always(fault)).await.unwrap();
        let server = match behind {
            Behind::Plain => Server::start(Script::always(Fault::Ok)).await.unwrap(),
            Behind::Tls => Server::tls(Script::always(Fault::Ok)).await.unwrap(),
        };
        let builder = limited(through(&proxy)).max_attempts(3.try_into().unwrap());
        let builder = if behind == Behind::Tls { trusting(builder, &[&server]) } else { builder };
        let error = builder.build().unwrap().post(server.far_url_at("/")).body("x").send().await.expect_err(name);
        let story = error.attempts().unwrap();
        let Ended::Failure(failure) = story.last().ended else { panic!("{name}: {story:?}") };
        assert_eq!(
            (failure.kind, failure.phase, story.last().sent),
            (kind, phase, sent),
            "{name} {behind:?}: {error:?}"
        );
        assert_eq!((story.count(), story.stop_reason()), (attempts, &reason), "{name} {behind:?}");
        assert_eq!(server.journal().connects(), 0, "{name}: the server was not even connected to");
        names(&error, &proxy);
    }
}

fn names(error: &Error, proxy: &Server) {
    assert_eq!(error.proxy(), Some(proxy.url().as_str()));
    assert!(error.to_string().contains(&format!(", by way of the proxy {}, after", proxy.url())), "{error}");
}

const fn row(fault: Fault, behind: Behind, kind: Kind, phase: Phase, sent: Sent) -> Row {
    Row { fault, behind, kind, phase, sent, attempts: 3, reason: Reason::AttemptsExhausted }
}

#[tokio::test]
async fn a_tunnel_that_is_not_opened_was_no_request_and_is_retried() {
    let unopened = |fault: Fault| row(fault, Behind::Tls, Kind::ProxyTunnel, Phase::Connect, Sent::No);
    let mut rows: Vec<Row> = [502, 503, 504].map(|status| unopened(Fault::status(status).into())).into();
    rows.extend([Fault::CloseAfterRequest, Fault::ResetAfterRequest, Fault::Garbage].map(unopened));
    check(rows, |builder| builder).await;
}

#[tokio::test]
async fn a_proxy_that_nobody_answers_at_was_sent_nothing() {
    for behind in [Behind::Plain, Behind::Tls] {
        let refused = row(Fault::Refused, behind, Kind::Refused, Phase::Connect, Sent::No);
        check(vec![refused], |builder| builder).await;
        let swallowed = row(Fault::BlackHole, behind, Kind::ConnectTimeout, Phase::Connect, Sent::No);
        check(vec![swallowed], |builder| builder.connect_timeout(SHORT)).await;
    }
    let unknown = crate::support::through_url("http://no-such-host.invalid:3128").max_attempts(1.try_into().unwrap());
    let error = unknown.build().unwrap().get("http://far.test/").send().await.unwrap_err();
    assert_eq!(
        (error.phase(), error.sent(), error.proxy()),
        (Phase::Resolve, Sent::No, Some("http://no-such-host.invalid:3128"))
    );
}

#[tokio::test]
async fn a_proxy_that_stalls_before_or_within_the_tunnel_was_sent_nothing() {
    let stalled = |fault: Fault, kind: Kind| row(fault, Behind::Tls, kind, Phase::Connect, Sent::No);
    for fault in [Fault::NeverAnswer, Fault::HeadersThenStall(0)] {
        check(vec![stalled(fault.clone(), Kind::ConnectTimeout)], |builder| builder.connect_timeout(SHORT)).await;
        check(vec![stalled(fault, Kind::RequestTimeout)], |builder| builder.timeout(SHORT)).await;
    }
}

#[tokio::test]
async fn what_a_proxy_was_handed_and_did_not_answer_may_have_been_passed_on() {
    let row = |fault, kind, attempts, reason| Row {
        attempts,
        reason,
        ..row(fault, Behind::Plain, kind, Phase::Answer, Sent::Maybe)
    };
    let rows = vec![
        row(Fault::CloseAfterRequest, Kind::Closed, 3, Reason::AttemptsExhausted),
        row(Fault::NeverAnswer, Kind::RequestTimeout, 1, Reason::MayBeWorking),
    ];
    check(rows, |builder| builder.timeout(SHORT)).await;
}

#[tokio::test]
async fn a_proxy_that_wants_credentials_ends_the_call_and_is_named() {
    let wants = Fault::from(Answer::status(407).header("proxy-authenticate", "Basic realm=\"proxy\""));
    let row = |behind, phase, sent| Row {
        attempts: 1,
        reason: Reason::Permanent,
        ..row(wants.clone(), behind, Kind::ProxyAuthentication, phase, sent)
    };
    let rows = vec![row(Behind::Plain, Phase::Answer, Sent::NotProcessed), row(Behind::Tls, Phase::Connect, Sent::No)];
    check(rows, |builder| builder).await;
}

#[tokio::test]
async fn the_credentials_of_a_proxy_that_refuses_them_are_not_told() {
    let proxy = Server::proxy(Script::always(Answer::status(407))).await.unwrap();
    let client = crate::support::through_url(&format!("http://u:HUSH@{}", proxy.address())).build().unwrap();
    for url in ["http://far.test/", "https://far.test/"] {
        let error = client.get(url).send().await.unwrap_err();
        names(&error, &proxy);
        let told = format!("{error} {error:?}");
        assert!(!told.contains("HUSH") && !told.contains("dTpIVVNI"), "{told}");
    }
}

#[tokio::test]
async fn the_status_of_a_proxy_for_http_is_a_status_like_any_other() {
    let proxy = Server::proxy(Script::first(Fault::status(502)).then(Fault::Ok)).await.unwrap();
    let server = Server::start(Script::always(Fault::Ok)).await.unwrap();
    let answer = through(&proxy).build().unwrap().post(server.far_url_at("/")).body("x").send().await.unwrap();
    let statuses: Vec<_> = answer.attempts().iter().map(|attempt| attempt.status().unwrap().as_u16()).collect();
    assert_eq!((statuses, server.journal().complete()), (vec![502, 200], 1));
}

#[tokio::test]
async fn a_407_that_no_proxy_of_ours_says_is_an_answer() {
    let server = Server::start(Script::always(Fault::status(407))).await.unwrap();
    let answer = ClientBuilder::new().build().unwrap().get(server.url()).send().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.attempts().count()), (407, 1));
}

#[tokio::test]
async fn a_retry_succeeds_when_the_proxy_has_recovered() {
    let proxy = Server::proxy(Script::first(Fault::status(503)).then(Fault::Ok)).await.unwrap();
    let server = Server::tls(Script::always(Fault::Ok)).await.unwrap();
    let client = trusting(through(&proxy), &[&server]).build().unwrap();
    let answer = client.post(server.far_url_at("/")).body("x").fetch_bytes().await.unwrap();
    let first = answer.attempts().iter().next().unwrap();
    assert_eq!((first.sent, &first.reason, answer.attempts().count()), (Sent::No, &Reason::NotSent, 2));
}
