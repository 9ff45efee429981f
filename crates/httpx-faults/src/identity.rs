//! Who the server says it is over TLS: certificates made when it starts.

use std::io;
use std::sync::Arc;

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DistinguishedName, DnType, IsCa, KeyPair};
use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use tokio_rustls::TlsAcceptor;

/// A host name that no resolver knows (RFC 6761 §6.2), for servers behind a proxy; the certificates are for it too.
pub const FAR_HOST: &str = "far.test";

/// A right and a wrong certificate, and the authority behind the right one.
pub(crate) struct Identity {
    pub(crate) root_pem: String,
    pub(crate) right: TlsAcceptor,
    pub(crate) wrong: TlsAcceptor,
}

impl Identity {
    /// For `localhost`, 127.0.0.1 and [`FAR_HOST`], offering one protocol.
    pub(crate) fn new(alpn: &[u8]) -> io::Result<Self> {
        let trusted = authority("httpx-faults").map_err(io::Error::other)?;
        let unknown = authority("an authority that nobody knows").map_err(io::Error::other)?;
        Ok(Self {
            root_pem: trusted.pem(),
            right: acceptor(&trusted, &["localhost", "127.0.0.1", FAR_HOST], alpn)?,
            wrong: acceptor(&unknown, &["wrong-host.invalid"], alpn)?,
        })
    }
}

/// Two authorities of one name would make a client complain of a bad signature, not of an unknown issuer.
fn authority(name: &str) -> Result<CertifiedIssuer<'static, KeyPair>, rcgen::Error> {
    let mut params = CertificateParams::new(Vec::new())?;
    params.distinguished_name = DistinguishedName::new();
    params.distinguished_name.push(DnType::CommonName, name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    CertifiedIssuer::self_signed(params, KeyPair::generate()?)
}

fn acceptor(issuer: &CertifiedIssuer<'static, KeyPair>, names: &[&str], alpn: &[u8]) -> io::Result<TlsAcceptor> {
    let names: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
    let key = KeyPair::generate().map_err(io::Error::other)?;
    let certificate =
        CertificateParams::new(names).and_then(|params| params.signed_by(&key, issuer)).map_err(io::Error::other)?;
    let key = PrivateKeyDer::try_from(key.serialize_der()).map_err(io::Error::other)?;
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(vec![certificate.der().clone()], key))
        .map_err(io::Error::other)?;
    config.alpn_protocols = vec![alpn.to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}

impl std::fmt::Debug for Identity {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Identity").finish_non_exhaustive()
    }
}
