//! The ways to a server: which version of HTTP, over TLS or not, directly or through a proxy.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use httpx_client::reqwest::Certificate;
use httpx_client::reqwest::dns::{Addrs, Name, Resolve, Resolving};
use httpx_client::{ClientBuilder, HttpVersion, Proxy};
use httpx_faults::{Script, Server};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    Http1,
    Http1NoPool,
    Http1Tls,
    Http2,
    Http2Tls,
    /// In absolute form.
    Http1Proxied,
    /// Through a tunnel.
    Http1TlsProxied,
}

impl Way {
    /// A server at its end.
    pub(crate) async fn server(self, script: Script) -> io::Result<Server> {
        match self {
            Way::Http1 | Way::Http1NoPool | Way::Http1Proxied => Server::start(script).await,
            Way::Http1Tls | Way::Http1TlsProxied => Server::tls(script).await,
            Way::Http2 => Server::h2(script).await,
            Way::Http2Tls => Server::h2_tls(script).await,
        }
    }

    /// Where its requests go.
    pub(crate) fn url(self, server: &Server, path: &str) -> String {
        let port = server.address().port();
        match self {
            Way::Http1 | Way::Http1NoPool | Way::Http2 => format!("http://localhost:{port}{path}"),
            Way::Http1Tls | Way::Http2Tls => format!("https://localhost:{port}{path}"),
            Way::Http1Proxied | Way::Http1TlsProxied => server.far_url_at(path),
        }
    }

    /// A client that goes it to `servers`. `proxy` stands in the way of the other ways too, and is never asked.
    pub(crate) fn client(self, servers: &[&Server], proxy: &Server, slowness: Duration) -> ClientBuilder {
        let roots: Vec<_> = servers
            .iter()
            .filter_map(|server| server.root_pem())
            .map(|pem| Certificate::from_pem(pem.as_bytes()).expect("a PEM certificate"))
            .collect();
        // By name, so that it takes the slow resolver.
        let proxy = Proxy::new(format!("localhost:{}", proxy.address().port())).expect("a proxy");
        let builder = ClientBuilder::new().proxy(proxy).customise_reqwest(move |reqwest| {
            let reqwest = reqwest.dns_resolver(SlowResolver(slowness)).tls_certs_only(roots);
            if self == Way::Http1NoPool { reqwest.pool_max_idle_per_host(0) } else { reqwest }
        });
        if self == Way::Http2 { builder.http_version(HttpVersion::Http2) } else { builder }
    }

    pub(crate) const fn is_http2(self) -> bool {
        match self {
            Way::Http2 | Way::Http2Tls => true,
            Way::Http1 | Way::Http1NoPool | Way::Http1Tls | Way::Http1Proxied | Way::Http1TlsProxied => false,
        }
    }
}

/// Takes up to so long, as name servers do, so that limits elapse before there is a connection too.
struct SlowResolver(Duration);

impl Resolve for SlowResolver {
    fn resolve(&self, _: Name) -> Resolving {
        let delay = self.0.mul_f64(fastrand::f64());
        Box::pin(async move {
            tokio::time::sleep(delay).await;
            let addresses: Addrs = Box::new([SocketAddr::from(([127, 0, 0, 1], 0))].into_iter());
            Ok(addresses)
        })
    }
}
