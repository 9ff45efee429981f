//! What a setting may be, in words that follow "expected" and "it must be".

use http::StatusCode;
use httpx_retry::PRESETS;

/// A number of a setting.
pub(crate) struct Wanted<T> {
    /// What would be right, as it follows "expected" and "it must be".
    pub(crate) right: &'static str,
    pub(crate) holds: fn(&T) -> bool,
}

pub(crate) const FACTOR: Wanted<f64> =
    Wanted { right: "a finite number, 1 or more", holds: |factor| *factor >= 1.0 && factor.is_finite() };
pub(crate) const JITTER: Wanted<f64> =
    Wanted { right: "a ratio from 0 to 1", holds: |ratio| (0.0..=1.0).contains(ratio) };
pub(crate) const STATUS: Wanted<u16> =
    Wanted { right: "a status code, 100 to 999", holds: |code| StatusCode::from_u16(*code).is_ok() };

/// The names of all policies.
pub(crate) fn policies() -> Vec<&'static str> {
    PRESETS.iter().map(|preset| preset.name).collect()
}

pub(crate) fn unknown_policy(name: &str, known: &[&str]) -> String {
    format!("unknown policy {name:?}; the policies are {}", known.join(", "))
}
