//! `httpx.toml`.

use bolero::check;
use httpx_client::{ClientBuilder, Config};

use crate::support::{numbers, text};

const WORDS: &[&str] = &[
    "\n",
    "policy",
    "max_attempts",
    "delay",
    "factor",
    "max_delay",
    "jitter",
    "statuses",
    "retry_after",
    "budget",
    "deadline",
    "timeout",
    "connect_timeout",
    "read_timeout",
    "max_redirects",
    "max_body",
    "user_agent",
    "http_version",
    "proxy",
    "no_proxy",
    "proxy_from_environment",
    "auth",
    "[auth]\n",
    "[budget]\n",
    "bearer_file",
    "refresh_url",
    "origins",
    " = ",
    "=",
    "\"",
    "\"500ms\"",
    "\"0s\"",
    "\"off\"",
    "\"1e400s\"",
    "\"99999999999999years\"",
    "\"never\"",
    "\"wait\"",
    "\"2\"",
    "0",
    "1",
    "-1",
    "0.25",
    "1e308",
    "inf",
    "nan",
    "[503]",
    "[0, 70000]",
    "[",
    "]",
    "{",
    "}",
    "true",
    "false",
    "''",
    "capacity",
    "\"http://u:p@h:1\"",
    "\"a b\"",
    "#",
    "\\u0000",
];

/// Settings are refused in one line, or written down and read again as they were; building from them never panics.
#[test]
fn config() {
    check!().with_generator(numbers(24)).for_each(|numbers| {
        let toml = text(numbers, WORDS);
        match toml.parse::<Config>() {
            Err(error) => assert_eq!(error.to_string().lines().count(), 1, "{toml:?}: {error}"),
            Ok(config) => {
                let written = toml::to_string(&config).unwrap();
                let again: Config = written.parse().unwrap_or_else(|error| panic!("{toml:?} {written:?}: {error}"));
                // Not by value: what is not a number is not equal to itself.
                assert_eq!(format!("{again:?}"), format!("{config:?}"), "{toml:?}");
                if let Err(error) = ClientBuilder::from(config).build() {
                    assert_eq!(error.to_string().lines().count(), 1, "{toml:?}: {error}");
                }
            }
        }
    });
}
