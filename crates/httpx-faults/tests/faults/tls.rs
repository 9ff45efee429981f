//! Faults of the TLS handshake, and faults of a request over TLS.

use std::io;
use std::sync::Arc;

use httpx_faults::{Fault, Script, Server};
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::bare::{GET, OK, SILENCE, Seen, connect, expect, read_all, until};

/// A handshake as `localhost`, trusting the server's authority and nobody else.
async fn shake_hands(server: &Server, alpn: &[u8]) -> io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(server.root_pem().unwrap().as_bytes()).unwrap()).unwrap();
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![alpn.to_vec()];
    let name = ServerName::try_from("localhost").unwrap();
    TlsConnector::from(Arc::new(config)).connect(name, connect(server).await).await
}

#[tokio::test]
async fn the_root_makes_a_request_over_tls_possible() {
    let server = Server::tls(Script::always(Fault::Ok)).await.unwrap();
    assert_eq!(server.url_at("/jobs"), format!("https://localhost:{}/jobs", server.address().port()));
    let mut socket = shake_hands(&server, b"http/1.1").await.unwrap();
    socket.write_all(GET.as_bytes()).await.unwrap();
    expect(&mut socket, OK).await;
    assert_eq!((server.journal().connects(), server.journal().handshakes()), (1, 1));
    assert_eq!(server.journal().complete(), 1);
}

#[tokio::test]
async fn h2_is_agreed_upon_by_alpn() {
    for (alpn, server) in [
        (&b"h2"[..], Server::h2_tls(Script::always(Fault::Ok)).await.unwrap()),
        (b"http/1.1", Server::tls(Script::always(Fault::Ok)).await.unwrap()),
    ] {
        let socket = shake_hands(&server, alpn).await.unwrap();
        assert_eq!(socket.get_ref().1.alpn_protocol(), Some(alpn));
    }
}

#[tokio::test]
async fn a_bad_certificate_is_rejected_and_the_next_one_is_good() {
    let server = Server::tls(Script::first(Fault::BadCertificate).then(Fault::Ok)).await.unwrap();
    let error = shake_hands(&server, b"http/1.1").await.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    assert_eq!(error.to_string(), "invalid peer certificate: UnknownIssuer");
    assert_eq!((server.journal().connects(), server.journal().handshakes()), (1, 0));
    shake_hands(&server, b"http/1.1").await.unwrap();
    until(|| server.journal().handshakes() == 1).await;
}

#[tokio::test]
async fn a_stalled_handshake_is_silent() {
    let server = Server::showing(Fault::TlsStall).await.unwrap();
    assert!(timeout(SILENCE, shake_hands(&server, b"http/1.1")).await.is_err());
    assert_eq!((server.journal().connects(), server.journal().handshakes()), (1, 0));
}

#[tokio::test]
async fn a_reset_handshake_is_reset_after_the_client_hello() {
    let server = Server::showing(Fault::TlsReset).await.unwrap();
    assert_eq!(read_all(&mut connect(&server).await).await, (String::new(), Seen::Silence));
    let error = shake_hands(&server, b"http/1.1").await.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
    assert_eq!((server.journal().connects(), server.journal().handshakes()), (2, 0));
}

#[tokio::test]
async fn a_close_over_tls_has_no_close_notify() {
    for (fault, kind) in [
        (Fault::CloseAfterRequest, io::ErrorKind::UnexpectedEof),
        (Fault::ResetAfterRequest, io::ErrorKind::ConnectionReset),
    ] {
        let server = Server::tls(Script::always(fault.clone())).await.unwrap();
        let mut socket = shake_hands(&server, b"http/1.1").await.unwrap();
        socket.write_all(GET.as_bytes()).await.unwrap();
        let error = tokio::io::AsyncReadExt::read_u8(&mut socket).await.unwrap_err();
        assert_eq!(error.kind(), kind, "{fault:?}");
        assert_eq!(server.journal().applied(), 1, "{fault:?}");
    }
}

#[tokio::test]
async fn a_good_end_over_tls_has_a_close_notify() {
    let server = Server::tls(Script::always(Fault::Ok)).await.unwrap();
    let mut socket = shake_hands(&server, b"http/1.1").await.unwrap();
    socket.write_all(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n").await.unwrap();
    expect(&mut socket, crate::bare::OK_CLOSE).await;
    // Without it, this would be an unexpected end of file.
    assert_eq!(tokio::io::AsyncReadExt::read(&mut socket, &mut [0]).await.unwrap(), 0);
}
