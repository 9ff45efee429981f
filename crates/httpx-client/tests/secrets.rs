//! No secret is ever told: not by errors, `Debug`, spans, events or callbacks. Alone in its binary, since it listens to
//! everything that all threads of the process log.
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

#[path = "auth/support.rs"]
#[expect(dead_code, reason = "only a part of it is needed here")]
mod support;

use std::fmt::{Debug, Write as _};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use httpx_client::{Auth, Challenges, Credentials, Realms, Refresh, Tokens};
use httpx_faults::{Answer, Fault, Script, Server};
use support::{admits, client, endpoint, json, quick, refresh, session};
use tracing::field::{Field, Visit};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};

/// What every planted secret has in it: as it is, and as base64 has it, wherever among three bytes it begins.
const PLANTED: [&str; 4] = ["s3cret", "czNjcmV0", "MzY3Jld", "zM2NyZX"];

/// Writes down every name and value of every span and event.
#[derive(Clone, Default)]
struct Everything(Arc<Mutex<String>>);

impl Everything {
    fn tell(&self, told: impl Debug) {
        writeln!(self.0.lock().unwrap(), "{told:?}").unwrap();
    }
}

impl Visit for Everything {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        writeln!(self.0.lock().unwrap(), "{}={value:?}", field.name()).unwrap();
    }
}

impl<S: tracing::Subscriber> Layer<S> for Everything {
    fn on_new_span(&self, span: &tracing::span::Attributes<'_>, _: &tracing::span::Id, _: Context<'_, S>) {
        span.record(&mut self.clone());
    }

    fn on_record(&self, _: &tracing::span::Id, values: &tracing::span::Record<'_>, _: Context<'_, S>) {
        values.record(&mut self.clone());
    }

    fn on_event(&self, event: &tracing::Event<'_>, _: Context<'_, S>) {
        // reqwest and hyper log headers only at their own TRACE level, which is not this crate's to keep.
        if event.metadata().target().starts_with("httpx") {
            event.record(&mut self.clone());
        }
    }
}

#[tokio::test]
async fn no_secret_is_told_by_anything_that_a_run_prints() {
    let told = Everything::default();
    tracing::subscriber::set_global_default(tracing_subscriber::registry().with(told.clone())).unwrap();
    let plain = Server::start(Script::first(Fault::status(503)).then(Fault::ResetAfterRequest).then(Fault::Ok));
    let plain = plain.await.unwrap();
    let log = told.clone();
    let listening = quick().on_retry(move |event| log.tell(event));

    // Credentials that are fixed, with retries, a URL with a password, and one that goes nowhere.
    let auths = [
        Auth::bearer("s3cret").unwrap(),
        Auth::basic("u", "s3cret").unwrap(),
        Auth::challenges(Challenges::answered_by(|_| Credentials::basic("u", "s3cret").ok())),
    ];
    for auth in auths {
        told.tell(&auth);
        let client = quick().auth(auth).build().unwrap();
        told.tell(&client);
        told.tell(client.get(plain.url()).fetch_bytes().await);
        told.tell(client.get("http://no-such-host.invalid/?s3cret").bearer_auth("s3cret").send().await);
    }
    let client_of_none = listening.build().unwrap();
    let url = plain.url_at("/x?token=s3cret").replace("http://", "http://u:s3cret@");
    let request = client_of_none.get(&url).header("authorization", "Own s3cret");
    told.tell(&request);
    told.tell(request.send().await);

    // Renewals: one that works, one that is refused, one that breaks off, one that never comes.
    let api = Server::start(admits(["s3cret-new"])).await.unwrap();
    let endings: [Fault; 5] = [
        json("s3cret-new", "s3cret-next").into(),
        Answer::status(400).body("s3cret").into(),
        Fault::ResetAfterRequest,
        Answer::status(200).body("{\"access_token\":\"s3 s3cret\"}").into(),
        Answer::status(200)
            .header("set-cookie", "JWT=s3cret-new")
            .header("set-cookie", "JWT_REFRESH_TOKEN=s3cret")
            .into(),
    ];
    for ending in endings {
        let tokens = endpoint([ending]).await;
        let at = tokens.url_at("/t?s3cret").replace("http://", "http://u:s3cret@");
        let session = session("s3cret-old", "s3cret-refresh");
        let auth = Auth::refreshing(session.clone(), Refresh::at(at).unwrap());
        told.tell((&auth, &session, session.tokens(), refresh(&tokens)));
        let client = client(auth);
        told.tell(client.get(api.url()).fetch_bytes().await);
        told.tell(client.get(api.url()).deadline(Duration::from_nanos(1)).send().await);
        told.tell((&session, client));
    }

    // Challenges: a token for nobody and for somebody, and realms that are refused.
    let realm = Server::start(Script::always(Answer::status(200).body("{\"token\":\"s3cret-new\"}"))).await.unwrap();
    for realm in [realm.url_at("/t?s3cret"), "http://u:s3cret@169.254.169.254/?s3cret".into(), "ftp://s3cret".into()] {
        let asks = format!("Bearer realm=\"{realm}\",scope=\"s3cret\"");
        let refuses = Server::start(Script::by_request(move |request| match request.header("authorization") {
            Some("Bearer s3cret-new") => Fault::Ok,
            _ => Answer::status(401).header("www-authenticate", asks.clone()).into(),
        }));
        let refuses = refuses.await.unwrap();
        let challenges = Challenges::answered_by(|_| Credentials::basic("u", "s3cret").ok()).realms(Realms::strict());
        told.tell(client(Auth::challenges(challenges)).get(refuses.url()).timeout(Duration::from_secs(1)).send().await);
    }

    // Mistakes.
    told.tell((
        Credentials::bearer("s3 s3cret"),
        Credentials::basic("s3cret:", ""),
        Credentials::basic_joined("s3cret"),
    ));
    told.tell((Tokens::new("s3 s3cret"), Auth::none().only_for(["https://u:s3cret@h/p?s3cret"])));
    told.tell(client_of_none.get(api.url()).session(&session("s3cret", "s3cret")).send().await);

    let told = told.0.lock().unwrap();
    assert!(told.lines().count() > 60, "this run tells too little to be a test: {told}");
    for secret in PLANTED {
        let line = told.lines().find(|line| line.contains(secret));
        assert_eq!(line, None, "{secret} is told");
    }
}
