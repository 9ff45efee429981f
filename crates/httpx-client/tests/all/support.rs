//! What the tests share: clients that do not dawdle, and limits with room around them.
use std::time::Duration;

use httpx_client::{Body, ClientBuilder};
use httpx_faults::{Fault, Script, Server};

/// A limit that is meant to elapse.
pub(crate) const SHORT: Duration = Duration::from_millis(200);

/// A limit that elapses, but leaves time for a handshake or the head of an answer on a busy machine.
pub(crate) const FAIR: Duration = Duration::from_millis(1500);

/// A limit that is not: 50 times as long.
pub(crate) const LONG: Duration = Duration::from_secs(10);

/// The defaults, but retries follow at once.
pub(crate) fn quick() -> ClientBuilder {
    ClientBuilder::new().delay(Duration::from_millis(1)).max_delay(Duration::from_millis(5))
}

/// Trusts `server`'s certificate, and no other.
pub(crate) fn trusting(builder: ClientBuilder, server: &Server) -> ClientBuilder {
    let pem = server.root_pem().expect("a TLS server").as_bytes().to_vec();
    builder.customise_reqwest(move |reqwest| {
        reqwest.tls_certs_only([httpx_client::reqwest::Certificate::from_pem(&pem).expect("a PEM certificate")])
    })
}

/// `fault` at the first contact, then everything is well.
pub(crate) fn once_then_ok(fault: Fault) -> Script {
    Script::first(fault).then(Fault::Ok)
}

/// A body that can be read once.
pub(crate) fn stream_of(text: &'static str) -> Body {
    Body::stream(futures_util::stream::iter([Ok::<_, std::io::Error>(text)]))
}
