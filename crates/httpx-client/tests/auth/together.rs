//! Calls that need the same token of a realm at once fetch it once.

use std::time::Duration;

use crate::support::{authorizations, client};
use futures_util::future::join_all;
use httpx_client::{Auth, Challenges, Client, Credentials};
use httpx_faults::{Answer, Fault, Script, Server};

/// Long enough that all calls of a test have met their 401 before the first token is there; nothing depends on it.
const SLOW: Duration = Duration::from_millis(200);

/// A realm that gives these tokens in turn, the last one for ever, each after a while.
async fn realm(tokens: impl IntoIterator<Item = &'static str>) -> Server {
    let answers = tokens
        .into_iter()
        .map(|token| Answer::status(200).body(format!("{{\"token\":\"{token}\",\"expires_in\":300}}")).after(SLOW));
    crate::support::endpoint(answers).await
}

/// Wants `Bearer TOKEN` for `/TOKEN/…`, and names the token as the scope.
async fn api(realm: &Server) -> Server {
    let realm = realm.url_at("/token");
    let script = Script::by_request(move |request| {
        let token = request.path.split('/').nth(1).unwrap_or_default();
        if request.header("authorization") == Some(&format!("Bearer {token}")) {
            return Fault::Ok;
        }
        let asks = format!("Bearer realm=\"{realm}\",scope=\"{token}\"");
        Answer::status(401).header("www-authenticate", asks).into()
    });
    Server::start(script).await.unwrap()
}

fn anonymous() -> Client {
    client(Auth::challenges(Challenges::anonymous()))
}

async fn all_succeed(client: &Client, api: &Server, paths: impl IntoIterator<Item = &str>) {
    let calls = paths.into_iter().map(|path| tokio::spawn(client.get(api.url_at(path)).fetch_bytes()));
    for answer in join_all(calls).await {
        assert_eq!(answer.unwrap().unwrap().status().as_u16(), 200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_calls_at_once_fetch_one_token() {
    let realm = realm(["t"]).await;
    let api = api(&realm).await;
    all_succeed(&anonymous(), &api, ["/t/x"; 50]).await;
    assert_eq!((realm.journal().complete(), api.journal().complete()), (1, 100));
}

#[tokio::test(flavor = "multi_thread")]
async fn each_scope_and_each_asker_has_a_token_of_its_own() {
    let realm = Server::start(Script::by_request(|request| {
        let (_, scope) = request.path.split_once("scope=").unwrap();
        Answer::status(200).body(format!("{{\"token\":\"{scope}\"}}")).after(SLOW).into()
    }));
    let realm = realm.await.unwrap();
    let api = api(&realm).await;
    let challenges = Challenges::answered_by(|_| Credentials::basic("u", "p").ok());
    let (nobody, somebody) = (anonymous(), client(Auth::challenges(challenges)));
    let paths = || ["/a/x", "/b/x"].into_iter().cycle().take(20);
    tokio::join!(all_succeed(&nobody, &api, paths()), all_succeed(&somebody, &api, paths()));
    let mut asked: Vec<_> = realm.journal().requests().into_iter().map(|request| request.path).collect();
    asked.sort();
    assert_eq!(asked, ["/token?scope=a", "/token?scope=a", "/token?scope=b", "/token?scope=b"]);
    assert_eq!(authorizations(&realm).iter().filter(|shown| shown.is_empty()).count(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kept_token_that_twenty_calls_see_refused_is_fetched_anew_once() {
    let realm = realm(["old", "new"]).await;
    let (url, accepted) = (realm.url_at("/token"), std::sync::Mutex::new("Bearer old"));
    let api = Server::start(Script::by_request(move |request| {
        let mut accepted = accepted.lock().unwrap();
        if request.path == "/revoke" {
            *accepted = "Bearer new";
        }
        match request.header("authorization") {
            Some(shown) if shown == *accepted => Fault::Ok,
            _ => Answer::status(401).header("www-authenticate", format!("Bearer realm=\"{url}\"")).into(),
        }
    }));
    let api = api.await.unwrap();
    let client = anonymous();
    all_succeed(&client, &api, ["/"]).await;
    client.get(api.url_at("/revoke")).no_auth().fetch_bytes().await.unwrap();
    all_succeed(&client, &api, ["/"; 20]).await;
    assert_eq!(realm.journal().complete(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_given_up_leaves_the_token_to_the_others() {
    let realm = realm(["t"]).await;
    let api = api(&realm).await;
    let client = anonymous();
    let first = tokio::spawn(client.get(api.url_at("/t/1")).fetch_bytes());
    while realm.journal().complete() == 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    first.abort();
    all_succeed(&client, &api, ["/t/2"; 3]).await;
    assert_eq!(realm.journal().complete(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_realm_that_fails_is_asked_again_by_the_next_call() {
    let failing = Answer::status(404).after(SLOW);
    let realm =
        Server::start(Script::first(failing).then(Answer::status(200).body("{\"token\":\"t\"}"))).await.unwrap();
    let api = api(&realm).await;
    let client = anonymous();
    assert_eq!(client.get(api.url_at("/t/x")).fetch_bytes().await.unwrap().status().as_u16(), 401);
    all_succeed(&client, &api, ["/t/x"]).await;
    assert_eq!(realm.journal().complete(), 2);
}
