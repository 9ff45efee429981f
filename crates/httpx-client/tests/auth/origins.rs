//! Where credentials go, and where they stay behind.

use crate::support::{authorizations, client};
use httpx_client::{Auth, ClientBuilder};
use httpx_faults::{Fault, Script, Server};

/// Refuses whoever shows credentials, as presigned storage does; else `good`.
fn rejects_credentials(good: impl Into<Fault>) -> Script {
    let good = good.into();
    Script::by_request(move |request| match request.header("authorization").or(request.header("cookie")) {
        Some(_) => Fault::status(400).into(),
        None => good.clone(),
    })
}

fn bearer() -> Auth {
    Auth::bearer("t0k").unwrap()
}

#[tokio::test]
async fn c44_a_redirect_to_another_origin_leaves_credentials_behind() {
    for status in [301, 302, 303, 307, 308] {
        let storage = Server::start(rejects_credentials(Fault::Ok)).await.unwrap();
        let api = Server::start(Script::always(Fault::Redirect(status, storage.url_at("/blob?sig=1")))).await.unwrap();
        let request = client(bearer()).get(api.url_at("/dl")).header("cookie", "a=b");
        assert_eq!(request.fetch_bytes().await.unwrap().status().as_u16(), 200, "{status}");
        assert_eq!(authorizations(&api), [["Bearer t0k"]]);
    }
}

#[tokio::test]
async fn c44_a_downgrade_to_plain_http_leaves_credentials_behind() {
    let plain = Server::start(rejects_credentials(Fault::Ok)).await.unwrap();
    let location = plain.url().replace("127.0.0.1", "localhost");
    let secure = Server::tls(Script::always(Fault::Redirect(307, location))).await.unwrap();
    let pem = secure.root_pem().unwrap().as_bytes().to_vec();
    let trusting = move |builder: httpx_client::reqwest::ClientBuilder| {
        builder.tls_certs_only([httpx_client::reqwest::Certificate::from_pem(&pem).unwrap()])
    };
    let client = ClientBuilder::new().auth(bearer()).customise_reqwest(trusting).build().unwrap();
    assert_eq!(client.get(secure.url()).fetch_bytes().await.unwrap().status().as_u16(), 200);
    assert_eq!(authorizations(&secure), [["Bearer t0k"]]);
}

#[tokio::test]
async fn c44_credentials_follow_a_redirect_within_their_origin_but_never_come_back_from_another() {
    let within = Server::start(Script::first(Fault::Redirect(307, "/end".into())).then(Fault::Ok)).await.unwrap();
    client(bearer()).get(within.url()).fetch_bytes().await.unwrap();
    assert_eq!(authorizations(&within), [["Bearer t0k"]; 2]);

    // A foreign server that sends the client home may not choose what it does there.
    let home = Server::start(Script::by_request(|request| match request.path.as_str() {
        "/end" => Fault::Ok,
        away => Fault::Redirect(307, format!("http://{}", &away[1..])),
    }));
    let home = home.await.unwrap();
    let foreign = Server::start(Script::always(Fault::Redirect(307, home.url_at("/end")))).await.unwrap();
    let first = home.url_at(&format!("/{}", foreign.address()));
    assert_eq!(client(bearer()).get(first).fetch_bytes().await.unwrap().status().as_u16(), 200);
    assert_eq!(authorizations(&home), [vec!["Bearer t0k"], vec![]]);
}

#[tokio::test]
async fn c44_a_retry_starts_at_home_with_credentials_again() {
    let storage = Server::start(Script::first(Fault::status(503)).then(Fault::Ok)).await.unwrap();
    let api = Server::start(Script::always(Fault::Redirect(307, storage.url()))).await.unwrap();
    let client = crate::support::client(bearer());
    assert_eq!(client.get(api.url()).fetch_bytes().await.unwrap().attempts().count(), 2);
    assert_eq!(authorizations(&api), [["Bearer t0k"]; 2]);
    assert_eq!(authorizations(&storage), [[""; 0]; 2]);
}

#[tokio::test]
async fn c56_credentials_are_shown_to_listed_origins_only() {
    let api = Server::start(Script::always(Fault::Ok)).await.unwrap();
    let public = Server::start(rejects_credentials(Fault::Ok)).await.unwrap();
    let client = client(bearer().only_for([api.url(), "https://elsewhere.test".to_owned()]).unwrap());
    for (server, expected) in [(&api, vec!["Bearer t0k"]), (&public, vec![])] {
        assert_eq!(client.get(server.url_at("/x.json")).fetch_bytes().await.unwrap().status().as_u16(), 200);
        assert_eq!(authorizations(server), [expected]);
    }
}

#[tokio::test]
async fn c56_an_origin_is_scheme_host_and_port() {
    let server = Server::start(Script::always(Fault::Ok)).await.unwrap();
    let port = server.address().port();
    // Listed origin, whether http://127.0.0.1:PORT is it.
    let rows = [
        (format!("http://127.0.0.1:{port}"), true),
        (format!("HTTP://127.0.0.1:{port}/"), true),
        (format!("https://127.0.0.1:{port}"), false),
        (format!("http://localhost:{port}"), false),
        ("http://127.0.0.1".to_owned(), false),
    ];
    for (origin, shown) in rows {
        let before = server.journal().complete() as usize;
        client(bearer().only_for([&origin]).unwrap()).get(server.url()).fetch_bytes().await.unwrap();
        assert_eq!(authorizations(&server)[before].len(), usize::from(shown), "{origin}");
    }
}
