//! The examples of this crate do what they say.

use httpx_client::ClientBuilder;
use httpx_faults::{Fault, Script, Server};

use crate::support::{SHORT, trusting};

#[expect(dead_code, reason = "its main is not called here")]
#[path = "../../examples/custom_handler.rs"]
mod custom_handler;
#[expect(dead_code, reason = "its main is not called here")]
#[path = "../../examples/disable_retries.rs"]
mod disable_retries;

use custom_handler::handled;
use disable_retries::without_retries;

/// How often the server is contacted by a GET and by a POST.
async fn contacts(fault: &Fault, builder: fn() -> ClientBuilder) -> (u64, u64) {
    let mut counts = Vec::new();
    for method in ["GET", "POST"] {
        let tls = matches!(fault, Fault::BadCertificate | Fault::TlsReset);
        let script = Script::always(fault.clone());
        let server = if tls { Server::tls(script).await } else { Server::start(script).await }.unwrap();
        let builder = if tls { trusting(builder(), &server) } else { builder() };
        let client = builder.read_timeout(SHORT).build().unwrap();
        client.request(method.parse().unwrap(), server.url()).fetch_bytes().await.ok();
        let journal = server.journal();
        counts.push(if tls { journal.connects() } else { journal.recorded() });
    }
    (counts[0], counts[1])
}

#[tokio::test]
async fn the_classic_handler_repeats_what_was_not_answered_and_is_idempotent() {
    let rows = [
        (Fault::NeverAnswer, (5, 1)),
        (Fault::CloseAfterRequest, (5, 1)),
        (Fault::ResetAfterRequest, (5, 1)),
        (Fault::TlsReset, (1, 1)),
        (Fault::BadCertificate, (1, 1)),
        (Fault::status(503).into(), (1, 1)),
        (Fault::Ok, (1, 1)),
    ];
    for (fault, expected) in rows {
        assert_eq!(contacts(&fault, handled).await, expected, "{}", fault.name());
    }
}

#[tokio::test]
async fn without_retries_every_request_is_sent_once() {
    for fault in [Fault::NeverAnswer, Fault::CloseAfterRequest, Fault::TlsReset, Fault::status(503).into()] {
        assert_eq!(contacts(&fault, without_retries).await, (1, 1), "{}", fault.name());
    }
}
