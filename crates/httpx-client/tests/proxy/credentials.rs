//! C63: how a proxy is written, what its credentials amount to, and that nobody is told of them.

use httpx_client::{Config, Proxy, ProxyError};
use httpx_faults::{Fault, Script, Server};

use crate::support::{through_url, trusting};

/// Userinfo as written, and the field that the proxy gets.
const SENT: &[(&str, Option<&str>)] = &[
    ("", None),
    ("user:p%40ss%3Aw%2Brd@", Some("Basic dXNlcjpwQHNzOncrcmQ=")),
    ("u:p+ss@", Some("Basic dTpwK3Nz")),
    ("u@", Some("Basic dTo=")),
    ("u:@", Some("Basic dTo=")),
    (":secret@", Some("Basic OnNlY3JldA==")),
    ("u:a:b@", Some("Basic dTphOmI=")),
    ("DOM%5Cu:pw@", Some("Basic RE9NXHU6cHc=")),
    ("test:123%C2%A3@", Some("Basic dGVzdDoxMjPCow==")),
    ("test:123£@", Some("Basic dGVzdDoxMjPCow==")),
];

#[tokio::test]
async fn c63_credentials_are_decoded_and_reach_the_proxy_and_never_the_server() {
    for (userinfo, field) in SENT {
        let proxy = Server::proxy(Script::always(Fault::Ok)).await.unwrap();
        let plain = Server::start(Script::always(Fault::Ok)).await.unwrap();
        let tls = Server::tls(Script::always(Fault::Ok)).await.unwrap();
        let written = format!("http://{userinfo}{}", proxy.address());
        let client = trusting(through_url(&written), &[&tls]).build().unwrap();
        for server in [&plain, &tls] {
            let answer = client.post(server.far_url_at("/")).body("x").fetch_text().await.unwrap();
            assert_eq!((answer.status().as_u16(), answer.body().as_str()), (200, "ok"), "{userinfo}");
            let seen = server.journal().requests();
            assert_eq!((seen.len(), seen[0].header("proxy-authorization")), (1, None), "{userinfo}");
        }
        let seen = proxy.journal().requests();
        assert_eq!((seen[0].method.as_str(), seen[1].method.as_str()), ("POST", "CONNECT"));
        for request in seen {
            let fields: Vec<_> = request.header_lines("proxy-authorization").collect();
            assert_eq!(fields, field.iter().copied().collect::<Vec<_>>(), "{userinfo} {}", request.method);
        }
    }
}

#[test]
fn c63_what_cannot_be_a_proxy_is_refused_in_one_sentence_without_its_secret() {
    use ProxyError::{Forbidden, Malformed, Place, Trailing, Unescaped, UnsupportedScheme};
    let rows = [
        ("http://u:a%6qHUSH@proxy.test:3128", Malformed),
        ("http://u:HUSH%@proxy.test:3128", Malformed),
        ("http://u:HUSH%ff@proxy.test:3128", Malformed),
        ("http://u:HU#SH@proxy.test:3128", Unescaped),
        ("http://u:12#HUSH@proxy.test:3128", Unescaped),
        ("http://u:HU@SH@proxy.test:3128", Unescaped),
        ("http://u:HU/SH@proxy.test:3128", Unescaped),
        ("http://u:HU?SH@proxy.test:3128", Unescaped),
        ("http://HUSH\\u:HUSH@proxy.test:3128", Unescaped),
        ("http://u:HU SH@proxy.test:3128", Unescaped),
        ("u:HU://SH@proxy.test:3128", Unescaped),
        ("http://u%3AHUSH:HUSH@proxy.test:3128", Forbidden),
        ("http://u:HUSH%0A@proxy.test:3128", Forbidden),
        ("http://u:HUSH@", Place),
        ("http://u:HUSH@proxy.test:port", Place),
        ("http://u:HUSH@proxy .test", Place),
        ("http://", Place),
        ("", Place),
        ("http://u:HUSH@proxy.test:3128/path", Trailing),
        ("http://u:HUSH@proxy.test:3128?q", Trailing),
        ("http://u:HUSH@proxy.test:3128#f", Trailing),
        ("socks5://u:HUSH@proxy.test:1080", UnsupportedScheme),
        ("ftp://proxy.test", UnsupportedScheme),
    ];
    for (text, expected) in rows {
        let error = Proxy::new(text).unwrap_err();
        assert_eq!(error, expected, "{text}");
        let told = format!("{error} {error:?}");
        assert!(!told.contains("HU") && !told.contains("SH"), "{told}");
        assert_eq!(told.lines().count(), 1, "{told}");
        let file =
            toml::to_string(&[("proxy", text)].into_iter().collect::<std::collections::BTreeMap<_, _>>()).unwrap();
        let told = file.parse::<Config>().unwrap_err().to_string();
        assert_eq!(told, format!("line 1: proxy: {error}"));
    }
}

#[test]
fn c63_a_proxy_is_told_without_its_credentials_and_written_down_with_them() {
    let rows = [
        ("proxy.test:3128", "http://proxy.test:3128"),
        ("u:HUSH@proxy.test:3128", "http://proxy.test:3128"),
        ("http://u:HUSH@proxy.test:3128/", "http://proxy.test:3128"),
        ("HTTPS://u:HUSH@PROXY.test", "https://proxy.test"),
        ("http://u:HUSH@[2001:db8::1]:3128", "http://[2001:db8::1]:3128"),
        (" http://localhost:3128 ", "http://localhost:3128"),
    ];
    for (text, told) in rows {
        let proxy = Proxy::new(text).unwrap();
        assert_eq!((proxy.to_string().as_str(), format!("{proxy:?}")), (told, format!("Proxy({told:?})")));
        let config = Config { proxy: Some(proxy), ..Config::default() };
        assert!(!format!("{config:?}").contains("HUSH"));
        assert_eq!(toml::to_string(&config).unwrap().parse::<Config>().unwrap(), config);
        let client = httpx_client::ClientBuilder::from(config).build().unwrap();
        assert!(!format!("{client:?}").contains("HUSH"), "{client:?}");
    }
}
