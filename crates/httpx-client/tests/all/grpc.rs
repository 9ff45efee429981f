//! gRPC's retries over HTTP/2, against the rows of `SURVEY.md` §2.

use std::time::Duration;

use httpx_client::HttpVersion;
use httpx_client::httpx_retry::{GrpcPolicy, GrpcRetry, GrpcStatus};
use httpx_faults::{Answer, Fault, Script, Server};

use crate::support::{SHORT, quick};

/// At most four sends, for UNAVAILABLE.
fn retrying() -> GrpcPolicy {
    let retry = GrpcRetry {
        max_attempts: 4.try_into().unwrap(),
        initial_backoff: Duration::from_millis(1),
        max_backoff: Duration::from_millis(5),
        backoff_multiplier: 2.0,
        codes: vec![GrpcStatus::UNAVAILABLE],
    };
    GrpcPolicy { retry: Some(retry), ..GrpcPolicy::default() }
}

fn trailers_only(code: &str) -> Answer {
    Fault::status(200).header("content-type", "application/grpc").header("grpc-status", code)
}

/// How many streams the server saw of one call.
async fn streams(script: Script, grpc: &GrpcPolicy) -> u64 {
    let server = Server::h2(script).await.unwrap();
    let builder = quick().policy(grpc.policy().with_deadline(SHORT)).http_version(HttpVersion::Http2);
    let client = builder.build().unwrap();
    client.post(server.url_at("/jobs.Jobs/Submit")).body("a job").fetch_bytes().await.ok();
    server.journal().recorded()
}

#[tokio::test]
async fn streams_seen_without_a_service_config_and_with_a_retry_policy() {
    let once = |fault: Fault| -> Vec<Fault> { vec![fault, Fault::Ok] };
    let always = |fault: Fault| -> Vec<Fault> { vec![fault] };
    let rows: Vec<(&str, Vec<Fault>, u64, u64)> = vec![
        ("read_rst", always(Fault::ResetAfterRequest), 1, 4),
        ("read_fin", always(Fault::CloseAfterRequest), 1, 4),
        ("read_fin_once_then_ok", once(Fault::CloseAfterRequest), 1, 2),
        ("stall", always(Fault::NeverAnswer), 1, 1),
        ("unavailable", always(trailers_only("14").into()), 1, 4),
        ("unavailable_once_then_ok", once(trailers_only("14").into()), 1, 2),
        ("unavailable_pushback7", always(trailers_only("14").header("grpc-retry-pushback-ms", "7").into()), 1, 4),
        ("unavailable_pushback-1", always(trailers_only("14").header("grpc-retry-pushback-ms", "-1").into()), 1, 1),
        ("resource_exhausted", always(trailers_only("8").into()), 1, 1),
        ("internal", always(trailers_only("13").into()), 1, 1),
        ("http503", always(Fault::status(503).into()), 1, 4),
        ("http429", always(Fault::status(429).into()), 1, 4),
        ("rst_refused", always(Fault::RefusedStream), 2, 5),
        ("rst_refused_once", once(Fault::RefusedStream), 2, 2),
        ("rst_internal", always(Fault::InternalError), 1, 1),
        ("goaway_unprocessed", always(Fault::GoAwayUnprocessed), 2, 5),
        ("goaway_processed", always(Fault::GoAwayProcessed), 1, 4),
    ];
    for (name, faults, without, with) in rows {
        for (grpc, expected) in [(GrpcPolicy::without_service_config(), without), (retrying(), with)] {
            let mut steps = faults.iter().cloned();
            let script = Script::first(steps.next().unwrap());
            let script = steps.fold(script, Script::then);
            assert_eq!(streams(script, &grpc).await, expected, "{name}");
        }
    }
}

#[tokio::test]
async fn a_refused_connect_is_not_repeated_within_a_call() {
    let server = Server::h2(Script::always(Fault::Refused)).await.unwrap();
    let client = quick().policy(retrying().policy()).http_version(HttpVersion::Http2).build().unwrap();
    let error = client.post(server.url()).fetch_bytes().await.unwrap_err();
    assert_eq!(error.attempts().unwrap().count(), 1);
}
