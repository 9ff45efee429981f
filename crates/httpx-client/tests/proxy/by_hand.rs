//! A `Proxy-Authorization` that the caller writes: for the proxy that takes it out, and for nobody else.

use httpx_client::{Client, ClientBuilder};
use httpx_faults::{Fault, Script, Server};

use crate::support::{through, through_url, trusting};

const FIELD: &str = "proxy-authorization";

fn lines(server: &Server) -> Vec<Vec<String>> {
    let lines = |request: &httpx_faults::Request| request.header_lines(FIELD).map(str::to_owned).collect();
    server.journal().requests().iter().map(lines).collect()
}

async fn ok(client: &Client, url: String) {
    let answer =
        client.get(url).header(FIELD, "Basic aGFuZA==").header("x-other", "stays").fetch_bytes().await.unwrap();
    assert_eq!(answer.status().as_u16(), 200);
}

#[tokio::test]
async fn it_does_not_reach_a_server_that_is_asked_directly_or_through_a_tunnel() {
    let direct = Server::start(Script::always(Fault::Ok)).await.unwrap();
    ok(&ClientBuilder::new().build().unwrap(), direct.url()).await;
    let (proxy, tls) = (
        Server::proxy(Script::always(Fault::Ok)).await.unwrap(),
        Server::tls(Script::always(Fault::Ok)).await.unwrap(),
    );
    ok(&trusting(through(&proxy), &[&tls]).build().unwrap(), tls.far_url_at("/")).await;
    for server in [direct, tls] {
        assert_eq!((lines(&server), server.journal().requests()[0].header("x-other")), (vec![vec![]], Some("stays")));
    }
    // The tunnel is the client's own request, with the client's own credentials: none.
    assert_eq!(lines(&proxy), [Vec::<String>::new()]);
}

#[tokio::test]
async fn it_does_not_reach_a_server_on_the_list_or_behind_a_client_of_reqwest() {
    let proxy = Server::proxy(Script::always(Fault::Ok)).await.unwrap();
    let server = Server::start(Script::always(Fault::Ok)).await.unwrap();
    ok(&through(&proxy).no_proxy("*").build().unwrap(), server.url()).await;
    let adopted = httpx_client::reqwest::Client::builder().no_proxy().build().unwrap();
    ok(&ClientBuilder::from_reqwest(adopted).build().unwrap(), server.url()).await;
    assert_eq!((lines(&server), proxy.journal().connects()), (vec![vec![], vec![]], 0));
}

#[tokio::test]
async fn it_follows_no_redirect_to_a_server_of_its_own_or_another_origin() {
    let end = Server::start(Script::always(Fault::Ok)).await.unwrap();
    for target in ["/end".to_owned(), end.url()] {
        let target = target.clone();
        let server = Server::start(Script::by_request(move |request| match &*request.path {
            "/end" => Fault::Ok,
            _ => Fault::Redirect(302, target.clone()),
        }));
        let server = server.await.unwrap();
        ok(&ClientBuilder::new().build().unwrap(), server.url()).await;
        assert!(lines(&server).iter().chain(&lines(&end)).all(Vec::is_empty));
    }
    assert_eq!(end.journal().complete(), 1);
}

#[tokio::test]
async fn a_proxy_that_is_handed_the_request_gets_it_once_instead_of_the_clients_own_and_keeps_it() {
    let proxy = Server::proxy(Script::always(Fault::Ok)).await.unwrap();
    let server = Server::start(Script::always(Fault::Ok)).await.unwrap();
    for client in [through(&proxy), through_url(&format!("http://u:p@{}", proxy.address()))] {
        ok(&client.build().unwrap(), server.far_url_at("/")).await;
    }
    assert_eq!(lines(&proxy), [["Basic aGFuZA=="], ["Basic aGFuZA=="]]);
    assert_eq!(lines(&server), [Vec::<String>::new(), Vec::new()]);
}
