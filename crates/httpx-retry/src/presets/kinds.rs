//! Kinds of failure that other clients' rules treat alike.

use crate::FailureKind::{
    self, Certificate, Closed, ConnectTimeout, Garbage, GoAway, HeadTooLarge, Io, ProxyTunnel, ReadTimeout, Refused,
    RequestTimeout, Reset, StreamRefused, StreamReset, TlsHandshake, Truncated, UnknownHost, Unreachable,
};

/// No connection came about, for whatever reason.
pub(super) const NO_CONNECTION: &[FailureKind] =
    &[UnknownHost, Refused, Unreachable, ConnectTimeout, TlsHandshake, Certificate, ProxyTunnel];

/// A limit of the client's elapsed after the connect phase.
pub(super) const TIMEOUT: &[FailureKind] = &[RequestTimeout, ReadTimeout];

/// The connection broke.
pub(super) const LOST: &[FailureKind] = &[Reset, Closed, Io];

/// The HTTP/2 server said that it did not act.
pub(super) const NOT_PROCESSED: &[FailureKind] = &[StreamRefused, GoAway];

/// What Java calls an `IOException` and its like elsewhere: all that network and peer can do, certificates and limits
/// included.
pub(super) const ANY_IO: &[FailureKind] = &[
    UnknownHost,
    Refused,
    Unreachable,
    ConnectTimeout,
    TlsHandshake,
    Certificate,
    ProxyTunnel,
    RequestTimeout,
    ReadTimeout,
    Reset,
    Closed,
    Truncated,
    Garbage,
    HeadTooLarge,
    StreamRefused,
    StreamReset,
    GoAway,
    Io,
];
