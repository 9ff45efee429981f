//! What there is without any feature but the cryptography; with more features it is the same.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::time::Duration;

use httpx_client::{AuthConfig, Client, ClientBuilder, Config};
use httpx_faults::{Answer, Fault, Script, Server};

fn quick() -> Client {
    Client::builder().delay(Duration::from_millis(1)).build().unwrap()
}

#[tokio::test]
async fn a_failed_call_is_repeated_and_tells_so() {
    let server = Server::start(Script::first(Fault::ResetAfterRequest).then(Fault::Ok)).await.unwrap();
    let answer = quick().post(server.url()).basic_auth("u", "p").body("x").fetch_bytes().await.unwrap();
    assert_eq!((answer.body().as_ref(), answer.attempts().count()), (&b"ok"[..], 2));
    assert_eq!(server.journal().requests()[1].header("authorization"), Some("Basic dTpw"));
}

#[tokio::test]
async fn a_text_is_utf_8_unless_its_charset_is_known() {
    let rows = [
        ("text/plain", &b"\xef\xbb\xbfna\xc3\xafve"[..], "naïve"),
        ("text/plain; charset=utf-8", b"na\xc3ve", "na\u{fffd}ve"),
        #[cfg(feature = "charset")]
        ("text/plain; charset=iso-8859-1", b"na\xefve", "naïve"),
        #[cfg(not(feature = "charset"))]
        ("text/plain; charset=iso-8859-1", b"na\xefve", "na\u{fffd}ve"),
    ];
    for (of, body, text) in rows {
        let server = Server::start(Script::always(Answer::ok().header("content-type", of).body(body))).await.unwrap();
        assert_eq!(quick().get(server.url()).fetch_text().await.unwrap().into_body(), text, "{of}");
    }
}

#[test]
fn settings_of_credentials_are_never_passed_over() {
    let config =
        Config { auth: Some(AuthConfig { www_authenticate: Some(true), ..Default::default() }), ..Default::default() };
    let built = ClientBuilder::from(config).build();
    if cfg!(feature = "auth") {
        built.unwrap();
    } else {
        let told = built.unwrap_err().to_string();
        assert_eq!(told, "auth is set, and httpx-client was built without its feature auth; add it in Cargo.toml");
    }
}
