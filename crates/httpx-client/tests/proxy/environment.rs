//! Proxies from the environment: only when asked for, and then as other programs read it.

use httpx_client::{Client, ClientBuilder, Config, NoProxy, Proxy};

/// Variables, and the proxies of an http and an https URL under them.
type Row = (&'static [(&'static str, &'static str)], Option<&'static str>, Option<&'static str>);

const ROWS: &[Row] = &[
    (&[], None, None),
    (&[("http_proxy", "http://a:1")], Some("http://a:1"), None),
    (&[("HTTP_PROXY", "a:1"), ("https_proxy", "https://b:2")], Some("http://a:1"), Some("https://b:2")),
    (&[("HTTPS_PROXY", "http://b:2")], None, Some("http://b:2")),
    (&[("http_proxy", "http://a:1"), ("HTTP_PROXY", "http://b:2")], Some("http://a:1"), None),
    (&[("https_proxy", "http://a:1"), ("HTTPS_PROXY", "http://b:2")], None, Some("http://a:1")),
    (&[("all_proxy", "http://a:1"), ("ALL_PROXY", "http://b:2")], Some("http://a:1"), Some("http://a:1")),
    (&[("ALL_PROXY", "http://a:1"), ("HTTPS_PROXY", "http://b:2")], Some("http://a:1"), Some("http://b:2")),
    // Set to nothing is not set.
    (&[("http_proxy", " "), ("HTTP_PROXY", "http://b:2")], Some("http://b:2"), None),
    // Under CGI a stranger writes HTTP_PROXY, and nothing else.
    (&[("REQUEST_METHOD", "GET"), ("HTTP_PROXY", "http://evil:1")], None, None),
    (
        &[("REQUEST_METHOD", "GET"), ("http_proxy", "http://a:1"), ("HTTP_PROXY", "http://evil:1")],
        Some("http://a:1"),
        None,
    ),
    (
        &[("REQUEST_METHOD", ""), ("HTTPS_PROXY", "http://b:2"), ("ALL_PROXY", "http://c:3")],
        Some("http://c:3"),
        Some("http://b:2"),
    ),
    (&[("ALL_PROXY", "http://a:1"), ("NO_PROXY", "example.com")], None, None),
    (
        &[("ALL_PROXY", "http://a:1"), ("no_proxy", "other.test"), ("NO_PROXY", "*")],
        Some("http://a:1"),
        Some("http://a:1"),
    ),
];

fn build(builder: ClientBuilder, variables: &[(&str, &str)]) -> Client {
    let read = |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
    builder.build_in(&read).unwrap()
}

fn proxies(client: &Client) -> (Option<String>, Option<String>) {
    let of = |url: &str| client.proxy_for(&url.parse().unwrap()).map(Proxy::to_string);
    (of("http://example.com/"), of("https://example.com/"))
}

#[test]
fn variables_count_when_asked_for_and_only_then() {
    for (variables, http, https) in ROWS {
        let asked = build(ClientBuilder::new().proxy_from_environment(), variables);
        assert_eq!(proxies(&asked), (http.map(str::to_owned), https.map(str::to_owned)), "{variables:?}");
        let not_asked = Config { proxy_from_environment: Some(false), ..Config::default() };
        for builder in [ClientBuilder::new(), not_asked.into()] {
            assert_eq!(proxies(&build(builder, variables)), (None, None), "{variables:?}");
        }
    }
}

#[test]
fn what_is_set_wins_over_the_environment() {
    let variables = [("ALL_PROXY", "http://a:1"), ("NO_PROXY", "*")];
    let asked = || ClientBuilder::new().proxy_from_environment();
    let set = asked().proxy(Proxy::new("http://b:2").unwrap()).no_proxy(NoProxy::default());
    assert_eq!(proxies(&build(set, &variables)).0.as_deref(), Some("http://b:2"));
    assert_eq!(proxies(&build(asked().no_proxy("other.test"), &variables)).0.as_deref(), Some("http://a:1"));
    assert_eq!(proxies(&build(asked().proxy(Proxy::new("http://b:2").unwrap()), &variables)).0, None);
}

#[test]
fn a_variable_that_names_no_proxy_is_named_without_its_secret() {
    let read = |name: &str| (name == "HTTPS_PROXY").then(|| "http://u:HU#SH@proxy.test".to_owned());
    let error = ClientBuilder::new().proxy_from_environment().build_in(&read).unwrap_err().to_string();
    assert!(error.starts_with("HTTPS_PROXY: the user name or password of the proxy has a character"), "{error}");
    assert!(!error.contains("HU") && !error.contains("SH"), "{error}");
}
