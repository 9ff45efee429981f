//! The client-side rate limit of the AWS SDKs' retry mode `adaptive`.
//!
//! A retry policy says what becomes of a call that failed. This says when the *next* call may leave, so that a server that
//! throttles is met with fewer calls instead of more retries. While nobody throttles it does nothing. From the first
//! throttled answer on it lets calls through at a rate that falls to 0.7 of what was measured, recovers along a cubic curve,
//! slowly near the rate that was too much, and is never more than twice what is really sent.
//!
//! Source: botocore `retries/adaptive.py` (the limiter, and how the rate is measured), `retries/throttling.py` (the
//! curve), `retries/bucket.py` (the bucket), as of 1.43.

use std::time::Duration;

/// The state of a rate limit. Every moment is counted from one that the caller chooses and keeps.
///
/// ```
/// use std::time::Duration;
/// use httpx_retry::AdaptiveRate;
///
/// let at = Duration::from_millis;
/// let rate = AdaptiveRate::start(at(0));
/// // Nobody throttles: no wait.
/// let (wait, rate) = rate.acquire(at(10));
/// assert_eq!(wait, Duration::ZERO);
/// // A throttled answer: from now on calls wait their turn.
/// let (wait, _) = rate.throttled(at(700)).acquire(at(700));
/// assert!(wait > Duration::ZERO);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdaptiveRate {
    measured: Measured,
    curve: Curve,
    /// Filled from the start, and asked only when `limited`.
    bucket: Tokens,
    /// Whether an answer has throttled yet.
    limited: bool,
}

impl AdaptiveRate {
    /// That of a client which has sent nothing yet.
    #[must_use]
    pub fn start(now: Duration) -> Self {
        let now = now.as_secs_f64();
        let measured = Measured { rate: 0.0, count: 0.0, since: now.floor() };
        let bucket = Tokens { tokens: 0.0, capacity: 1.0, rate: 1.0, at: now };
        AdaptiveRate { measured, curve: Curve { most: 0.0, failed: now }, bucket, limited: false }
    }

    /// How long a call that would leave now has to wait, and the state with its turn taken.
    #[must_use]
    pub fn acquire(self, now: Duration) -> (Duration, Self) {
        if !self.limited {
            return (Duration::ZERO, self);
        }
        let mut bucket = self.bucket.filled(now.as_secs_f64());
        // Below zero it is a queue: those who come later wait for it, too.
        bucket.tokens -= 1.0;
        let wait = (-bucket.tokens / bucket.rate).max(0.0);
        (Duration::from_secs_f64(wait), AdaptiveRate { bucket, ..self })
    }

    /// The state after an answer that does not throttle, or a failure.
    #[must_use]
    pub fn answered(self, now: Duration) -> Self {
        let now = now.as_secs_f64();
        let measured = self.measured.counted(now);
        let rate = self.curve.rate(now);
        let bucket = self.bucket.with_rate(rate.min(MOST_ABOVE * measured.rate), now);
        AdaptiveRate { measured, bucket, ..self }
    }

    /// The state after an answer that throttles.
    #[must_use]
    pub fn throttled(self, now: Duration) -> Self {
        let now = now.as_secs_f64();
        let measured = self.measured.counted(now);
        let too_much = if self.limited { self.bucket.rate.min(measured.rate) } else { measured.rate };
        let curve = Curve { most: too_much, failed: now };
        // Never above what MOST_ABOVE allows: what was too much is at most what is measured.
        let bucket = self.bucket.with_rate(too_much * FALL, now);
        AdaptiveRate { measured, curve, bucket, limited: true }
    }

    /// How many calls a second are let through; `None` while there is no limit.
    #[must_use]
    pub fn limit(&self) -> Option<f64> {
        self.limited.then_some(self.bucket.rate)
    }

    /// How many calls a second were answered lately.
    #[must_use]
    pub const fn measured(&self) -> f64 {
        self.measured.rate
    }
}

/// `_MAX_RATE_ADJUST_SCALE`: how far the limit may be above what is sent.
const MOST_ABOVE: f64 = 2.0;
/// `_BETA`: what a throttled answer leaves of the rate.
const FALL: f64 = 0.7;
/// `_SCALE_CONSTANT` of the cubic curve.
const STEEPNESS: f64 = 0.4;
/// `_MIN_RATE`: the limit never falls below it.
const LEAST: f64 = 0.5;
/// `_DEFAULT_SMOOTHING`: the weight of the newest measurement.
const SMOOTHING: f64 = 0.8;
/// `_TIME_BUCKET_RANGE`, in parts of a second: how often the rate is measured.
const MEASURED_PER_SECOND: f64 = 2.0;

/// How many answers come in a second, smoothed.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Measured {
    rate: f64,
    count: f64,
    since: f64,
}

impl Measured {
    fn counted(self, now: f64) -> Self {
        let slot = (now * MEASURED_PER_SECOND).floor() / MEASURED_PER_SECOND;
        let count = self.count + 1.0;
        if slot <= self.since {
            return Measured { count, ..self };
        }
        let newest = count / (slot - self.since);
        Measured { rate: newest * SMOOTHING + self.rate * (1.0 - SMOOTHING), count: 0.0, since: slot }
    }
}

/// The rate that recovers after a throttled answer.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Curve {
    /// The rate that was too much.
    most: f64,
    /// When.
    failed: f64,
}

impl Curve {
    fn rate(&self, now: f64) -> f64 {
        let back_at_most = (self.most * (1.0 - FALL) / STEEPNESS).cbrt();
        STEEPNESS * (now - self.failed - back_at_most).powi(3) + self.most
    }
}

/// A bucket that fills with time.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Tokens {
    tokens: f64,
    capacity: f64,
    /// Tokens a second.
    rate: f64,
    at: f64,
}

impl Tokens {
    fn filled(self, now: f64) -> Self {
        let tokens = self.tokens + (now - self.at).max(0.0) * self.rate;
        Tokens { tokens: tokens.min(self.capacity), at: now.max(self.at), ..self }
    }

    fn with_rate(self, rate: f64, now: f64) -> Self {
        let filled = self.filled(now);
        let capacity = rate.max(1.0);
        Tokens { rate: rate.max(LEAST), capacity, tokens: filled.tokens.min(capacity), ..filled }
    }
}
