//! `httpx send` through a proxy.

use httpx_faults::{Answer, Fault, Script, Server};

use crate::support::{always, httpx, send};

#[tokio::test]
async fn a_request_goes_through_the_proxy_unless_its_server_is_on_the_list() {
    let server = always(Fault::Ok).await;
    let proxy = Server::proxy(Script::always(Fault::Ok)).await.unwrap();
    let far = server.far_url_at("/");
    let ran = send(&far, &["--proxy", &format!("http://user:p%40ss@{}", proxy.address())]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "ok"), "{}", ran.stderr);
    assert_eq!(proxy.journal().requests()[0].header("proxy-authorization"), Some("Basic dXNlcjpwQHNz"));

    let unresolved = send(&far, &["--proxy", &proxy.url(), "--no-proxy", "other.test, .test", "--max-attempts", "1"]);
    assert_eq!((unresolved.code, proxy.journal().complete()), (7, 1), "{}", unresolved.stderr);
    assert!(unresolved.stderr.contains("unknown host after 1 attempt"), "{}", unresolved.stderr);
}

#[tokio::test]
async fn a_proxy_of_the_environment_is_not_taken_without_being_asked_for() {
    let server = always(Fault::Ok).await;
    let elsewhere = Server::proxy(Script::always(Fault::Ok)).await.unwrap();
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_httpx"));
    command.args(["send", &server.url_at("/")]);
    for variable in ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] {
        command.env(variable, elsewhere.url());
    }
    command.assert().success().stdout("ok");
    assert_eq!((server.journal().complete(), elsewhere.journal().recorded()), (1, 0));
}

#[tokio::test]
async fn a_proxy_that_fails_is_named_without_its_password() {
    let proxy = Server::proxy(Script::always(Answer::status(407))).await.unwrap();
    let with_password = format!("http://user:HUSH@{}", proxy.address());
    for (url, phase) in [("http://far.test/", "answer"), ("https://far.test/", "connect")] {
        let ran = send(url, &["--proxy", &with_password]);
        let named = format!("proxy authentication required, by way of the proxy {}, after 1 attempt", proxy.url());
        assert_eq!((ran.code, ran.stderr.contains(&named)), (7, true), "{}", ran.stderr);
        assert!(!ran.stderr.contains("HUSH"));
        let error = send(url, &["--proxy", &with_password, "--json"]).json()["error"].clone();
        assert_eq!((error["kind"].as_str(), error["phase"].as_str()), (Some("proxy-authentication"), Some(phase)));
    }
}

#[test]
fn what_cannot_be_a_proxy_is_refused_without_its_password() {
    let ran = httpx(["send", "http://far.test/", "--proxy", "http://user:HU#SH@proxy.test:3128"]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.starts_with("httpx: --proxy: the user name or password of the proxy has a"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("HU") && !ran.stderr.contains("SH"), "{}", ran.stderr);
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
}
