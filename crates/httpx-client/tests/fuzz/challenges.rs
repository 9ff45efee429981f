//! `WWW-Authenticate`.

use bolero::check;
use bolero::generator::{ValueGenerator as _, produce};
use httpx_client::{Challenge, Realms};
use url::Url;

use crate::support::{numbers, text};

const WORDS: &[&str] = &[
    "Basic",
    "Bearer",
    "bearer ",
    "Negotiate ",
    "realm",
    "REALM=",
    "service=",
    "scope=\"a b\"",
    "=",
    "\"",
    "\\",
    "\\\"",
    ",",
    ", ",
    " ",
    "\t",
    "YWJj==",
    "/",
    "https://a.test/t?x=1",
    "http://",
    "http://10.0.0.1/",
    "http://u:p@h/",
    "file:///",
    "[::1]",
    "a",
    "é",
    "\"https://auth.test/token\"",
    ";",
];

fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"(),/:;<=>?@[\\]{}".contains(&byte))
}

/// Every scheme and name is a token, no name stands twice, nothing is made up, and what is read, written down and read
/// again is the same.
#[test]
fn www_authenticate() {
    check!().with_generator(numbers(60)).for_each(|numbers| {
        let field = text(numbers, WORDS);
        let read = Challenge::list(&field);
        for challenge in &read {
            assert!(is_token(challenge.scheme()), "{challenge:?}");
            assert!(field.contains(challenge.scheme()));
            let names: Vec<_> = challenge.params().map(|(name, _)| name.to_ascii_lowercase()).collect();
            assert!(names.iter().all(|name| is_token(name)), "{challenge:?}");
            assert!((1..names.len()).all(|at| !names[..at].contains(&names[at])), "{challenge:?}");
            for (name, value) in challenge.params() {
                assert_eq!(challenge.param(&name.to_ascii_uppercase()), Some(value));
            }
        }
        assert_eq!(Challenge::list(&written(&read)), read, "{field:?}");
    });
}

/// As RFC 9110 §11.3 has it, every value quoted.
fn written(challenges: &[Challenge]) -> String {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let one = |challenge: &Challenge| {
        let mut params: Vec<_> = challenge.token68().map(str::to_owned).into_iter().collect();
        params.extend(challenge.params().map(|(name, value)| format!("{name}=\"{}\"", quoted(value))));
        format!("{} {}", challenge.scheme(), params.join(", "))
    };
    challenges.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Wherever a challenge sends its client, it is no place that a stranger may choose.
#[test]
fn realms() {
    let servers =
        ["https://public.test/", "http://public.test/", "http://10.1.1.1/"].map(|url| Url::parse(url).unwrap());
    check!().with_generator((numbers(40), numbers(20), 0..3usize)).for_each(|(realm, scope, server)| {
        let (realm, scope) = (text(realm, WORDS), text(scope, WORDS));
        let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
        let field = format!("Bearer realm=\"https://{}\",scope=\"{}\"", quoted(&realm), quoted(&scope));
        let plain = format!("Bearer realm=\"{}\"", quoted(&realm));
        let server = &servers[*server];
        for challenge in Challenge::list(&field).iter().chain(&Challenge::list(&plain)) {
            let Ok(url) = challenge.token_url(server, Realms::strict()) else { continue };
            assert!(matches!(url.scheme(), "http" | "https") && url.has_host(), "{url}");
            assert!(url.scheme() == "https" || server.scheme() == "http", "{url}");
            assert_eq!((url.username(), url.password(), url.fragment()), ("", None, None), "{url}");
            let host = url.host_str().unwrap();
            assert!(server.host_str() == Some("10.1.1.1") || !host.starts_with("10.") && host != "[::1]", "{url}");
            assert!(!url.as_str().ends_with('?'), "{url}");
        }
    });
}

/// What a server writes by the grammar is what the client reads, however it is quoted.
#[test]
fn www_authenticate_round_trip() {
    let schemes = ["Basic", "Bearer", "digest", "X-a_b!"];
    let names = ["realm", "service", "scope", "error", "n*", "charset"];
    let one = (0..4usize, produce::<Vec<(u8, Vec<u8>)>>().with().len(1usize..6).values((0..6u8, numbers(12))));
    let all = produce::<Vec<(usize, Vec<(u8, Vec<u8>)>)>>().with().len(0usize..5).values(one);
    check!().with_generator(all.map_gen(|all| all)).for_each(|all| {
        let wanted: Vec<(&str, Vec<(&str, String)>)> = all
            .iter()
            .map(|(scheme, params)| {
                let mut kept: Vec<(&str, String)> = Vec::new();
                for (name, value) in params {
                    let name = names[usize::from(*name)];
                    if kept.iter().all(|(other, _)| *other != name) {
                        kept.push((name, text(value, WORDS)));
                    }
                }
                (schemes[*scheme], kept)
            })
            .collect();
        let value = |value: &str| match is_token(value) {
            true => value.to_owned(),
            false => format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"")),
        };
        let challenge = |(scheme, params): &(&str, Vec<(&str, String)>)| {
            let params = params.iter().map(|(name, text)| format!("{name}={}", value(text))).collect::<Vec<_>>();
            format!("{scheme} {}", params.join(" , "))
        };
        let line = wanted.iter().map(challenge).collect::<Vec<_>>().join(",");
        let read = Challenge::list(&line);
        let owned = |one: &Challenge| {
            let params = one.params().map(|(name, value)| (name.to_owned(), value.to_owned())).collect::<Vec<_>>();
            (one.scheme().to_owned(), params)
        };
        let wanted = wanted.iter().map(|(scheme, params)| {
            let params = params.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect::<Vec<_>>();
            ((*scheme).to_owned(), params)
        });
        assert_eq!(read.iter().map(owned).collect::<Vec<_>>(), wanted.collect::<Vec<_>>(), "{line:?}");
    });
}
