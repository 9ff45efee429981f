//! What went wrong, read from reqwest's error: the only file that knows the error types of reqwest, hyper, h2 and rustls.
//!
//! Whether the request was *sent* is not read here but told by the witness, except for what an HTTP/2 server says itself.

use std::error::Error as StdError;
use std::io::{self, ErrorKind};

use httpx_retry::{Failure, FailureKind, Phase, Sent};
use rustls::AlertDescription;

use crate::exchange::{Cause, Lost};
use crate::witness::Seen;

/// What a lost exchange amounts to.
pub(crate) fn lost(lost: &Lost) -> (Failure, Sent) {
    let sent = if lost.seen.came_back { Sent::No } else { Sent::Maybe };
    match &lost.cause {
        Cause::Elapsed(kind) => {
            let phase = if lost.seen.came_back { Phase::Connect } else { Phase::Answer };
            (Failure { kind: *kind, phase }, sent)
        }
        Cause::RequestBody(_) => (Failure { kind: FailureKind::RequestBody, phase: Phase::Answer }, sent),
        Cause::Error(error) => failed(error, lost.seen),
    }
}

/// What an error of reqwest amounts to, when this was seen of its exchange.
pub(crate) fn failed(error: &reqwest::Error, seen: Seen) -> (Failure, Sent) {
    let mut failure = before_head(error);
    if seen.came_back && failure.phase == Phase::Answer {
        failure.phase = Phase::Connect; // It never had a connection, whoever's timer says so.
    }
    let sent = if seen.came_back { Sent::No } else { Sent::Maybe };
    (failure, if refused_by_server(failure.kind) { Sent::NotProcessed } else { sent })
}

/// What a body that broke off amounts to.
pub(crate) fn broken_body(cause: &Cause) -> Failure {
    let kind = match cause {
        Cause::Elapsed(kind) => *kind,
        Cause::RequestBody(_) => FailureKind::RequestBody,
        Cause::Error(error) => match connection_failure(error) {
            // Reported as "decode" by reqwest, whatever the reason; the chain tells.
            Some(FailureKind::Closed) => FailureKind::Truncated,
            Some(kind) => kind,
            None if error.is_timeout() => FailureKind::RequestTimeout,
            None => FailureKind::Decode,
        },
    };
    Failure { kind, phase: Phase::Body }
}

/// The server's own word that it did not act (RFC 9113 §8.7).
///
/// For GOAWAY: h2 gives a stream that error only when its number is above the frame's last stream, or when it was never
/// opened (h2 0.4.20 `proto/streams/streams.rs`: 802-831, 1089); a stream that the server may have processed breaks off
/// with an I/O error instead.
const fn refused_by_server(kind: FailureKind) -> bool {
    matches!(kind, FailureKind::StreamRefused | FailureKind::GoAway)
}

fn before_head(error: &reqwest::Error) -> Failure {
    if error.is_builder() {
        return Failure { kind: FailureKind::Builder, phase: Phase::Prepare };
    }
    if error.is_redirect() {
        return Failure { kind: FailureKind::Redirect, phase: Phase::Answer };
    }
    if error.is_connect() {
        return connecting(error);
    }
    let kind = match connection_failure(error) {
        // An end of file before the head is complete, whoever reports it.
        Some(FailureKind::Truncated) => FailureKind::Closed,
        Some(kind) => kind,
        // A timer of reqwest's own: only a client that was adopted has one.
        None if error.is_timeout() => FailureKind::RequestTimeout,
        None => FailureKind::Io,
    };
    Failure { kind, phase: Phase::Answer }
}

/// A failure before there was a connection.
fn connecting(error: &reqwest::Error) -> Failure {
    if error.is_dns() {
        return Failure { kind: FailureKind::UnknownHost, phase: Phase::Resolve };
    }
    if let Some(tls) = find::<rustls::Error>(error) {
        let kind = if is_permanent(tls) { FailureKind::Certificate } else { FailureKind::TlsHandshake };
        return Failure { kind, phase: Phase::Tls };
    }
    match tunnel(error).as_deref() {
        // The proxy itself was not reached: why, is told below.
        None | Some("failed to create underlying connection") => {}
        Some("proxy authorization required") => {
            return Failure { kind: FailureKind::ProxyAuthentication, phase: Phase::Connect };
        }
        Some(_) => return Failure { kind: FailureKind::ProxyTunnel, phase: Phase::Connect },
    }
    // Asked before the I/O kinds: reqwest's connect timeout carries none.
    if error.is_timeout() {
        return Failure { kind: FailureKind::ConnectTimeout, phase: Phase::Connect };
    }
    if is_abandoned(error) {
        return Failure { kind: FailureKind::ConnectAbandoned, phase: Phase::Connect };
    }
    match find::<io::Error>(error).map(io::Error::kind) {
        Some(ErrorKind::ConnectionRefused) => Failure { kind: FailureKind::Refused, phase: Phase::Connect },
        Some(ErrorKind::ConnectionReset | ErrorKind::UnexpectedEof | ErrorKind::BrokenPipe) if is_https(error) => {
            Failure { kind: FailureKind::TlsHandshake, phase: Phase::Tls }
        }
        Some(ErrorKind::ConnectionReset) => Failure { kind: FailureKind::Reset, phase: Phase::Connect },
        Some(_) | None => Failure { kind: FailureKind::Unreachable, phase: Phase::Connect },
    }
}

/// What became of the CONNECT to a proxy, which stands before anything that is sent to the server.
///
/// The type is private, the words are not, and no status is among them: hyper-util 0.1.21
/// `client/legacy/connect/proxy/tunnel.rs`: 236-250 (`TunnelError`).
fn tunnel(error: &reqwest::Error) -> Option<String> {
    let links = std::iter::successors(error.source(), |link| (*link).source());
    links.map(ToString::to_string).find_map(|told| told.strip_prefix("tunnel error: ").map(str::to_owned))
}

/// Over HTTP/2 calls share a connection; when the call that opens it goes away, those that wait for it are told so.
///
/// The type is private, the words are not: hyper-util 0.1.21 `client/legacy/pool.rs`: 619 (`CheckoutNoLongerWanted`).
fn is_abandoned(error: &reqwest::Error) -> bool {
    let mut innermost: &dyn StdError = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string() == "request was canceled"
}

fn is_https(error: &reqwest::Error) -> bool {
    error.url().is_some_and(|url| url.scheme() == "https")
}

/// What the error of a known type in the chain says; `None` when there is none.
fn connection_failure(error: &reqwest::Error) -> Option<FailureKind> {
    if let Some(stream) = find::<h2::Error>(error) {
        return Some(http2(stream));
    }
    if let Some(tls) = find::<rustls::Error>(error) {
        return Some(if is_permanent(tls) { FailureKind::Certificate } else { FailureKind::Io });
    }
    if let Some(io) = find::<io::Error>(error) {
        return Some(match io.kind() {
            ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted => FailureKind::Reset,
            ErrorKind::BrokenPipe => FailureKind::Closed,
            ErrorKind::UnexpectedEof => FailureKind::Truncated,
            ErrorKind::InvalidData | ErrorKind::InvalidInput => FailureKind::Garbage,
            _ => FailureKind::Io,
        });
    }
    let http = find::<hyper::Error>(error)?;
    // The question for it is asked by servers only, the words are the same (hyper 1.12.0 `error.rs`: 525).
    Some(if http.is_parse() && http.to_string() == "message head is too large" {
        FailureKind::HeadTooLarge
    } else if http.is_parse() {
        FailureKind::Garbage
    } else if http.is_incomplete_message() || http.is_closed() || http.is_canceled() {
        FailureKind::Closed
    } else {
        FailureKind::Io
    })
}

fn http2(error: &h2::Error) -> FailureKind {
    if error.is_go_away() && error.is_remote() {
        FailureKind::GoAway
    } else if error.is_reset() && error.is_remote() && error.reason() == Some(h2::Reason::REFUSED_STREAM) {
        FailureKind::StreamRefused
    } else if error.is_reset() {
        FailureKind::StreamReset
    } else {
        match error.get_io().map(io::Error::kind) {
            Some(ErrorKind::ConnectionReset) => FailureKind::Reset,
            Some(_) => FailureKind::Closed,
            None => FailureKind::Garbage,
        }
    }
}

/// Would the next handshake fail alike? Certificates and configurations do not mend themselves within a call.
const fn is_permanent(error: &rustls::Error) -> bool {
    use rustls::Error as Tls;
    match error {
        Tls::InvalidCertificate(_)
        | Tls::InvalidCertRevocationList(_)
        | Tls::NoCertificatesPresented
        | Tls::UnsupportedNameType
        | Tls::PeerIncompatible(_)
        | Tls::NoApplicationProtocol => true,
        Tls::AlertReceived(alert) => matches!(
            alert,
            AlertDescription::BadCertificate
                | AlertDescription::UnsupportedCertificate
                | AlertDescription::CertificateRevoked
                | AlertDescription::CertificateExpired
                | AlertDescription::CertificateUnknown
                | AlertDescription::CertificateRequired
                | AlertDescription::UnknownCA
                | AlertDescription::AccessDenied
                | AlertDescription::HandshakeFailure
                | AlertDescription::ProtocolVersion
                | AlertDescription::InsufficientSecurity
                | AlertDescription::UnrecognisedName
                | AlertDescription::NoApplicationProtocol
        ),
        _ => false,
    }
}

/// The innermost error of type `E` in the chain: wrappers say less than what they wrap.
///
/// `io::Error::source` skips the error it wraps, so that one is looked into as well.
fn find<'e, E: StdError + 'static>(error: &'e (dyn StdError + 'static)) -> Option<&'e E> {
    let wrapped = match error.downcast_ref::<io::Error>() {
        Some(io) => io.get_ref().map(|inner| inner as &(dyn StdError + 'static)),
        None => error.source(),
    };
    wrapped.and_then(find::<E>).or_else(|| error.downcast_ref::<E>())
}
