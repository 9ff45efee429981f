//! The text of a proxy.

use bolero::check;
use httpx_client::{Config, Proxy};

use crate::support::{numbers, text};

const WORDS: &[&str] = &[
    "http://",
    "https://",
    "HTTP://",
    "socks5://",
    "://",
    "@",
    ":",
    "/",
    "#",
    "?",
    "\\",
    "%",
    "%40",
    "%3A",
    "%0a",
    "%ff",
    "+",
    "[::1]",
    "[",
    "proxy.test",
    ":3128",
    "u",
    " ",
    ".",
    "é",
];

/// No secret is told, no part of one becomes the host, and what is written down is read again.
#[test]
fn proxy() {
    check!().with_generator((numbers(12), numbers(6), numbers(10))).for_each(|(before, secret, after)| {
        let secret = format!("HUSH{}", text(secret, WORDS));
        let written = format!("{}{secret}{}", text(before, WORDS), text(after, WORDS));
        match Proxy::new(&written) {
            Err(error) => {
                let told = format!("{error} {error:?}");
                assert!(!told.contains("HUSH") && told.lines().count() == 1, "{written:?}: {told}");
            }
            Ok(proxy) => {
                let told = proxy.to_string();
                let is_in_place = !written[written.find("HUSH").unwrap()..].contains('@');
                assert!(is_in_place || !told.to_ascii_uppercase().contains("HUSH"), "{written:?}: {told}");
                assert!(!told.contains('@') && !told[8..].contains('/'), "{written:?}: {told}");
                let config = Config { proxy: Some(proxy), ..Config::default() };
                let toml = toml::to_string(&config).unwrap();
                assert_eq!(toml.parse::<Config>().unwrap(), config, "{written:?}");
            }
        }
    });
}
