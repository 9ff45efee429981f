//! Which gRPC status an answer's head tells.

use std::fmt;

use http::{HeaderMap, StatusCode};

/// A gRPC status code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GrpcStatus(u8);

/// The codes in their order, `OK` first. Source: grpc `doc/statuscodes.md`.
const NAMES: [&str; 17] = [
    "OK",
    "CANCELLED",
    "UNKNOWN",
    "INVALID_ARGUMENT",
    "DEADLINE_EXCEEDED",
    "NOT_FOUND",
    "ALREADY_EXISTS",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "FAILED_PRECONDITION",
    "ABORTED",
    "OUT_OF_RANGE",
    "UNIMPLEMENTED",
    "INTERNAL",
    "UNAVAILABLE",
    "DATA_LOSS",
    "UNAUTHENTICATED",
];

impl GrpcStatus {
    /// The call succeeded.
    pub const OK: GrpcStatus = GrpcStatus(0);
    /// Something broke; also what a stream counts as that the server reset.
    pub const INTERNAL: GrpcStatus = GrpcStatus(13);
    /// What a lost connection, and the HTTP statuses 429, 502, 503 and 504, count as.
    pub const UNAVAILABLE: GrpcStatus = GrpcStatus(14);

    /// The code of this name, in capitals as the specification writes it.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        NAMES.iter().position(|known| *known == name).and_then(GrpcStatus::numbered)
    }

    /// The code of this number, `0..=16`.
    #[must_use]
    pub fn numbered(number: usize) -> Option<Self> {
        u8::try_from(number).ok().filter(|_| number < NAMES.len()).map(GrpcStatus)
    }

    /// Its name, such as `UNAVAILABLE`.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES[usize::from(self.0)]
    }

    /// The code that the head of an answer tells; `None` when it will only come after the body.
    ///
    /// An answer without a message carries `grpc-status` in its head ("Trailers-Only"). A status other than 200 counts by
    /// the table of grpc `doc/http-grpc-status-mapping.md`.
    #[must_use]
    pub fn of(status: StatusCode, headers: &HeaderMap) -> Option<Self> {
        GrpcStatus::in_head(headers).or(match status.as_u16() {
            200 => None,
            400 => Some(GrpcStatus::INTERNAL),
            401 => Some(GrpcStatus(16)),
            403 => Some(GrpcStatus(7)),
            404 => Some(GrpcStatus(12)),
            429 | 502..=504 => Some(GrpcStatus::UNAVAILABLE),
            _ => Some(GrpcStatus(2)),
        })
    }

    /// The code in the field `grpc-status` of an answer's head, if it is there.
    #[must_use]
    pub fn in_head(headers: &HeaderMap) -> Option<Self> {
        let code = headers.get("grpc-status")?.to_str().ok()?.trim().parse().ok()?;
        // A code that nobody knows is UNKNOWN.
        Some(GrpcStatus::numbered(code).unwrap_or(GrpcStatus(2)))
    }
}

impl fmt::Display for GrpcStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
