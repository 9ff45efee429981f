//! The story of a call as one JSON object.

use std::time::Duration;

use http::StatusCode;
use httpx_client::{AttemptRecord, Attempts, Ended, Error, ErrorKind};
use serde::Serialize;

/// What a call came to.
#[derive(Debug, Serialize)]
pub(super) struct Report<'a> {
    /// Of a complete answer.
    status: Option<u16>,
    /// Why there is none. Exactly one of the two is there.
    error: Option<Broken<'a>>,
    attempts: Vec<Attempt<'a>>,
    stop_reason: &'a str,
    elapsed_ms: u64,
    body_bytes: u64,
}

#[derive(Debug, Serialize)]
struct Broken<'a> {
    kind: &'a str,
    sent: &'a str,
    phase: &'a str,
    message: String,
}

#[derive(Debug, Serialize)]
struct Attempt<'a> {
    number: u32,
    /// `answer`, or the kind of failure.
    outcome: &'a str,
    sent: &'a str,
    phase: Option<&'a str>,
    status: Option<u16>,
    elapsed_ms: u64,
    /// The wait that followed.
    wait_ms: Option<u64>,
    verdict: &'a str,
    reason: &'a str,
}

impl<'a> Report<'a> {
    /// The story of a call that ended with a complete answer, or with an error.
    pub(super) fn new(
        ended: Result<StatusCode, &Error>,
        attempts: &'a Attempts,
        elapsed: Duration,
        body_bytes: u64,
    ) -> Self {
        let (status, error) = match ended {
            Ok(status) => (Some(status.as_u16()), None),
            Err(error) => (None, Some(broken(error))),
        };
        Report {
            status,
            error,
            attempts: attempts.iter().map(attempt).collect(),
            stop_reason: attempts.stop_reason().code(),
            elapsed_ms: millis(elapsed),
            body_bytes,
        }
    }
}

fn broken<'a>(error: &Error) -> Broken<'a> {
    Broken { kind: kind(error), sent: error.sent().name(), phase: error.phase().name(), message: told(error) }
}

fn kind(error: &Error) -> &'static str {
    match error.kind() {
        ErrorKind::Failure(kind) => kind.name(),
        ErrorKind::File => "file",
        ErrorKind::Digest => "digest",
        ErrorKind::TooLarge => "too-large",
        // One below 400 that brings no file.
        _ => "status",
    }
}

/// The error and the innermost reason for it, which is what the system or the peer said.
pub(super) fn told(error: &Error) -> String {
    let mut innermost = std::error::Error::source(error);
    while let Some(source) = innermost.and_then(std::error::Error::source) {
        innermost = Some(source);
    }
    match innermost {
        Some(reason) if !error.to_string().contains(&reason.to_string()) => format!("{error}: {reason}"),
        Some(_) | None => error.to_string(),
    }
}

fn attempt(record: &AttemptRecord) -> Attempt<'_> {
    let (outcome, phase) = match record.ended {
        Ended::Answer(_) => ("answer", None),
        Ended::Cancelled => ("cancelled", None),
        Ended::Failure(failure) => (failure.kind.name(), Some(failure.phase.name())),
    };
    Attempt {
        number: record.number,
        outcome,
        sent: record.sent.name(),
        phase,
        status: record.status().map(|status| status.as_u16()),
        elapsed_ms: millis(record.elapsed),
        wait_ms: record.wait.map(millis),
        verdict: if record.wait.is_some() { "retry" } else { "stop" },
        reason: record.reason.code(),
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
