//! gRPC's retries over HTTP/2, against the rows of `SURVEY.md` §2.
//!
//! Where C-core differs from the others (a stream that is refused), this follows grpc-js and grpc-java.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use httpx_client::httpx_retry::{GrpcHedging, GrpcPolicy, GrpcRetry, GrpcStatus, GrpcThrottling, Policy};
use httpx_client::reqwest::dns::{Addrs, Name, Resolve, Resolving};
use httpx_client::{Client, ClientBuilder, HttpVersion};
use httpx_faults::{Answer, End, Fault, Script, Server};

use crate::support::{LONG, SHORT, quick, stream_of};

/// The three columns of the table, in its order; hedges leave so long after one another.
fn columns(hedging_delay: Duration) -> [GrpcPolicy; 3] {
    let retry = GrpcRetry {
        max_attempts: 4.try_into().unwrap(),
        initial_backoff: Duration::from_millis(1),
        max_backoff: Duration::from_millis(5),
        backoff_multiplier: 2.0,
        codes: vec![GrpcStatus::UNAVAILABLE],
    };
    let hedging = GrpcHedging {
        max_attempts: 3.try_into().unwrap(),
        delay: hedging_delay,
        non_fatal: vec![GrpcStatus::UNAVAILABLE],
    };
    [
        GrpcPolicy::without_service_config(),
        GrpcPolicy { retry: Some(retry), ..GrpcPolicy::default() },
        GrpcPolicy { hedging: Some(hedging), ..GrpcPolicy::default() },
    ]
}

fn retrying() -> GrpcPolicy {
    columns(LONG)[1].clone()
}

fn builder(policy: Policy) -> ClientBuilder {
    ClientBuilder::new().policy(policy).http_version(HttpVersion::Http2)
}

fn client(policy: Policy) -> Client {
    builder(policy).build().unwrap()
}

async fn call(client: &Client, server: &Server) -> Option<u16> {
    let answer = client.post(server.url_at("/jobs.Jobs/Submit")).body("a job").fetch_bytes().await;
    answer.ok().map(|answer| answer.status().as_u16())
}

fn trailers_only(code: &str) -> Answer {
    Fault::status(200).header("content-type", "application/grpc").header("grpc-status", code)
}

fn unavailable() -> Answer {
    trailers_only("14")
}

fn pushed_back(wait: &str) -> Answer {
    unavailable().header("grpc-retry-pushback-ms", wait)
}

/// A head, then perhaps a message, then what went wrong.
fn begun() -> Answer {
    Answer::ok().header("content-type", "application/grpc")
}

#[tokio::test]
async fn streams_seen_without_a_service_config_and_with_a_retry_or_a_hedging_policy() {
    let always = |fault: Fault| vec![fault];
    let once = |fault: Fault| vec![fault, Fault::Ok];
    let rows = [
        ("read_rst", always(Fault::ResetAfterRequest), [1, 4, 3]),
        ("read_fin", always(Fault::CloseAfterRequest), [1, 4, 3]),
        ("read_fin_once_then_ok", once(Fault::CloseAfterRequest), [1, 2, 2]),
        ("stall", always(Fault::NeverAnswer), [1, 1, 3]),
        ("unavailable", always(unavailable().into()), [1, 4, 3]),
        ("unavailable_once_then_ok", once(unavailable().into()), [1, 2, 2]),
        ("unavailable_pushback7", always(pushed_back("7").into()), [1, 4, 3]),
        ("unavailable_pushback-1", always(pushed_back("-1").into()), [1, 1, 1]),
        ("resource_exhausted", always(trailers_only("8").into()), [1, 1, 1]),
        ("internal", always(trailers_only("13").into()), [1, 1, 1]),
        ("http503", always(Fault::status(503).into()), [1, 4, 3]),
        ("http429", always(Fault::status(429).into()), [1, 4, 3]),
        ("rst_refused", always(Fault::RefusedStream), [2, 5, 4]),
        ("rst_refused_once", once(Fault::RefusedStream), [2, 2, 2]),
        ("rst_internal", always(Fault::InternalError), [1, 1, 1]),
        ("goaway_unprocessed", always(Fault::GoAwayUnprocessed), [2, 5, 4]),
        ("goaway_processed", always(Fault::GoAwayProcessed), [1, 4, 3]),
        ("headers_then_unavailable", always(begun().trailer("grpc-status", "14").into()), [1, 1, 1]),
        ("headers_then_fin", always(begun().cut(1, End::Fin).into()), [1, 1, 1]),
    ];
    for (name, faults, expected) in rows {
        // Only where nothing comes back do hedges have to leave by themselves, and the deadline to pass.
        let (delay, deadline) = if name == "stall" { (SHORT / 8, SHORT * 2) } else { (LONG, LONG) };
        let mut streams = Vec::new();
        for grpc in columns(delay) {
            let mut steps = faults.iter().cloned();
            let script = Script::first(steps.next().unwrap());
            let server = Server::h2(steps.fold(script, Script::then)).await.unwrap();
            call(&client(grpc.policy().with_deadline(deadline)), &server).await;
            streams.push(server.journal().recorded());
        }
        assert_eq!(streams, expected, "{name}");
    }
}

/// Knows one name, and counts how often it is asked.
#[derive(Clone, Debug, Default)]
struct Resolver {
    lookups: Arc<AtomicU64>,
    known: Option<SocketAddr>,
}

impl Resolve for Resolver {
    fn resolve(&self, _: Name) -> Resolving {
        self.lookups.fetch_add(1, Ordering::AcqRel);
        let known = self.known;
        Box::pin(async move {
            let address = known.ok_or("this host does not exist")?;
            Ok(Box::new(std::iter::once(address)) as Addrs)
        })
    }
}

/// How often a call looked for a server to connect to.
async fn connects(grpc: &GrpcPolicy, address: Option<SocketAddr>) -> u64 {
    let resolver = Resolver { known: address, ..Resolver::default() };
    let lookups = resolver.lookups.clone();
    let client = builder(grpc.policy().with_deadline(LONG))
        .connect_timeout(SHORT)
        .customise_reqwest(|reqwest| reqwest.dns_resolver(Arc::new(resolver)))
        .build()
        .unwrap();
    let port = address.map_or(1, |address| address.port());
    client.post(format!("http://jobs.test:{port}/jobs.Jobs/Submit")).fetch_bytes().await.unwrap_err();
    lookups.load(Ordering::Acquire)
}

#[tokio::test]
async fn where_no_connection_comes_about_nothing_is_repeated() {
    for grpc in columns(SHORT / 8) {
        for fault in [Fault::Refused, Fault::BlackHole] {
            let server = Server::h2(Script::always(fault.clone())).await.unwrap();
            // A hedge would be due before a black hole is given up: it waits for the same connection.
            assert_eq!(connects(&grpc, Some(server.address())).await, 1, "{}", fault.name());
        }
        assert_eq!(connects(&grpc, None).await, 1, "nxdomain");
    }
}

/// How often at most a call of `policy` connects to a server that accepts and closes: a wanted difference, whose reason stands
/// beside the number. Where none is told, gRPC's own.
fn wanted(policy: &str) -> u64 {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../httpx-cli/data/wanted.csv");
    let lines = std::fs::read_to_string(file).unwrap();
    let line = lines.lines().find_map(|line| line.strip_prefix(&format!("{policy},accept_close,POST,")));
    line.map_or(1, |line| line.split(',').next().unwrap().parse().unwrap())
}

#[tokio::test]
async fn a_connection_that_is_accepted_and_closed_may_have_carried_the_call() {
    let most = ["grpc", "grpc retryPolicy", "grpc hedgingPolicy"].map(wanted);
    assert_eq!(most, [1, 4, 3]);
    for (grpc, most) in columns(LONG).into_iter().zip(most) {
        let server = Server::h2(Script::always(Fault::AcceptThenClose)).await.unwrap();
        call(&client(grpc.policy().with_deadline(LONG)), &server).await;
        let connects = server.journal().connects();
        assert!((1..=most).contains(&connects), "{connects} of {most}");
    }
}

#[tokio::test]
async fn four_tokens_are_two_attempts_and_clones_share_them() {
    let throttling = Some(GrpcThrottling { max_tokens: 4, token_ratio_thousandths: 1000 });
    let server = Server::h2(Script::always(unavailable())).await.unwrap();
    let client = client(GrpcPolicy { throttling, ..retrying() }.policy());
    call(&client, &server).await;
    assert_eq!(server.journal().recorded(), 2);
    call(&client.clone(), &server).await;
    assert_eq!(server.journal().recorded(), 3);
}

#[tokio::test]
async fn every_attempt_tells_the_server_what_is_left_of_the_one_deadline() {
    let server = Server::h2(Script::always(pushed_back("50"))).await.unwrap();
    call(&client(retrying().policy().with_deadline(LONG)), &server).await;
    let told: Vec<u64> = server
        .journal()
        .requests()
        .iter()
        .map(|request| {
            let fields: Vec<_> = request.header_lines("grpc-timeout").collect();
            let [field] = fields[..] else { panic!("one field an attempt: {fields:?}") };
            field.strip_suffix('m').expect("milliseconds").parse().unwrap()
        })
        .collect();
    assert_eq!(told.len(), 4);
    assert!(told[0] <= 10_000 && told[3] > 0, "{told:?}");
    assert!(told.windows(2).all(|pair| pair[0] >= pair[1] + 50), "{told:?}");
}

#[tokio::test]
async fn without_a_deadline_none_is_told_and_the_callers_own_field_gives_way_to_it() {
    let server = Server::h2(Script::always(Fault::Ok)).await.unwrap();
    let told =
        |request: &httpx_faults::Request| request.header_lines("grpc-timeout").map(str::to_owned).collect::<Vec<_>>();
    call(&client(retrying().policy()), &server).await;
    assert_eq!(told(&server.journal().requests()[0]), Vec::<String>::new());
    let client = client(retrying().policy().with_deadline(LONG));
    client.post(server.url()).header("grpc-timeout", "1H").fetch_bytes().await.unwrap();
    let fields = told(&server.journal().requests()[1]);
    assert!(fields.len() == 1 && fields[0].ends_with('m'), "{fields:?}");
    // Another policy has no such field.
    quick().deadline(LONG).http_version(HttpVersion::Http2).build().unwrap().get(server.url()).send().await.unwrap();
    assert_eq!(told(&server.journal().requests()[2]), Vec::<String>::new());
}

#[tokio::test]
async fn the_deadline_holds_for_all_attempts_together() {
    let server = Server::h2(Script::always(Fault::NeverAnswer)).await.unwrap();
    let grpc = GrpcPolicy { timeout: Some(SHORT), ..retrying() };
    let error = client(grpc.policy()).post(server.url()).fetch_bytes().await.unwrap_err();
    let elapsed = error.attempts().unwrap().elapsed();
    assert!(elapsed >= SHORT && elapsed < LONG, "{elapsed:?}");
    assert_eq!(server.journal().recorded(), 1);
}

/// One after the other: the third call of a bucket of four tokens has two left, and retries need more than that.
#[tokio::test]
async fn a_failure_that_is_not_retried_is_charged_from_a_full_bucket_too() {
    let throttling = Some(GrpcThrottling { max_tokens: 4, token_ratio_thousandths: 1 });
    let server = Server::h2(Script::always(unavailable())).await.unwrap();
    let client = client(GrpcPolicy { throttling, ..retrying() }.policy());
    // A body that can be read once is not sent again.
    for sent in 1..=2 {
        client.post(server.url()).body(stream_of("a job")).fetch_bytes().await.unwrap();
        assert_eq!(server.journal().recorded(), sent);
    }
    call(&client, &server).await;
    assert_eq!(server.journal().recorded(), 3);
}

#[tokio::test]
async fn a_pushback_begins_the_backoff_of_a_call_anew() {
    let faults = Script::first(unavailable()).then(pushed_back("3")).then(unavailable());
    let server = Server::h2(faults.then(Fault::Ok)).await.unwrap();
    let mut grpc = retrying();
    let retry = grpc.retry.as_mut().unwrap();
    (retry.backoff_multiplier, retry.max_backoff) = (100.0, LONG);
    let answer = client(grpc.policy()).post(server.url()).body("a job").fetch_bytes().await.unwrap();
    let waits: Vec<_> = answer.attempts().iter().filter_map(|attempt| attempt.wait).collect();
    let first = Duration::from_micros(800)..=Duration::from_micros(1_200);
    assert!(waits.len() == 3 && waits[1] == Duration::from_millis(3), "{waits:?}");
    assert!(first.contains(&waits[0]) && first.contains(&waits[2]), "{waits:?}");
}
