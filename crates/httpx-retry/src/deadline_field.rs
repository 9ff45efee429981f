//! Telling the server how long the caller still waits.

use std::time::Duration;

use http::{HeaderName, HeaderValue};

/// The field in which every attempt carries what is left of the call's deadline, so that a server stops working on what
/// nobody waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeadlineField {
    /// `grpc-timeout`: at most eight digits and a unit. Source: grpc `doc/PROTOCOL-HTTP2.md`, `TimeoutValue`.
    GrpcTimeout,
}

impl DeadlineField {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> HeaderName {
        match self {
            DeadlineField::GrpcTimeout => HeaderName::from_static("grpc-timeout"),
        }
    }

    /// What it says when so much time is left: `2410m` for 2.41 s.
    ///
    /// The smallest unit, from milliseconds up, that needs no more than eight digits; rounded up, and at least `1m`, since
    /// zero is not allowed. More than eight digits of hours are `99999999H`.
    #[must_use]
    pub fn value(self, left: Duration) -> HeaderValue {
        match self {
            DeadlineField::GrpcTimeout => HeaderValue::try_from(grpc_timeout(left)).expect("digits and a letter"),
        }
    }
}

/// Milliseconds of each unit.
const UNITS: [(u128, char); 4] = [(1, 'm'), (1_000, 'S'), (60_000, 'M'), (3_600_000, 'H')];

/// Eight digits.
const MOST: u128 = 99_999_999;

fn grpc_timeout(left: Duration) -> String {
    let millis = left.as_nanos().div_ceil(1_000_000).max(1);
    let told = UNITS.map(|(size, unit)| (millis.div_ceil(size), unit));
    let (amount, unit) = told.into_iter().find(|(amount, _)| *amount <= MOST).unwrap_or((MOST, 'H'));
    format!("{amount}{unit}")
}
