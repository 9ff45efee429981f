//! Where one cell is measured: a server of its own, and a count of how often it is contacted.

use std::io;

use httpx_client::reqwest::Certificate;
use httpx_client::{ClientBuilder, HttpVersion};
use httpx_faults::{Journal, Layer, Server};

use super::faults::{Meeting, Row};
use super::resolver::{Resolver, UNKNOWN};

/// A server that shows one fault, or none where there is no host.
#[derive(Debug)]
pub(super) struct Stage {
    layer: Layer,
    server: Option<Server>,
    journal: Journal,
    resolver: Resolver,
}

impl Stage {
    pub(super) async fn open(row: &Row) -> io::Result<Self> {
        let server = match &row.meeting {
            Meeting::Server(fault) => Some(Server::showing(fault.clone()).await?),
            Meeting::UnknownHost => None,
        };
        let journal = server.as_ref().map_or_else(Journal::default, Server::journal);
        Ok(Stage { layer: row.layer(), server, journal, resolver: Resolver::default() })
    }

    /// Where to send requests to.
    pub(super) fn url(&self) -> String {
        match (&self.server, self.layer) {
            (None, _) => format!("http://{UNKNOWN}/jobs"),
            // By name, so that the look-ups can be counted.
            (Some(server), Layer::Port) => format!("http://closed.faults.test:{}/jobs", server.address().port()),
            (Some(server), Layer::Connection | Layer::Tls | Layer::Request | Layer::Http2) => server.url_at("/jobs"),
        }
    }

    /// A client that finds the server, trusts it and speaks its language.
    pub(super) fn reached_by(&self, builder: ClientBuilder) -> io::Result<ClientBuilder> {
        let pem = self.server.as_ref().and_then(Server::root_pem);
        let trusted = pem.map(|pem| Certificate::from_pem(pem.as_bytes())).transpose().map_err(io::Error::other)?;
        let resolver = self.resolver.clone();
        // Without the system's certificates, which take longer to read than most cells to measure.
        let builder = builder.customise_reqwest(move |reqwest| {
            reqwest.tls_certs_only(trusted).dns_resolver(std::sync::Arc::new(resolver))
        });
        Ok(match self.layer {
            Layer::Http2 => builder.http_version(HttpVersion::Http2),
            Layer::Port | Layer::Connection | Layer::Tls | Layer::Request => builder,
        })
    }

    /// Requests that arrived; where none can, accepted connections; where there are none either, look-ups.
    pub(super) fn contacts(&self) -> u64 {
        match self.layer {
            Layer::Port => self.resolver.lookups(),
            Layer::Connection | Layer::Tls => self.journal.connects(),
            Layer::Request | Layer::Http2 => self.journal.recorded(),
        }
    }

    /// How often the server acted on the operation called `id`.
    pub(super) fn applied(&self, id: &str) -> u64 {
        self.journal.applied_for(id)
    }
}
