//! Around a client that somebody else built.

use crate::support::{SHORT, once_then_ok};
use httpx_client::httpx_retry::{FailureKind, Phase, Reason, Sent};
use httpx_client::{Client, ClientBuilder, ErrorKind};
use httpx_faults::{Fault, Script, Server};

fn reqwest_client() -> reqwest::Client {
    bare().build().unwrap()
}

fn bare() -> reqwest::ClientBuilder {
    // A reqwest client needs a cryptography provider; building one of ours installs it.
    drop(Client::new());
    reqwest::Client::builder().no_proxy()
}

#[tokio::test]
async fn an_adopted_client_retries_by_the_same_rule() {
    let server = Server::start(once_then_ok(Fault::ResetAfterRequest)).await.unwrap();
    let answer = Client::from_reqwest(reqwest_client()).post(server.url()).body("x").fetch_bytes().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.attempts().count()), (200, 2));
}

#[tokio::test]
async fn its_own_timeout_is_judged_by_what_was_sent() {
    let hurried = bare().timeout(SHORT).build().unwrap();
    let client = ClientBuilder::from_reqwest(hurried).max_attempts(2.try_into().unwrap()).build().unwrap();

    let server = Server::start(Script::always(Fault::NeverAnswer)).await.unwrap();
    let error = client.post(server.url()).body("x").send().await.unwrap_err();
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Failure(FailureKind::RequestTimeout), Sent::Maybe));
    assert_eq!(error.attempts().unwrap().stop_reason(), &Reason::MayBeWorking);
    assert_eq!(server.journal().complete(), 1);

    let server = Server::start(Script::always(Fault::BlackHole)).await.unwrap();
    let error = client.post(server.url()).body("x").send().await.unwrap_err();
    assert_eq!((error.sent(), error.attempts().unwrap().count()), (Sent::No, 2));
    assert_eq!(error.phase(), Phase::Connect);
}

#[tokio::test]
async fn redirects_are_its_own_business_unless_asked_for() {
    let script = || Script::first(Fault::Redirect(307, "/end".into())).then(Fault::Ok);
    let server = Server::start(script()).await.unwrap();
    let answer = Client::from_reqwest(reqwest_client()).post(server.url()).body("x").send().await.unwrap();
    assert_eq!(answer.status().as_u16(), 307);

    let server = Server::start(script()).await.unwrap();
    let client = ClientBuilder::from_reqwest(reqwest_client()).max_redirects(10).build().unwrap();
    let answer = client.post(server.url()).body("x").send().await.unwrap();
    assert_eq!((answer.status().as_u16(), server.journal().requests()[1].body.as_ref()), (200, &b"x"[..]));

    // It follows a GET itself; a later hop that fails was not the first, so something was sent.
    let gone = Server::start(Script::always(Fault::Refused)).await.unwrap();
    let server = Server::start(Script::always(Fault::Redirect(302, gone.url()))).await.unwrap();
    let client = ClientBuilder::from_reqwest(reqwest_client()).max_attempts(1.try_into().unwrap()).build().unwrap();
    let error = client.get(server.url()).send().await.unwrap_err();
    assert_eq!((error.kind(), error.sent()), (ErrorKind::Failure(FailureKind::Refused), Sent::Maybe));
}

#[test]
fn what_only_its_maker_can_set_is_refused_by_name() {
    let told = ClientBuilder::from_reqwest(reqwest_client()).connect_timeout(SHORT).build().unwrap_err().to_string();
    assert_eq!(told, "connect_timeout cannot be set on an adopted reqwest client; set it where that client is built");
    let told = ClientBuilder::from_reqwest(reqwest_client()).customise_reqwest(|builder| builder).build().unwrap_err();
    assert!(told.to_string().starts_with("customise_reqwest cannot be set"), "{told}");
}

#[tokio::test]
async fn all_changes_to_reqwest_are_made_and_a_proxy_among_them_is_used() {
    let proxy = Server::start(Script::always(Fault::Ok)).await.unwrap();
    let through = reqwest::Proxy::http(proxy.url()).unwrap();
    let client = ClientBuilder::new()
        .customise_reqwest(|builder| builder.user_agent("one"))
        .customise_reqwest(move |builder| builder.proxy(through));
    client.build().unwrap().get("http://example.test/").fetch_bytes().await.unwrap();
    assert_eq!(proxy.journal().requests()[0].header("user-agent"), Some("one"));
}

#[test]
fn clients_and_their_futures_can_cross_threads() {
    fn crosses<T: Send>(value: T) -> T {
        value
    }
    fn shared<T: Send + Sync>() {}
    shared::<Client>();
    let client = Client::new();
    drop(crosses(client.get("http://127.0.0.1:1/").send()));
    drop(crosses(client.get("http://127.0.0.1:1/").fetch_json::<u8>()));
}
