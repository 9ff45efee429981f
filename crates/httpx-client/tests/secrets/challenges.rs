//! Challenges: tokens for nobody and for somebody, realms that are refused, and those that fail.

use std::time::Duration;

use httpx_client::{Auth, Challenge, Challenges, Credentials, Realms};
use httpx_faults::{Answer, Fault, Script, Server};

use crate::listening::Everything;
use crate::planted::{PASSWORD, laden};
use crate::support::client;

pub(crate) async fn run(told: &Everything) {
    let gives: [Fault; 5] = [
        Answer::status(200).body("{\"token\":\"s3cret-new\"}").into(),
        Answer::status(200).body("{\"token\":\"s3 s3cret\"}").into(),
        Answer::status(403).body("s3cret").into(),
        Fault::CloseAfterRequest,
        Fault::Redirect(302, "/?s3cret".into()),
    ];
    for give in gives {
        let realm = Server::start(Script::always(give)).await.unwrap();
        ask(told, &laden(&realm.url_at("/t"))).await;
    }
    for realm in ["http://u:s3cret@169.254.169.254/?s3cret", "ftp://s3cret/?s3cret", "s3cret", "http://[s3cret", ""] {
        ask(told, realm).await;
        let challenge = &Challenge::list(&format!("Bearer realm=\"{realm}\""))[0];
        told.tell_result(challenge.token_url(&"https://public.test/".parse().unwrap(), Realms::strict()));
    }
}

async fn ask(told: &Everything, realm: &str) {
    let asks = format!("Bearer realm=\"{realm}\",scope=\"s3cret\",scope=\"s3cret\",error=\"s3cret\", Basic s3cret==");
    let refuses = Server::start(Script::by_request(move |request| match request.header("authorization") {
        Some("Bearer s3cret-new") => Fault::Ok,
        _ => Answer::status(401).header("www-authenticate", asks.clone()).into(),
    }));
    let refuses = refuses.await.unwrap();
    for challenges in [Challenges::answered_by(|_| Credentials::basic("u", PASSWORD).ok()), Challenges::anonymous()] {
        told.tell(&challenges);
        let client = client(Auth::challenges(challenges));
        told.tell_result(client.get(refuses.url()).timeout(Duration::from_secs(1)).send().await);
    }
}
