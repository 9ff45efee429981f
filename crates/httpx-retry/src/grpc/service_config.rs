//! Reading a gRPC service config, the JSON that a channel is given or finds in DNS.

use std::num::NonZeroU32;
use std::time::Duration;

use serde_json::Value;

use super::{GrpcPolicy, GrpcRetry, GrpcThrottling};
use crate::{GrpcStatus, Hedging};

/// Why a service config was refused: the place in it, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrpcConfigError {
    place: &'static str,
    right: &'static str,
}

impl std::fmt::Display for GrpcConfigError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "service config: {} must be {}", self.place, self.right)
    }
}

impl std::error::Error for GrpcConfigError {}

impl GrpcPolicy {
    /// What `json` says about `method` of `service`: the entry that names both, or the service alone, or neither.
    ///
    /// ```
    /// use httpx_retry::GrpcPolicy;
    ///
    /// let config = r#"{"methodConfig": [{"name": [{"service": "jobs.Jobs"}], "retryPolicy": {
    ///     "maxAttempts": 4, "initialBackoff": "0.1s", "maxBackoff": "1s", "backoffMultiplier": 2,
    ///     "retryableStatusCodes": ["UNAVAILABLE"]}}]}"#;
    /// let grpc = GrpcPolicy::from_service_config(config, "jobs.Jobs", "Submit")?;
    /// assert_eq!(grpc.retry.unwrap().max_attempts.get(), 4);
    /// # Ok::<(), httpx_retry::GrpcConfigError>(())
    /// ```
    ///
    /// # Errors
    /// [`GrpcConfigError`] when a value is not what gRFC A6 allows; a channel refuses such a config as a whole.
    pub fn from_service_config(json: &str, service: &str, method: &str) -> Result<Self, GrpcConfigError> {
        let config: Value = serde_json::from_str(json).map_err(|_| wrong("the text", "JSON"))?;
        let entry = entry(&config, service, method);
        let part = |name| entry.and_then(|entry| entry.get(name));
        let retry = part("retryPolicy").map(retry).transpose()?;
        let hedging = part("hedgingPolicy").map(hedging).transpose()?;
        if retry.is_some() && hedging.is_some() {
            return Err(wrong("a methodConfig", "without retryPolicy or without hedgingPolicy"));
        }
        let throttling = config.get("retryThrottling").map(throttling).transpose()?;
        Ok(GrpcPolicy { retry, hedging, throttling })
    }
}

fn entry<'a>(config: &'a Value, service: &str, method: &str) -> Option<&'a Value> {
    let entries = config.get("methodConfig")?.as_array()?;
    let naming = |service: &str, method: &str| {
        let told = |name: &Value, key: &str| name.get(key).and_then(Value::as_str).unwrap_or("").to_owned();
        entries.iter().find(|entry| {
            let names = entry.get("name").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
            names.iter().any(|name| told(name, "service") == service && told(name, "method") == method)
        })
    };
    naming(service, method).or_else(|| naming(service, "")).or_else(|| naming("", ""))
}

fn retry(value: &Value) -> Result<GrpcRetry, GrpcConfigError> {
    let multiplier = value.get("backoffMultiplier").and_then(Value::as_f64).filter(|factor| *factor > 0.0);
    let codes = codes(value.get("retryableStatusCodes"))?;
    if codes.is_empty() {
        return Err(wrong("retryableStatusCodes", "a list with at least one code"));
    }
    Ok(GrpcRetry {
        max_attempts: attempts(value)?,
        initial_backoff: duration(value.get("initialBackoff"), "initialBackoff")?,
        max_backoff: duration(value.get("maxBackoff"), "maxBackoff")?,
        backoff_multiplier: multiplier.ok_or(wrong("backoffMultiplier", "a number above 0"))?,
        codes,
    })
}

fn hedging(value: &Value) -> Result<Hedging, GrpcConfigError> {
    // Without it, all are sent at once.
    let delay = match value.get("hedgingDelay") {
        None => Duration::ZERO,
        some => duration(some, "hedgingDelay")?,
    };
    Ok(Hedging::new(delay, attempts(value)?))
}

fn throttling(value: &Value) -> Result<GrpcThrottling, GrpcConfigError> {
    let tokens = value.get("maxTokens").and_then(Value::as_u64).filter(|tokens| (1..=1000).contains(tokens));
    let ratio = value.get("tokenRatio").and_then(Value::as_f64).filter(|ratio| *ratio > 0.0 && *ratio <= 1000.0);
    let (Some(tokens), Some(ratio)) = (tokens.and_then(|tokens| u32::try_from(tokens).ok()), ratio) else {
        return Err(wrong("retryThrottling", "a maxTokens from 1 to 1000 and a tokenRatio above 0"));
    };
    // Three decimals count, the rest is cut off.
    Ok(GrpcThrottling { max_tokens: tokens, token_ratio_thousandths: (ratio * 1000.0) as u32 })
}

fn attempts(value: &Value) -> Result<NonZeroU32, GrpcConfigError> {
    let number = value.get("maxAttempts").and_then(Value::as_u64).filter(|number| *number > 1);
    let number = number.map(|number| u32::try_from(number).unwrap_or(u32::MAX));
    number.and_then(NonZeroU32::new).ok_or(wrong("maxAttempts", "a whole number above 1"))
}

/// `"0.1s"`, as protobuf writes a `Duration` in JSON.
fn duration(value: Option<&Value>, place: &'static str) -> Result<Duration, GrpcConfigError> {
    let seconds = value.and_then(Value::as_str).and_then(|text| text.strip_suffix('s')?.parse().ok());
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or(wrong(place, "a duration such as \"0.1s\""))
}

/// Names in capitals, or numbers.
fn codes(value: Option<&Value>) -> Result<Vec<GrpcStatus>, GrpcConfigError> {
    let right = wrong("retryableStatusCodes", "a list of codes such as \"UNAVAILABLE\"");
    let entries = value.and_then(Value::as_array).ok_or(right.clone())?;
    let code = |entry: &Value| match entry.as_u64() {
        Some(number) => usize::try_from(number).ok().and_then(GrpcStatus::numbered),
        None => entry.as_str().and_then(GrpcStatus::named),
    };
    entries.iter().map(|entry| code(entry).ok_or(right.clone())).collect()
}

const fn wrong(place: &'static str, right: &'static str) -> GrpcConfigError {
    GrpcConfigError { place, right }
}
