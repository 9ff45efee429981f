//! Reading a gRPC service config, the JSON that a channel is given or finds in DNS.

use std::num::NonZeroU32;
use std::time::Duration;

use serde_json::Value;

use super::{GrpcHedging, GrpcPolicy, GrpcRetry, GrpcThrottling};
use crate::GrpcStatus;

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
    /// Keys that are not about retries or deadlines are passed over.
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
    /// [`GrpcConfigError`] when a value is not what gRFC A6 allows, in the entry of another method too: a channel refuses
    /// such a config as a whole.
    pub fn from_service_config(json: &str, service: &str, method: &str) -> Result<Self, GrpcConfigError> {
        let config: Value = serde_json::from_str(json).map_err(|_| wrong("the text", "JSON"))?;
        if !config.is_object() {
            return Err(wrong("the text", "a JSON object"));
        }
        let throttling = config.get("retryThrottling").map(throttling).transpose()?;
        let entries = list(config.get("methodConfig"), "methodConfig")?.iter().map(Entry::read);
        let entries = entries.collect::<Result<Vec<_>, _>>()?;
        let mut names: Vec<_> = entries.iter().flat_map(|entry| &entry.names).collect();
        names.sort_unstable();
        if names.windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(wrong("a name of a methodConfig", "in no other place"));
        }
        let naming =
            |service: &str, method: &str| entries.iter().find(|entry| entry.names.contains(&(service, method)));
        let entry = naming(service, method).or_else(|| naming(service, "")).or_else(|| naming("", ""));
        let of_method = entry.map(|entry| entry.policy.clone()).unwrap_or_default();
        Ok(GrpcPolicy { throttling, ..of_method })
    }
}

/// A `methodConfig`.
struct Entry<'a> {
    /// Service and method; empty ones mean all.
    names: Vec<(&'a str, &'a str)>,
    policy: GrpcPolicy,
}

impl<'a> Entry<'a> {
    fn read(value: &'a Value) -> Result<Self, GrpcConfigError> {
        let names = list(value.get("name"), "name")?.iter().map(name).collect::<Result<_, _>>()?;
        let retry = value.get("retryPolicy").map(retry).transpose()?;
        let hedging = value.get("hedgingPolicy").map(hedging).transpose()?;
        if retry.is_some() && hedging.is_some() {
            return Err(wrong("a methodConfig", "without retryPolicy or without hedgingPolicy"));
        }
        let timeout = value.get("timeout").map(|timeout| duration(timeout, "timeout")).transpose()?;
        Ok(Entry { names, policy: GrpcPolicy { retry, hedging, timeout, throttling: None } })
    }
}

/// A method needs its service.
fn name(value: &Value) -> Result<(&str, &str), GrpcConfigError> {
    let right = wrong("name", "a list of objects with a service, or a service and a method, or neither");
    let part = |key| value.get(key).map_or(Some(""), Value::as_str);
    match (part("service"), part("method")) {
        (Some(service), Some(method)) if value.is_object() && (!service.is_empty() || method.is_empty()) => {
            Ok((service, method))
        }
        _ => Err(right),
    }
}

fn retry(value: &Value) -> Result<GrpcRetry, GrpcConfigError> {
    let multiplier = value.get("backoffMultiplier").and_then(Value::as_f64).filter(|factor| *factor > 0.0);
    let codes = codes(value.get("retryableStatusCodes"), "retryableStatusCodes")?;
    if codes.is_empty() {
        return Err(wrong("retryableStatusCodes", "a list with at least one code"));
    }
    Ok(GrpcRetry {
        max_attempts: attempts(value)?,
        initial_backoff: backoff(value, "initialBackoff")?,
        max_backoff: backoff(value, "maxBackoff")?,
        backoff_multiplier: multiplier.ok_or(wrong("backoffMultiplier", "a number above 0"))?,
        codes,
    })
}

fn hedging(value: &Value) -> Result<GrpcHedging, GrpcConfigError> {
    // Without it, all are sent at once.
    let delay = value.get("hedgingDelay").map_or(Ok(Duration::ZERO), |delay| duration(delay, "hedgingDelay"))?;
    // A6 requires it; the clients take its absence for an empty one, with which every code is fatal.
    let non_fatal = match value.get("nonFatalStatusCodes") {
        None => Vec::new(),
        some => codes(some, "nonFatalStatusCodes")?,
    };
    Ok(GrpcHedging { max_attempts: attempts(value)?, delay, non_fatal })
}

fn throttling(value: &Value) -> Result<GrpcThrottling, GrpcConfigError> {
    let tokens = value.get("maxTokens").and_then(Value::as_u64).filter(|tokens| (1..=1000).contains(tokens));
    let ratio = value.get("tokenRatio").and_then(Value::as_f64).filter(|ratio| (0.001..=1000.0).contains(ratio));
    let (Some(tokens), Some(ratio)) = (tokens.and_then(|tokens| u32::try_from(tokens).ok()), ratio) else {
        return Err(wrong("retryThrottling", "a maxTokens from 1 to 1000 and a tokenRatio from 0.001 to 1000"));
    };
    // Three decimals count, the rest is cut off; a third decimal that binary holds a little too small still counts.
    Ok(GrpcThrottling { max_tokens: tokens, token_ratio_thousandths: (ratio * 1000.0 + 1e-6) as u32 })
}

fn attempts(value: &Value) -> Result<NonZeroU32, GrpcConfigError> {
    let number = value.get("maxAttempts").and_then(Value::as_u64).filter(|number| *number > 1);
    let number = number.map(|number| u32::try_from(number).unwrap_or(u32::MAX));
    number.and_then(NonZeroU32::new).ok_or(wrong("maxAttempts", "a whole number above 1"))
}

fn backoff(value: &Value, place: &'static str) -> Result<Duration, GrpcConfigError> {
    let told = value.get(place).map(|told| duration(told, place)).transpose()?;
    told.filter(|told| !told.is_zero()).ok_or(wrong(place, "a duration above zero such as \"0.1s\""))
}

/// `"0.1s"`, as protobuf writes a `Duration` in JSON; `".1s"` stands in gRFC A6.
fn duration(value: &Value, place: &'static str) -> Result<Duration, GrpcConfigError> {
    let decimal = |digits: &&str| digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let seconds = value.as_str().and_then(|text| text.strip_suffix('s')).filter(decimal);
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds.parse().ok()?).ok());
    duration.ok_or(wrong(place, "a duration such as \"0.1s\""))
}

/// Names in capitals, or numbers. A success is no failure that could be repeated.
fn codes(value: Option<&Value>, place: &'static str) -> Result<Vec<GrpcStatus>, GrpcConfigError> {
    let right = wrong(place, "a list of codes such as \"UNAVAILABLE\", without OK");
    let entries = value.and_then(Value::as_array).ok_or(right.clone())?;
    let code = |entry: &Value| match entry.as_u64() {
        Some(number) => usize::try_from(number).ok().and_then(GrpcStatus::numbered),
        None => entry.as_str().and_then(GrpcStatus::named),
    };
    let failure = |entry| code(entry).filter(|code| *code != GrpcStatus::OK).ok_or(right.clone());
    entries.iter().map(failure).collect()
}

/// Absent is empty.
fn list<'a>(value: Option<&'a Value>, place: &'static str) -> Result<&'a [Value], GrpcConfigError> {
    match value {
        None => Ok(&[]),
        Some(value) => value.as_array().map(Vec::as_slice).ok_or(wrong(place, "a list")),
    }
}

const fn wrong(place: &'static str, right: &'static str) -> GrpcConfigError {
    GrpcConfigError { place, right }
}
