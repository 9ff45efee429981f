//! The requests that credentials need go the way of all others: same proxy, same certificates, same engine.

use crate::support::{admits, authorizations, client, endpoint, json, quick, refresh, session};
use httpx_client::{Auth, Challenges, ClientBuilder, Proxy, Refresh, reqwest};
use httpx_faults::{Answer, Fault, Script, Server};

#[tokio::test]
async fn a_renewal_and_a_token_of_a_realm_go_through_the_proxy() {
    let proxy = Server::proxy(Script::always(Fault::Ok)).await.unwrap();
    let tokens = endpoint([json("new", "r2")]).await;
    let realm = Server::start(Script::always(Answer::status(200).body(r#"{"token":"new"}"#))).await.unwrap();
    let asks = format!("Bearer realm=\"{}\"", realm.far_url_at("/"));
    let api = Server::start(Script::by_request(move |request| match request.header("authorization") {
        Some("Bearer new") => Fault::Ok,
        _ => Answer::status(401).header("www-authenticate", asks.clone()).into(),
    }));
    let api = api.await.unwrap();
    let auths = [
        (Auth::refreshing(session("old", "r1"), Refresh::at(tokens.far_url_at("/")).unwrap()), &tokens),
        (Auth::challenges(Challenges::anonymous()), &realm),
    ];
    for (auth, inner) in auths {
        let before = proxy.journal().complete();
        let client = quick().proxy(Proxy::new(proxy.url()).unwrap()).auth(auth).build().unwrap();
        assert_eq!(client.get(api.far_url_at("/")).fetch_bytes().await.unwrap().status().as_u16(), 200);
        assert_eq!((inner.journal().complete(), proxy.journal().complete() - before), (1, 3));
    }
}

#[tokio::test]
async fn a_renewal_trusts_the_certificates_that_the_client_trusts() {
    let api = Server::start(admits(["new"])).await.unwrap();
    let tokens = Server::tls(Script::always(json("new", "r2"))).await.unwrap();
    let pem = tokens.root_pem().unwrap().as_bytes().to_vec();
    for (trusts, status) in [(true, 200), (false, 401)] {
        let pem = pem.clone();
        let builder = quick().auth(Auth::refreshing(session("old", "r1"), refresh(&tokens)));
        let builder = builder.customise_reqwest(move |builder| match trusts {
            true => builder.tls_certs_only([reqwest::Certificate::from_pem(&pem).unwrap()]),
            false => builder,
        });
        assert_eq!(builder.build().unwrap().get(api.url()).fetch_bytes().await.unwrap().status().as_u16(), status);
    }
}

#[tokio::test]
async fn c44_an_adopted_client_that_follows_redirects_itself_renews_nothing_for_another_server() {
    let other = Server::start(Script::always(Fault::status(401))).await.unwrap();
    let api = Server::start(Script::always(Fault::Redirect(307, other.url()))).await.unwrap();
    let tokens = endpoint([json("new", "r2")]).await;
    drop(client(Auth::none())); // Installs the cryptography that a client of reqwest needs.
    let adopted = reqwest::Client::builder().no_proxy().build().unwrap();
    let auth = Auth::refreshing(session("old", "r1"), refresh(&tokens));
    let client = ClientBuilder::from_reqwest(adopted).auth(auth).build().unwrap();
    assert_eq!(client.get(api.url()).fetch_bytes().await.unwrap().status().as_u16(), 401);
    assert_eq!((tokens.journal().complete(), authorizations(&other)), (0, vec![vec![]]));
}
