//! How long to wait before a retry.

use std::num::NonZeroU32;
use std::time::Duration;

/// A random number in `0.0..1.0`, drawn by the caller: this crate has no randomness.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Sample(f64);

impl Sample {
    /// The sample that gives the shortest wait.
    pub const LOWEST: Sample = Sample(0.0);
    /// Halfway: with symmetric jitter, no jitter.
    pub const MIDDLE: Sample = Sample(0.5);
    /// The sample that gives the longest wait.
    pub const HIGHEST: Sample = Sample::from_bits(u64::MAX);

    /// Makes a sample from random bits; uniform when they are.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        // 53 bits are what an f64 holds exactly.
        Sample((bits >> 11) as f64 / (1_u64 << 53) as f64)
    }

    /// The number, in `0.0..1.0`.
    #[must_use]
    pub const fn value(self) -> f64 {
        self.0
    }
}

/// How a wait is varied, so that clients do not come back in step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Jitter {
    /// Not at all.
    None,
    /// Uniform in `wait × (1 ± ratio)`, never above the cap; ratio `0.0..=1.0`.
    Ratio(f64),
    /// The same, and at the cap the wait may be longer than it. Sources: failsafe 3.3.2 `withJitter(double)`; gRFC A6
    /// lines 99-125.
    RatioOverCap(f64),
    /// Uniform in `0..wait`. Source: AWS SDK for Java 2.29.52, "full jitter".
    Full,
    /// Uniform in `wait / 2..wait`. Source: AWS SDK for Java 2.29.52, "half jitter".
    Half,
    /// Up to so much on top, above the cap too. Source: got 14.6.6 `core/options.js` 149-187 (`noise`).
    Additive(Duration),
}

/// Exponential back-off with a cap.
///
/// A zero is a zero: no initial wait means no wait, jitter 0 means none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Backoff {
    initial: Duration,
    factor: f64,
    cap: Duration,
    jitter: Jitter,
}

impl Backoff {
    /// 500 ms, doubled each time, at most 30 s, varied by ±0.25. Source: lib-httpx 2.5.0 `HxConfig`.
    pub const DEFAULT: Backoff = Backoff {
        initial: Duration::from_millis(500),
        factor: 2.0,
        cap: Duration::from_secs(30),
        jitter: Jitter::Ratio(0.25),
    };

    /// No wait at all, not even for a `Retry-After`: the cap is zero too.
    pub const NONE: Backoff = Backoff::fixed(Duration::ZERO);

    /// The same wait each time, not varied.
    #[must_use]
    pub const fn fixed(wait: Duration) -> Self {
        Backoff { initial: wait, factor: 1.0, cap: wait, jitter: Jitter::None }
    }

    /// `initial` before the first retry, doubled each time, without cap and jitter.
    #[must_use]
    pub const fn doubling(initial: Duration) -> Self {
        Backoff { initial, factor: 2.0, cap: Duration::MAX, jitter: Jitter::None }
    }

    /// The wait before the first retry.
    #[must_use]
    pub const fn with_initial(self, initial: Duration) -> Self {
        Backoff { initial, ..self }
    }

    /// What the wait is multiplied with from retry to retry; below 1 or not a number counts as 1.
    #[must_use]
    pub const fn with_factor(self, factor: f64) -> Self {
        Backoff { factor: if factor >= 1.0 { factor } else { 1.0 }, ..self }
    }

    /// The longest wait, jitter included unless [`Jitter`] says otherwise; [`Duration::MAX`] is none.
    #[must_use]
    pub const fn with_cap(self, cap: Duration) -> Self {
        Backoff { cap, ..self }
    }

    /// How waits are varied; a ratio outside `0.0..=1.0` is brought into it.
    #[must_use]
    pub const fn with_jitter(self, jitter: Jitter) -> Self {
        let jitter = match jitter {
            Jitter::Ratio(ratio) if ratio > 0.0 => Jitter::Ratio(if ratio < 1.0 { ratio } else { 1.0 }),
            Jitter::RatioOverCap(ratio) if ratio > 0.0 => Jitter::RatioOverCap(if ratio < 1.0 { ratio } else { 1.0 }),
            Jitter::Ratio(_) | Jitter::RatioOverCap(_) | Jitter::None => Jitter::None,
            Jitter::Full | Jitter::Half | Jitter::Additive(_) => jitter,
        };
        Backoff { jitter, ..self }
    }

    /// The wait before the first retry, before cap and jitter.
    #[must_use]
    pub const fn initial(&self) -> Duration {
        self.initial
    }

    /// What the wait is multiplied with from retry to retry; at least 1.
    #[must_use]
    pub const fn factor(&self) -> f64 {
        self.factor
    }

    /// The longest wait, jitter included.
    #[must_use]
    pub const fn cap(&self) -> Duration {
        self.cap
    }

    /// How waits are varied.
    #[must_use]
    pub const fn jitter(&self) -> Jitter {
        self.jitter
    }

    /// How long to wait before retry number `retry` (1 is the first), before `Retry-After` is taken into account.
    ///
    /// Grows as `initial × factor^(retry - 1)` up to the cap and is then varied by [`Jitter`], which says whether the cap
    /// holds afterwards too. Saturates instead of overflowing.
    #[must_use]
    pub fn wait(&self, retry: NonZeroU32, sample: Sample) -> Duration {
        self.varied(self.base(retry), sample)
    }

    /// The wait when the server asked for `hint` and jitter is applied afterwards: it may come out shorter than asked.
    #[must_use]
    pub fn wait_around(&self, hint: Duration, retry: NonZeroU32, sample: Sample) -> Duration {
        self.varied(self.base(retry).max(hint).min(self.cap), sample)
    }

    /// The wait when the server asked for at least `hint`: never below it, jitter included.
    ///
    /// The back-off's own wait or `hint` varied upwards only, whichever is longer, and at most the cap: at the cap there
    /// is no room for jitter. A hint of zero changes nothing.
    #[must_use]
    pub fn wait_at_least(&self, hint: Duration, retry: NonZeroU32, sample: Sample) -> Duration {
        let asked = match self.jitter {
            Jitter::Ratio(ratio) | Jitter::RatioOverCap(ratio) => scale(hint, 1.0 + ratio * sample.value()),
            Jitter::None | Jitter::Full | Jitter::Half | Jitter::Additive(_) => hint,
        };
        // `hint` once more: through f64, a long one may come back some nanoseconds short.
        self.wait(retry, sample).max(asked).max(hint).min(self.cap)
    }

    fn varied(&self, wait: Duration, sample: Sample) -> Duration {
        let around = |ratio: f64| scale(wait, 1.0 + ratio * (2.0 * sample.value() - 1.0));
        match self.jitter {
            Jitter::None => wait,
            Jitter::Ratio(ratio) => around(ratio).min(self.cap),
            Jitter::RatioOverCap(ratio) => around(ratio),
            Jitter::Full => scale(wait, sample.value()),
            Jitter::Half => scale(wait, 0.5 + sample.value() / 2.0),
            Jitter::Additive(most) => wait.saturating_add(scale(most, sample.value())),
        }
    }

    fn base(&self, retry: NonZeroU32) -> Duration {
        let growth = self.factor.powi(i32::try_from(retry.get() - 1).unwrap_or(i32::MAX));
        scale(self.initial, growth).min(self.cap)
    }
}

impl Default for Backoff {
    fn default() -> Self {
        Backoff::DEFAULT
    }
}

/// `duration × factor`, saturating; `Duration::mul_f64` panics instead.
fn scale(duration: Duration, factor: f64) -> Duration {
    // Growth may be infinite, and zero times infinity is not a number: without this, no wait would become the longest.
    if duration.is_zero() {
        return Duration::ZERO;
    }
    Duration::try_from_secs_f64(duration.as_secs_f64() * factor).unwrap_or(Duration::MAX)
}
