//! Who the server says it is over TLS: a certificate made when it starts.

use anyhow::Result;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::{ServerConfig, crypto::ring, pki_types::PrivateKeyDer};
use std::{net::Ipv4Addr, sync::Arc};
use tokio_rustls::TlsAcceptor;

/// The certificate, as PEM, and what proves it. Only HTTP/1.1 is spoken.
pub(super) fn identity() -> Result<(String, TlsAcceptor)> {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed([Ipv4Addr::LOCALHOST.to_string()])?;
    let key = PrivateKeyDer::try_from(signing_key.serialize_der()).map_err(anyhow::Error::msg)?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok((cert.pem(), TlsAcceptor::from(Arc::new(config))))
}
