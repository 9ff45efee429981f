//! Credentials that do not change, cookies, and every way in which a call can end.

use std::time::Duration;

use httpx_client::{Auth, Challenges, Credentials, Tokens};
use httpx_faults::{Answer, Fault, Script, Server};

use crate::listening::Everything;
use crate::planted::{PASSWORD, laden};
use crate::support::{quick, session};

pub(crate) async fn run(told: &Everything) {
    let auths = [
        Auth::bearer("s3cret").unwrap(),
        Auth::basic("u", PASSWORD).unwrap(),
        Auth::challenges(Challenges::answered_by(|_| Credentials::basic("u", "s3cret").ok())),
    ];
    for auth in auths {
        told.tell(&auth);
        for fault in endings() {
            let server = Server::start(Script::always(fault)).await.unwrap();
            let log = told.clone();
            let client = quick().auth(auth.clone()).max_attempts(2.try_into().unwrap());
            let client = client.on_retry(move |event| log.tell(event)).build().unwrap();
            let timeout = Duration::from_millis(500);
            told.tell_result(client.get(server.url_at("/?s3cret")).timeout(timeout).fetch_bytes().await);
            told.tell_result(client.get(laden(&server.url())).timeout(timeout).fetch_json::<u8>().await);
            let own = client.post(server.url()).header("authorization", "Own s3cret").header("cookie", "JWT=s3cret");
            let own = own.header("x-api-key", PASSWORD).body("s3cret").timeout(timeout);
            told.tell(&own);
            told.tell_result(own.send().await);
            told.tell(&client);
        }
    }
    over_http2(told).await;
    mistakes(told).await;
}

fn endings() -> Vec<Fault> {
    vec![
        Fault::Ok,
        Answer::status(503).header("set-cookie", "JWT=s3cret").into(),
        Answer::status(401).header("www-authenticate", "Basic realm=\"s3cret\"").body("s3cret").into(),
        Fault::ResetAfterRequest,
        Fault::NeverAnswer,
        Fault::Garbage,
        Answer::ok().body("\"s3cret").into(),
    ]
}

async fn over_http2(told: &Everything) {
    let server = Server::h2_tls(Script::first(Fault::status(503)).then(Fault::Ok)).await.unwrap();
    let pem = httpx_client::reqwest::Certificate::from_pem(server.root_pem().unwrap().as_bytes()).unwrap();
    for trusts in [true, false] {
        let pem = pem.clone();
        let client = quick().auth(Auth::bearer("s3cret").unwrap()).customise_reqwest(move |reqwest| match trusts {
            true => reqwest.tls_certs_only([pem]),
            false => reqwest,
        });
        let request = client.build().unwrap().post(server.url_at("/?s3cret")).header("cookie", "JWT=s3cret");
        told.tell_result(request.body("s3cret").fetch_bytes().await);
    }
}

/// What is refused is refused without being quoted.
async fn mistakes(told: &Everything) {
    told.tell_result(Credentials::bearer("s3 s3cret"));
    told.tell_result(Credentials::bearer("s3cret\r\nx: y"));
    told.tell_result(Credentials::basic("s3cret:", ""));
    told.tell_result(Credentials::basic_joined("s3cret"));
    told.tell_result(Tokens::new("s3 s3cret"));
    told.tell_result(Auth::none().only_for(["https://u:s3cret@h/p?s3cret"]));
    let client = quick().build().unwrap();
    let requests = [
        client.get("http://h/").session(&session("s3cret", "s3cret")),
        client.get("http://h/").bearer_auth("s3 s3cret"),
        client.get("http://h/").basic_auth("s3cret:", PASSWORD),
        client.get("http://h/").header("authorization", "s3cret\n"),
        client.get("http://u:s3cret@h:port/?s3cret"),
        client.get(laden("ftp://h/")),
        client.get("http://u:s3cret%0a@h/"),
        client.get(laden("http://no-such-host.invalid/")),
        client.get(laden("http://127.0.0.1:1/")),
    ];
    for request in requests {
        told.tell(&request);
        told.tell_result(request.send().await);
    }
}
