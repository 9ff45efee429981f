//! How an attempt can end without a complete answer, and in which phase.

use std::fmt;

/// How far an attempt had come when it ended.
///
/// Orthogonal to [`Sent`](crate::Sent): a connection that closes in [`Phase::Answer`] may or may not have carried the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// Nothing was tried yet: the request could not be built.
    Prepare,
    /// Looking up the host name.
    Resolve,
    /// Opening a connection. Also where the client cannot tell resolving, connecting, TLS and waiting for a free
    /// connection apart: a timeout of ours before the request was sent.
    Connect,
    /// TLS handshake.
    Tls,
    /// Request handed to a connection, no complete answer head yet.
    Answer,
    /// Answer head received, reading the body.
    Body,
}

impl Phase {
    /// The word used in output: `prepare`, `resolve`, `connect`, `tls`, `answer`, `body`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Phase::Prepare => "prepare",
            Phase::Resolve => "resolve",
            Phase::Connect => "connect",
            Phase::Tls => "tls",
            Phase::Answer => "answer",
            Phase::Body => "body",
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What went wrong in an attempt.
///
/// Named after what was observed, never after what it might mean for the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FailureKind {
    /// The connect timeout elapsed.
    ConnectTimeout,
    /// The timeout of the attempt elapsed.
    RequestTimeout,
    /// Nothing came for as long as the read timeout: no answer, or no further piece of its body.
    ReadTimeout,
    /// The deadline of the whole call passed while the attempt ran.
    Deadline,
    /// The name did not resolve.
    UnknownHost,
    /// The server's machine refused the connection.
    Refused,
    /// Any other failure to connect: unreachable network, no route, no free port.
    Unreachable,
    /// The connection it waited for, which another call was opening, was given up with that call.
    ConnectAbandoned,
    /// The proxy opened no tunnel to the server: it answered CONNECT with another status, or not at all.
    ProxyTunnel,
    /// The TLS handshake broke off.
    TlsHandshake,
    /// The peer's certificate was rejected, or TLS is set up in a way that can never work.
    Certificate,
    /// The proxy wants credentials, or others (407).
    ProxyAuthentication,
    /// The connection was reset.
    Reset,
    /// The connection closed before a complete answer head.
    Closed,
    /// The body ended before its end.
    Truncated,
    /// What came is not HTTP.
    Garbage,
    /// The head of the answer is larger than the client reads: over HTTP/1.1 more than 100 fields, or some 400 KiB.
    HeadTooLarge,
    /// HTTP/2 stream refused (`REFUSED_STREAM`).
    StreamRefused,
    /// HTTP/2 stream reset with any other code.
    StreamReset,
    /// HTTP/2 `GOAWAY` that excludes the stream.
    GoAway,
    /// Any other I/O failure.
    Io,
    /// The request could not be built.
    Builder,
    /// The URL's scheme is neither `http` nor `https`.
    UnsupportedScheme,
    /// More redirects than are followed, or one to a scheme that is neither `http` nor `https`.
    Redirect,
    /// The caller's own body stream failed.
    RequestBody,
    /// A complete body could not be decoded.
    Decode,
}

/// Broad classes that rules reason about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FailureClass {
    /// A limit of ours elapsed after the connect phase, or in a phase that the limit does not tell.
    Timeout,
    /// A limit of ours elapsed while connecting.
    ConnectTimeout,
    /// The time for the whole call is over.
    Deadline,
    /// The network or the peer failed.
    Io,
    /// The next attempt would fail alike.
    Permanent,
}

impl FailureKind {
    /// Every kind, in the order of the type.
    pub const ALL: &[FailureKind] = &[
        FailureKind::ConnectTimeout,
        FailureKind::RequestTimeout,
        FailureKind::ReadTimeout,
        FailureKind::Deadline,
        FailureKind::UnknownHost,
        FailureKind::Refused,
        FailureKind::Unreachable,
        FailureKind::ConnectAbandoned,
        FailureKind::ProxyTunnel,
        FailureKind::TlsHandshake,
        FailureKind::Certificate,
        FailureKind::ProxyAuthentication,
        FailureKind::Reset,
        FailureKind::Closed,
        FailureKind::Truncated,
        FailureKind::Garbage,
        FailureKind::HeadTooLarge,
        FailureKind::StreamRefused,
        FailureKind::StreamReset,
        FailureKind::GoAway,
        FailureKind::Io,
        FailureKind::Builder,
        FailureKind::UnsupportedScheme,
        FailureKind::Redirect,
        FailureKind::RequestBody,
        FailureKind::Decode,
    ];

    /// The word used in output and on the command line, such as `connect-timeout`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            FailureKind::ConnectTimeout => "connect-timeout",
            FailureKind::RequestTimeout => "request-timeout",
            FailureKind::ReadTimeout => "read-timeout",
            FailureKind::Deadline => "deadline",
            FailureKind::UnknownHost => "unknown-host",
            FailureKind::Refused => "refused",
            FailureKind::Unreachable => "unreachable",
            FailureKind::ConnectAbandoned => "connect-abandoned",
            FailureKind::ProxyTunnel => "proxy-tunnel",
            FailureKind::TlsHandshake => "tls-handshake",
            FailureKind::Certificate => "certificate",
            FailureKind::ProxyAuthentication => "proxy-authentication",
            FailureKind::Reset => "reset",
            FailureKind::Closed => "closed",
            FailureKind::Truncated => "truncated",
            FailureKind::Garbage => "garbage",
            FailureKind::HeadTooLarge => "head-too-large",
            FailureKind::StreamRefused => "stream-refused",
            FailureKind::StreamReset => "stream-reset",
            FailureKind::GoAway => "go-away",
            FailureKind::Io => "io",
            FailureKind::Builder => "builder",
            FailureKind::UnsupportedScheme => "unsupported-scheme",
            FailureKind::Redirect => "redirect",
            FailureKind::RequestBody => "request-body",
            FailureKind::Decode => "decode",
        }
    }

    /// What a person reads: `connection reset`, `connect timed out`.
    #[must_use]
    pub const fn phrase(self) -> &'static str {
        match self {
            FailureKind::ConnectTimeout => "connect timed out",
            FailureKind::RequestTimeout => "request timed out",
            FailureKind::ReadTimeout => "read timed out",
            FailureKind::Deadline => "deadline passed",
            FailureKind::UnknownHost => "unknown host",
            FailureKind::Refused => "connection refused",
            FailureKind::Unreachable => "cannot connect",
            FailureKind::ConnectAbandoned => "the connection it waited for was given up",
            FailureKind::ProxyTunnel => "proxy opened no tunnel",
            FailureKind::TlsHandshake => "TLS handshake broke off",
            FailureKind::Certificate => "certificate rejected or TLS misconfigured",
            FailureKind::ProxyAuthentication => "proxy authentication required",
            FailureKind::Reset => "connection reset",
            FailureKind::Closed => "connection closed",
            FailureKind::Truncated => "body ended early",
            FailureKind::Garbage => "answer is not HTTP",
            FailureKind::HeadTooLarge => "head of the answer is too large",
            FailureKind::StreamRefused => "stream refused",
            FailureKind::StreamReset => "stream reset",
            FailureKind::GoAway => "server going away",
            FailureKind::Io => "I/O failed",
            FailureKind::Builder => "request cannot be built",
            FailureKind::UnsupportedScheme => "unsupported URL scheme",
            FailureKind::Redirect => "redirect cannot be followed",
            FailureKind::RequestBody => "request body failed",
            FailureKind::Decode => "body cannot be decoded",
        }
    }

    /// The class that rules reason about; the one place where a kind is judged.
    #[must_use]
    pub const fn class(self) -> FailureClass {
        match self {
            FailureKind::ConnectTimeout => FailureClass::ConnectTimeout,
            FailureKind::RequestTimeout | FailureKind::ReadTimeout => FailureClass::Timeout,
            FailureKind::UnknownHost
            | FailureKind::Refused
            | FailureKind::Unreachable
            | FailureKind::ConnectAbandoned
            | FailureKind::ProxyTunnel
            | FailureKind::TlsHandshake
            | FailureKind::Reset
            | FailureKind::Closed
            | FailureKind::Truncated
            | FailureKind::Garbage
            | FailureKind::StreamRefused
            | FailureKind::StreamReset
            | FailureKind::GoAway
            | FailureKind::Io => FailureClass::Io,
            FailureKind::Deadline => FailureClass::Deadline,
            FailureKind::Certificate
            | FailureKind::ProxyAuthentication
            | FailureKind::HeadTooLarge
            | FailureKind::Builder
            | FailureKind::UnsupportedScheme
            | FailureKind::Redirect
            | FailureKind::RequestBody
            | FailureKind::Decode => FailureClass::Permanent,
        }
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A failure: what, and where in the attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Failure {
    /// What went wrong.
    pub kind: FailureKind,
    /// How far the attempt had come.
    pub phase: Phase,
}
