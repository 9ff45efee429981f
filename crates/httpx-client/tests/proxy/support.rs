//! What the tests share.

use std::time::Duration;

use httpx_client::reqwest::Certificate;
use httpx_client::{Client, ClientBuilder, Proxy};
use httpx_faults::Server;

/// A limit that is meant to elapse.
pub(crate) const SHORT: Duration = Duration::from_millis(200);

/// The defaults, but retries follow at once, and through `proxy`.
pub(crate) fn through(proxy: &Server) -> ClientBuilder {
    through_url(&proxy.url())
}

pub(crate) fn through_url(proxy: &str) -> ClientBuilder {
    let quick = ClientBuilder::new().delay(Duration::from_millis(1)).max_delay(Duration::from_millis(5));
    quick.proxy(Proxy::new(proxy).unwrap())
}

/// Trusts the certificates of these servers, and no others.
pub(crate) fn trusting(builder: ClientBuilder, servers: &[&Server]) -> ClientBuilder {
    let pems: Vec<_> = servers.iter().map(|server| server.root_pem().unwrap().as_bytes().to_vec()).collect();
    builder.customise_reqwest(move |reqwest| {
        reqwest.tls_certs_only(pems.iter().map(|pem| Certificate::from_pem(pem).unwrap()))
    })
}

/// Is `url` asked through the proxy?
pub(crate) fn is_proxied(client: &Client, url: &str) -> bool {
    client.proxy_for(&url.parse().unwrap()).is_some()
}
