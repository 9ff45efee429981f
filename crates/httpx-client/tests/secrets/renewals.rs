//! Tokens that are renewed, or not.

use std::time::Duration;

use httpx_client::{Auth, Refresh};
use httpx_faults::{Answer, Fault, Server};

use crate::listening::Everything;
use crate::planted::laden;
use crate::support::{admits, client, endpoint, json, refresh, session};

pub(crate) async fn run(told: &Everything) {
    let api = Server::start(admits(["s3cret-new"])).await.unwrap();
    for ending in endings() {
        let tokens = endpoint([ending]).await;
        let session = session("s3cret-old", "s3cret-refresh");
        let auth = Auth::refreshing(session.clone(), Refresh::at(laden(&tokens.url())).unwrap());
        told.tell((&auth, &session, session.tokens(), refresh(&tokens)));
        let client = client(auth);
        told.tell_result(client.get(api.url()).fetch_bytes().await);
        told.tell_result(client.get(api.url()).deadline(Duration::from_nanos(1)).send().await);
        told.tell((&session, session.tokens(), client));
    }
    told.tell_result(Refresh::at("http://u:s3cret@/?s3cret"));
    told.tell_result(Refresh::at(laden("ftp://h/")));
}

fn endings() -> Vec<Fault> {
    vec![
        json("s3cret-new", "s3cret-next").into(),
        Answer::status(400).body("{\"error\":\"s3cret\"}").into(),
        Answer::status(500).body("s3cret").into(),
        Fault::ResetAfterRequest,
        Fault::Garbage,
        Fault::Redirect(302, "http://u:s3cret@127.0.0.1:1/?s3cret".into()),
        Answer::status(200).body("{\"access_token\":\"s3 s3cret\"}").into(),
        Answer::status(200).body("s3cret").into(),
        Answer::status(200)
            .header("set-cookie", "JWT=s3cret-new; Domain=s3cret.test")
            .header("set-cookie", "JWT=s3cret-new")
            .header("set-cookie", "JWT_REFRESH_TOKEN=s3cret")
            .into(),
    ]
}
