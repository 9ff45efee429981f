//! `NO_PROXY`.

use bolero::check;
use httpx_client::NoProxy;
use url::Url;

use crate::support::{numbers, text};

const WORDS: &[&str] = &[
    "*",
    ".",
    "*.",
    ",",
    " ",
    ":",
    "/",
    "[",
    "]",
    "::1",
    "2001:db8::",
    "fe80::1%eth0",
    "10.0.0.0",
    "10.1.2.3",
    "127.0.0.1",
    "/8",
    "/32",
    "/33",
    "/0",
    "/128",
    "::ffff:10.1.2.3",
    "0x7f.1",
    "example.com",
    "EXAMPLE",
    ".test",
    "a",
    "bücher",
    "80",
    ":443",
    ":8080",
    "65536",
    "localhost",
    "\t",
    "%",
    "-",
];

const URLS: &[&str] = &[
    "http://example.com/",
    "http://a.example.com./",
    "https://example.com:8080/",
    "http://10.1.2.3/",
    "http://10.1.2.3:8080/",
    "http://[2001:db8::]/",
    "https://[::ffff:10.1.2.3]/",
    "http://bücher.example.com/",
    "http://127.0.0.1/",
    "http://test/",
    "http://a/",
    "http://[fe80::1]:443/",
];

/// A list covers what one of its entries covers and nothing else, in whatever case it is written.
#[test]
fn no_proxy() {
    let urls: Vec<Url> = URLS.iter().map(|url| url.parse().unwrap()).collect();
    check!().with_generator((numbers(30), numbers(8), 0..urls.len())).for_each(|(list, host, url)| {
        let list = text(list, WORDS);
        let own = Url::parse(&format!("http://{}/", text(host, WORDS)));
        let parsed = NoProxy::new(&*list);
        assert_eq!(parsed.as_str(), list);
        for url in own.iter().chain([&urls[*url]]) {
            let covered = parsed.covers(url);
            let entries = list.split(|c: char| c == ',' || c.is_whitespace());
            assert_eq!(entries.clone().any(|entry| NoProxy::new(entry).covers(url)), covered, "{list:?} {url}");
            assert_eq!(NoProxy::new(list.to_ascii_uppercase()).covers(url), covered, "{list:?} {url}");
            assert!(covered || entries.clone().all(|entry| entry != "*"), "{list:?} {url}");
            // A host is an entry as it is written, if it is one.
            let host = url.host_str().unwrap();

            let mut labels = host.strip_suffix('.').unwrap_or(host).split('.');
            let is_label = |label: &str| !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric());
            let is_name = labels.all(is_label);
            assert!(!is_name || NoProxy::new(format!("{list},{host}")).covers(url), "{list:?} {url}");
        }
    });
}

const LETTERS: &[&str] = &["example", "com", "EXAMPLE.com", "a", "b", "x", ".", ".", ",", "xn--", "-"];

/// Of names alone it covers just what a second, naive reader finds.
#[test]
fn no_proxy_names() {
    let simple = |numbers: &[u8]| -> String {
        numbers.iter().map(|number| LETTERS[usize::from(*number) % LETTERS.len()]).collect()
    };
    check!().with_generator((numbers(12), numbers(6))).for_each(|(list, host)| {
        let (list, host) = (simple(list), simple(host).replace(',', ""));
        let Ok(url) = Url::parse(&format!("http://{host}/")) else { return };
        let host = url.host_str().unwrap();
        let host = host.strip_suffix('.').unwrap_or(host);
        let is_name = |name: &str| {
            Url::parse(&format!("http://{name}/")).is_ok() && name.split('.').all(|label| !label.is_empty())
        };
        let covered = list.to_lowercase().split(',').any(|entry| {
            let (name, below) = entry.strip_prefix('.').map_or((entry, false), |name| (name, true));
            let name = name.strip_suffix('.').unwrap_or(name);
            is_name(name) && (host.ends_with(&format!(".{name}")) || host == name && !below)
        });
        assert_eq!(NoProxy::new(&*list).covers(&url), covered, "{list:?} {url}");
    });
}
