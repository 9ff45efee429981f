//! What proxies and servers see.

use httpx_client::{Client, HttpVersion};
use httpx_faults::{Answer, FAR_HOST, Fault, Script, Server};

use crate::support::{through, trusting};

fn paths(server: &Server) -> Vec<String> {
    server.journal().requests().into_iter().map(|request| format!("{} {}", request.method, request.path)).collect()
}

#[tokio::test]
async fn http_is_asked_in_absolute_form_over_one_connection_and_https_through_a_tunnel() {
    let proxy = Server::proxy(Script::always(Fault::Ok)).await.unwrap();
    let plain = Server::start(Script::always(Fault::Ok)).await.unwrap();
    let tls = Server::tls(Script::always(Fault::Ok)).await.unwrap();
    let client = trusting(through(&proxy), &[&tls]).build().unwrap();
    for server in [&plain, &plain, &tls, &tls] {
        client.get(server.far_url_at("/a?b=c")).fetch_bytes().await.unwrap();
    }
    let absolute = format!("GET {}", plain.far_url_at("/a?b=c"));
    let tunnel = format!("CONNECT {FAR_HOST}:{}", tls.address().port());
    assert_eq!(paths(&proxy), [absolute.clone(), absolute, tunnel]);
    assert_eq!(
        (proxy.journal().connects(), paths(&plain), paths(&tls)),
        (2, vec!["GET /a?b=c".into(); 2], vec!["GET /a?b=c".into(); 2])
    );
}

#[tokio::test]
async fn a_proxy_may_itself_be_reached_over_tls() {
    let proxy = Server::tls_proxy(Script::always(Fault::Ok)).await.unwrap();
    let plain = Server::start(Script::always(Fault::Ok)).await.unwrap();
    let tls = Server::tls(Script::always(Fault::Ok)).await.unwrap();
    let client = trusting(through(&proxy), &[&proxy, &tls]).build().unwrap();
    for server in [&plain, &tls] {
        assert_eq!(client.get(server.far_url_at("/")).fetch_text().await.unwrap().body(), "ok");
    }
    assert_eq!(proxy.journal().handshakes(), 2);
}

#[tokio::test]
async fn http2_is_spoken_through_a_tunnel() {
    let proxy = Server::proxy(Script::always(Fault::Ok)).await.unwrap();
    let server = Server::h2_tls(Script::always(Fault::Ok)).await.unwrap();
    let client = trusting(through(&proxy), &[&server]).http_version(HttpVersion::Auto).build().unwrap();
    let answer = client.get(server.far_url_at("/")).fetch_bytes().await.unwrap();
    assert_eq!((answer.version(), server.journal().complete()), (http::Version::HTTP_2, 1));
}

#[tokio::test]
async fn a_redirect_is_asked_by_its_own_url_and_takes_no_credentials_of_the_proxy_along() {
    let near = Server::start(Script::always(Answer::ok().body("near"))).await.unwrap();
    let target = near.url_at("/near");
    let far = Server::start(Script::by_request(move |_| Fault::Redirect(302, target.clone()))).await.unwrap();
    let proxy = Server::proxy(Script::always(Fault::Ok)).await.unwrap();
    let client = crate::support::through_url(&format!("http://u:p@{}", proxy.address())).build().unwrap();
    assert_eq!(client.get(far.far_url_at("/")).fetch_text().await.unwrap().body(), "near");
    assert_eq!((proxy.journal().complete(), near.journal().complete()), (1, 1));
    assert_eq!(near.journal().requests()[0].header("proxy-authorization"), None);
}

#[tokio::test]
async fn servers_of_this_machine_and_those_on_the_list_are_asked_directly() {
    let proxy = Server::proxy(Script::always(Fault::status(502))).await.unwrap();
    let server = Server::start(Script::always(Fault::Ok)).await.unwrap();
    let client = through(&proxy).build().unwrap();
    assert_eq!(client.get(server.url()).fetch_bytes().await.unwrap().status().as_u16(), 200);
    assert_eq!(proxy.journal().connects(), 0);
}

#[test]
fn an_adopted_client_has_its_own_proxies_and_is_given_no_others() {
    let adopted = || httpx_client::ClientBuilder::from_reqwest(httpx_client::reqwest::Client::new());
    let told = |builder: httpx_client::ClientBuilder| builder.build().unwrap_err().to_string();
    drop(Client::new()); // Chooses the cryptography that reqwest needs.
    let proxy = httpx_client::Proxy::new("http://proxy.test").unwrap();
    for (builder, setting) in [
        (adopted().proxy(proxy), "proxy"),
        (adopted().no_proxy("*"), "no_proxy"),
        (adopted().proxy_from_environment(), "proxy_from_environment"),
    ] {
        assert!(told(builder).starts_with(&format!("{setting} cannot be set on an adopted reqwest client")));
    }
}
