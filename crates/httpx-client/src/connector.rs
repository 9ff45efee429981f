//! The reqwest client underneath: the only place where one is made.

use std::path::Path;
use std::time::Duration;

use http::HeaderValue;
use reqwest::Certificate;

use crate::build_error::BuildError;
use crate::config::{Config, HttpVersion, Limit};
use crate::observe::{Observe, Observing};
use crate::proxies::Proxies;
use crate::redirect::OF_ORIGIN;

/// How long connecting may take when nothing is said.
pub(crate) const DEFAULT_CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

type Customise = Box<dyn FnOnce(reqwest::ClientBuilder) -> reqwest::ClientBuilder + Send>;

/// Where the reqwest client comes from: built here, after the caller's changes, or brought by the caller.
#[derive(Default)]
pub(crate) struct Source {
    adopted: Option<reqwest::Client>,
    changes: Vec<Customise>,
}

impl Source {
    pub(crate) const fn adopted(client: reqwest::Client) -> Self {
        Source { adopted: Some(client), changes: Vec::new() }
    }

    pub(crate) const fn is_adopted(&self) -> bool {
        self.adopted.is_some()
    }

    pub(crate) fn customise(&mut self, change: Customise) {
        self.changes.push(change);
    }

    /// The client, and whether it tells of its connections, as far as `asked` and possible.
    pub(crate) fn connect(
        self,
        config: &Config,
        proxies: Option<&Proxies>,
        asked: bool,
        follows_redirects: bool,
    ) -> Result<(reqwest::Client, Observing), BuildError> {
        let is_changed = !self.changes.is_empty();
        let (client, observing) = match self.adopted {
            Some(_) if is_changed => return Err(BuildError::Adopted { setting: "customise_reqwest" }),
            Some(client) => match not_for_adopted(config) {
                Some(setting) => return Err(BuildError::Adopted { setting }),
                None => (client, Observing::No),
            },
            None => {
                // No proxy but those it is told of.
                let builder =
                    self.changes.into_iter().fold(reqwest::Client::builder().no_proxy(), |b, change| change(b));
                let (builder, observing) =
                    if asked { (builder.connector_layer(Observe), Observing::Yes) } else { (builder, Observing::No) };
                let client = built(config, proxies, builder)?;
                if !is_changed {
                    return Ok((client, observing));
                }
                (client, observing)
            }
        };
        match default_credentials(&client) {
            Some(field) if follows_redirects => Err(BuildError::DefaultField { field }),
            Some(_) | None => Ok((client, observing)),
        }
    }
}

/// A default field of `client` that must not reach another origin.
///
/// reqwest adds its default fields to every request that it is given, so also to one that a redirect leads to another
/// origin. It tells of them nowhere but in its `Debug` text (reqwest 0.13.5 `async_impl/client.rs`: 3007).
fn default_credentials(client: &reqwest::Client) -> Option<&'static str> {
    let told = format!("{client:?}");
    let fields = told.split_once("default_headers: ").map_or(&*told, |(_, fields)| fields);
    OF_ORIGIN.iter().copied().find(|field| fields.contains(&format!("{field:?}: ")))
}

fn built(
    config: &Config,
    proxies: Option<&Proxies>,
    builder: reqwest::ClientBuilder,
) -> Result<reqwest::Client, BuildError> {
    choose_cryptography();
    let mut builder = builder
        // Its own retries and redirects would be hidden ones; ours are counted.
        .retry(reqwest::retry::never().max_retries_per_request(0))
        .redirect(reqwest::redirect::Policy::none());
    if let Some(proxies) = proxies {
        builder = proxies.apply(builder.no_proxy());
    }
    builder = match config.connect_timeout {
        None => builder.connect_timeout(DEFAULT_CONNECT_TIMEOUT),
        Some(Limit::Off) => builder,
        Some(Limit::After(limit)) => builder.connect_timeout(limit),
    };
    if let Some(user_agent) = &config.user_agent {
        let value = HeaderValue::from_str(user_agent).map_err(|_| BuildError::OutOfRange {
            setting: "user_agent",
            value: format!("{user_agent:?}"),
            right: "visible characters, as in every header field",
        })?;
        builder = builder.user_agent(value);
    }
    builder = match config.http_version {
        None | Some(HttpVersion::Auto) => builder,
        Some(HttpVersion::Http1) => builder.http1_only(),
        Some(HttpVersion::Http2) => builder.http2_prior_knowledge(),
    };
    if let Some(path) = &config.cacert {
        builder = builder.tls_certs_only(certificates(path)?);
    }
    builder.build().map_err(|error| BuildError::Http(chain(&error)))
}

/// Picks the cryptography this crate was built with, unless the process has chosen already.
fn choose_cryptography() {
    if rustls::crypto::CryptoProvider::get_default().is_some() {
        return;
    }
    // An error means that another thread chose in between, which is as good.
    #[cfg(feature = "ring")]
    let _ = rustls::crypto::ring::default_provider().install_default();
    #[cfg(all(feature = "aws-lc-rs", not(feature = "ring")))]
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
}

fn certificates(path: &Path) -> Result<Vec<Certificate>, BuildError> {
    let wrong = |what: String| BuildError::CaCert { path: path.to_owned(), what };
    let pem = std::fs::read(path).map_err(|error| wrong(error.to_string()))?;
    let certificates = Certificate::from_pem_bundle(&pem).map_err(|error| wrong(chain(&error)))?;
    if certificates.is_empty() {
        return Err(wrong("no certificate in it; a PEM file with CERTIFICATE blocks is needed".into()));
    }
    Ok(certificates)
}

fn not_for_adopted(config: &Config) -> Option<&'static str> {
    let Config { connect_timeout, user_agent, http_version, cacert, proxy, no_proxy, proxy_from_environment, .. } =
        config;
    None.or(connect_timeout.is_some().then_some("connect_timeout"))
        .or(user_agent.is_some().then_some("user_agent"))
        .or(http_version.is_some().then_some("http_version"))
        .or(cacert.is_some().then_some("cacert"))
        .or(proxy.is_some().then_some("proxy"))
        .or(no_proxy.is_some().then_some("no_proxy"))
        .or(proxy_from_environment.is_some().then_some("proxy_from_environment"))
}

/// An error and its sources in one line.
fn chain(error: &dyn std::error::Error) -> String {
    let mut told = error.to_string();
    let mut next = error.source();
    while let Some(source) = next {
        told = format!("{told}: {source}");
        next = source.source();
    }
    told
}
