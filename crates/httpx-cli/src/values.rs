//! Words on the command line, read as values.

use std::num::NonZeroU32;
use std::time::Duration;

use http::Method;
use httpx_client::{Digest, Limit, Proxy};

/// `300ms`, `2s`, `1m 30s`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|_| format!("{text:?} is not a duration; write it as 500ms or 2s"))
}

/// A duration, or `off`.
pub(crate) fn limit(text: &str) -> Result<Limit, String> {
    if text == "off" {
        return Ok(Limit::Off);
    }
    duration(text).map(Limit::After).map_err(|told| format!("{told}, or off for no limit"))
}

/// How long one attempt of a survey may take. Its records tell it in milliseconds, and divide by it.
pub(crate) fn timeout(text: &str) -> Result<Duration, String> {
    let is_told_whole = |timeout: &Duration| !timeout.is_zero() && timeout.subsec_nanos().is_multiple_of(1_000_000);
    let timeout = Some(duration(text)?).filter(is_told_whole);
    timeout.ok_or_else(|| format!("{text:?} is no timeout that can be measured; write whole milliseconds, 1ms or more"))
}

/// A number of attempts.
pub(crate) fn attempts(text: &str) -> Result<NonZeroU32, String> {
    text.parse().map_err(|_| format!("{text:?} is not a number of attempts; write 1 or more, the first one included"))
}

/// A whole number.
pub(crate) fn number(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("{text:?} is not a number; write a whole one up to {}", u32::MAX))
}

/// A number of redirects.
pub(crate) fn redirects(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| format!("{text:?} is not a number of redirects; write 0 or more"))
}

/// What chance begins with.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("{text:?} is not a seed; write a whole number up to {}", u64::MAX))
}

/// A TCP port.
pub(crate) fn port(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| format!("{text:?} is not a port; write a number up to 65535, or 0 for any free one"))
}

/// A ratio.
pub(crate) fn ratio(text: &str) -> Result<f64, String> {
    let ratio = text.parse().ok().filter(|ratio| (0.0..=1.0).contains(ratio));
    ratio.ok_or_else(|| format!("{text:?} is not a ratio; write a number from 0 to 1, such as 0.25"))
}

/// A share, as a ratio or in hundredths: `0.3`, `30%`.
pub(crate) fn share(text: &str) -> Result<f64, String> {
    let share = portion(text).filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| format!("{text:?} is not a share; write it as 30% or 0.3"))
}

/// A share that may be more than all: `0.7`, `120%`.
pub(crate) fn load(text: &str) -> Result<f64, String> {
    portion(text).ok_or_else(|| format!("{text:?} is not a load; write it as 70% or 0.7"))
}

fn portion(text: &str) -> Option<f64> {
    let (number, whole) = text.strip_suffix('%').map_or((text, 1.0), |number| (number, 100.0));
    number.trim_end().parse().ok().map(|number: f64| number / whole)
}

/// A SHA-256 digest.
pub(crate) fn sha256(text: &str) -> Result<Digest, String> {
    Digest::sha256(text).map_err(|error| error.to_string())
}

/// A SHA-512 digest.
pub(crate) fn sha512(text: &str) -> Result<Digest, String> {
    Digest::sha512(text).map_err(|error| error.to_string())
}

/// A proxy. What is wrong with it is told without its password.
pub(crate) fn proxy(text: &str) -> Result<Proxy, String> {
    Proxy::new(text).map_err(|error| error.to_string())
}

/// A method; those of RFC 9110 in any case, others as they are.
pub(crate) fn method(text: &str) -> Result<Method, String> {
    // What is no method may be a URL with a password in it: it is not told again.
    let other = || text.parse().map_err(|_| "this is not a method; it is a word such as GET".to_owned());
    known_method(text).map_or_else(other, Ok)
}

/// The method of RFC 9110 that `text` names, in any case.
pub(crate) fn known_method(text: &str) -> Option<Method> {
    const KNOWN: [Method; 9] = [
        Method::GET,
        Method::HEAD,
        Method::POST,
        Method::PUT,
        Method::DELETE,
        Method::CONNECT,
        Method::OPTIONS,
        Method::TRACE,
        Method::PATCH,
    ];
    KNOWN.into_iter().find(|method| method.as_str().eq_ignore_ascii_case(text))
}
