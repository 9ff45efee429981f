//! Challenges, answered.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::support::{authorizations, client, quick};
use httpx_client::{Auth, AuthStep, Challenges, Credentials, Realms};
use httpx_faults::{Answer, Fault, Script, Server};

/// A registry whose realm is `realm`: wants `Bearer TOKEN`, and challenges everybody else.
fn registry(realm: &str, params: &str, token: &'static str) -> Script {
    let challenge = format!("Bearer realm=\"{realm}\"{params}");
    Script::by_request(move |request| {
        if request.header("authorization") == Some(&format!("Bearer {token}")) {
            return Fault::Ok;
        }
        Answer::status(401).header("www-authenticate", challenge.clone()).body("who are you?").into()
    })
}

fn token(token: &str) -> Answer {
    Answer::status(200).body(format!("{{\"token\":\"{token}\",\"expires_in\":300}}"))
}

fn anonymous() -> Auth {
    Auth::challenges(Challenges::anonymous())
}

#[tokio::test]
async fn a_bearer_challenge_is_answered_with_a_token_from_its_realm() {
    let realm = Server::start(Script::always(token("t"))).await.unwrap();
    let params = r#",service="registry.test",scope="repository:a/b:pull""#;
    let api = Server::start(registry(&realm.url_at("/token?account=x"), params, "t")).await.unwrap();
    let client = client(anonymous());
    let answer = client.get(api.url_at("/v2/")).fetch_bytes().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.attempts().count()), (200, 1));
    assert_eq!(answer.attempts().last().auth, Some(AuthStep::Answered));
    assert_eq!(authorizations(&api), [vec![], vec!["Bearer t"]]);
    let asked = &realm.journal().requests()[0];
    let path = "/token?account=x&service=registry.test&scope=repository%3Aa%2Fb%3Apull";
    assert_eq!((asked.method.as_str(), asked.path.as_str(), asked.header("authorization")), ("GET", path, None));

    // The token is kept for the next call.
    client.get(api.url_at("/v2/")).fetch_bytes().await.unwrap();
    assert_eq!(realm.journal().complete(), 1);
}

#[tokio::test]
async fn either_name_of_the_token_will_do_and_it_is_kept_as_long_as_it_is_good() {
    // What the realm gives, its lifetime, how many times it is asked by two calls; 0: no token.
    let rows = [
        (r#"{"token":"t"}"#, 1),
        (r#"{"access_token":"t"}"#, 1),
        (r#"{"token":"","access_token":"t"}"#, 1),
        (r#"{"token":"t","access_token":"other"}"#, 1),
        (r#"{"token":"t","expires_in":0}"#, 2),
        (r#"{"token":"t","expires_in":18446744073709551615}"#, 1),
        // No number of seconds: as long as when nothing is said.
        (r#"{"token":"t","expires_in":"300"}"#, 1),
        (r#"{"token":"t","expires_in":299.5}"#, 1),
        (r#"{"token":"t","expires_in":-1}"#, 1),
        (r#"{"token":"t","expires_in":null}"#, 1),
        (r#"{"token":null,"access_token":"t"}"#, 1),
    ];
    for (body, asked) in rows {
        let realm = Server::start(Script::always(Answer::status(200).body(body))).await.unwrap();
        let api = Server::start(registry(&realm.url(), "", "t")).await.unwrap();
        let client = client(anonymous());
        for _ in 0..2 {
            assert_eq!(client.get(api.url()).fetch_bytes().await.unwrap().status().as_u16(), 200, "{body}");
        }
        assert_eq!(realm.journal().complete(), asked, "{body}");
    }
}

#[tokio::test]
async fn c40_where_no_token_is_to_be_had_the_caller_gets_the_401_itself() {
    let wrong: [(&str, Fault); 8] = [
        (
            "401 of its own",
            Answer::status(401).header("www-authenticate", "Bearer realm=\"http://127.0.0.1:1/\"").into(),
        ),
        ("403", Fault::status(403).into()),
        ("a redirect", Fault::Redirect(302, "/elsewhere".into())),
        ("no JSON", Answer::status(200).body("<html>").into()),
        ("no token", Answer::status(200).body("{}").into()),
        ("no word", Answer::status(200).body(r#"{"token":"two words"}"#).into()),
        ("a number", Answer::status(200).body(r#"{"token":7}"#).into()),
        ("a certain end", Fault::status(404).into()),
    ];
    for (name, fault) in wrong {
        let realm = Server::start(Script::always(fault)).await.unwrap();
        let api = Server::start(registry(&realm.url(), "", "t")).await.unwrap();
        let answer = client(anonymous()).get(api.url()).fetch_text().await.unwrap();
        assert_eq!((answer.status().as_u16(), answer.body().as_str()), (401, "who are you?"), "{name}");
        assert_eq!(answer.attempts().last().auth, Some(AuthStep::Unanswered), "{name}");
        assert_eq!((api.journal().complete(), realm.journal().complete()), (1, 1), "{name}");
    }
}

#[tokio::test]
async fn c40_a_bad_realm_is_never_asked() {
    for realm in ["/token", "file:///etc/passwd", "ftp://x/y", "http://no-such-host.invalid/t", ""] {
        let api = Server::start(registry(realm, "", "t")).await.unwrap();
        let answer = client(anonymous()).get(api.url()).fetch_text().await.unwrap();
        assert_eq!((answer.status().as_u16(), answer.body().as_str()), (401, "who are you?"), "{realm}");
        assert_eq!(api.journal().complete(), 1, "{realm}");
    }
}

#[tokio::test]
async fn c40_a_public_server_cannot_send_the_client_into_a_private_network() {
    let realm = Server::start(Script::always(token("t"))).await.unwrap();
    let api = Server::start(registry(&realm.url(), "", "t")).await.unwrap();
    let address = api.address();
    let public = format!("http://registry.example.test:{}/v2/", address.port());
    for (realms, status) in [(Realms::strict(), 401), (Realms::strict().allow_private_network(), 200)] {
        let auth = Auth::challenges(Challenges::anonymous().realms(realms));
        let client = quick()
            .auth(auth)
            .customise_reqwest(move |reqwest| reqwest.resolve("registry.example.test", address))
            .build()
            .unwrap();
        assert_eq!(client.get(&public).fetch_bytes().await.unwrap().status().as_u16(), status, "{realms:?}");
    }
    assert_eq!(realm.journal().complete(), 1);
}

#[tokio::test]
async fn c42_a_401_that_stays_is_returned_after_two_requests_and_one_token() {
    let realm = Server::start(Script::always(token("t"))).await.unwrap();
    let api = Server::start(registry(&realm.url(), "", "never")).await.unwrap();
    let answer = client(anonymous()).get(api.url()).fetch_text().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.body().as_str()), (401, "who are you?"));
    assert_eq!((api.journal().complete(), realm.journal().complete()), (2, 1));
}

#[tokio::test]
async fn c42_a_challenge_for_another_scope_fetches_one_more_token_and_no_third() {
    let realm = Server::start(Script::first(token("t1")).then(token("t2")).then(token("t3"))).await.unwrap();
    let url = realm.url();
    let api = Server::start(Script::each(move |contact| {
        let challenge = format!("Bearer realm=\"{url}\",scope=\"s{contact}\",error=\"insufficient_scope\"");
        Answer::status(401).header("www-authenticate", challenge).into()
    }));
    let api = api.await.unwrap();
    let answer = client(anonymous()).get(api.url()).fetch_bytes().await.unwrap();
    assert_eq!(answer.status().as_u16(), 401);
    assert_eq!((api.journal().complete(), realm.journal().complete()), (3, 2));
}

#[tokio::test]
async fn a_kept_token_that_is_refused_is_fetched_anew_once() {
    let realm = Server::start(Script::first(token("old")).then(token("new"))).await.unwrap();
    let url = realm.url();
    let api =
        Server::start(Script::by_request(move |request| match (request.header("authorization"), &*request.path) {
            (Some("Bearer old"), "/1") | (Some("Bearer new"), "/2") => Fault::Ok,
            _ => Answer::status(401).header("www-authenticate", format!("Bearer realm=\"{url}\"")).into(),
        }));
    let api = api.await.unwrap();
    let client = client(anonymous());
    for path in ["/1", "/2"] {
        assert_eq!(client.get(api.url_at(path)).fetch_bytes().await.unwrap().status().as_u16(), 200, "{path}");
    }
    assert_eq!(authorizations(&api), [vec![], vec!["Bearer old"], vec![], vec!["Bearer old"], vec!["Bearer new"]]);
    assert_eq!(realm.journal().complete(), 2);
}

#[tokio::test]
async fn the_callback_sees_the_challenge_and_its_credentials_are_shown_as_the_scheme_wants_them() {
    type Give = fn() -> Option<Credentials>;
    let basic: Give = || Credentials::basic("u", "p").ok();
    let bearer: Give = || Credentials::bearer("own").ok();
    let nobody: Give = || None;
    let bare = Vec::<&str>::new();
    let rows = [
        ("Basic realm=\"r\"", basic, vec![bare.clone(), vec!["Basic dTpw"]]),
        ("Bearer realm=\"r\"", bearer, vec![bare.clone(), vec!["Bearer own"]]),
        ("Basic realm=\"r\"", bearer, vec![bare.clone()]),
        ("Bearer realm=\"r\"", basic, vec![bare.clone()]),
        ("Basic realm=\"r\"", nobody, vec![bare.clone()]),
        ("Digest realm=\"r\", nonce=\"n\"", basic, vec![bare.clone()]),
        ("Digest realm=\"r\", Negotiate, Basic realm=\"r\"", basic, vec![bare.clone(), vec!["Basic dTpw"]]),
        ("Bearer realm=\"r\", Basic realm=\"r\"", basic, vec![bare.clone(), vec!["Basic dTpw"]]),
        ("Basic realm=\"r\", Bearer realm=\"r\"", bearer, vec![bare.clone(), vec!["Bearer own"]]),
        ("", basic, vec![bare.clone()]),
    ];
    for (challenge, give, expected) in rows {
        let api =
            Server::start(Script::always(Answer::status(401).header("www-authenticate", challenge))).await.unwrap();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&seen);
        let answered = Challenges::answered_by(move |challenge| {
            log.lock().unwrap().push(challenge.scheme().to_owned());
            give()
        });
        let answer = client(Auth::challenges(answered)).get(api.url()).fetch_bytes().await.unwrap();
        assert_eq!(answer.status().as_u16(), 401);
        assert_eq!(authorizations(&api), expected, "{challenge}");
        assert_eq!(seen.lock().unwrap().is_empty(), challenge.is_empty());
    }
}

#[tokio::test]
async fn a_user_name_and_password_are_shown_to_the_realm_of_a_bearer_challenge() {
    let realm = Server::start(Script::always(token("t"))).await.unwrap();
    let api = Server::start(registry(&realm.url(), "", "t")).await.unwrap();
    let client = client(Auth::challenges(Challenges::answered_by(|_| Credentials::basic("u", "p").ok())));
    assert_eq!(client.get(api.url()).fetch_bytes().await.unwrap().status().as_u16(), 200);
    assert_eq!(authorizations(&realm), [["Basic dTpw"]]);
    assert_eq!(authorizations(&api), [vec![], vec!["Bearer t"]]);
}

#[tokio::test]
async fn an_empty_user_name_and_password_are_tried_only_when_allowed() {
    let api = Server::start(Script::by_request(|request| match request.header("authorization") {
        Some("Basic Og==") => Fault::Ok,
        _ => Answer::status(401).header("www-authenticate", "Basic realm=\"r\"").into(),
    }));
    let api = api.await.unwrap();
    for (challenges, status) in [(Challenges::anonymous(), 401), (Challenges::anonymous().allow_anonymous_basic(), 200)]
    {
        let answer = client(Auth::challenges(challenges)).get(api.url()).fetch_bytes().await.unwrap();
        assert_eq!(answer.status().as_u16(), status);
    }
}

#[tokio::test]
async fn every_retry_of_a_call_shows_what_answered_its_challenge() {
    let realm = Server::start(Script::always(token("t"))).await.unwrap();
    let challenge = format!("Bearer realm=\"{}\"", realm.url());
    let script = Script::first(Answer::status(401).header("www-authenticate", challenge))
        .then(Fault::status(503))
        .then(Fault::ResetAfterRequest)
        .then(Fault::Ok);
    let api = Server::start(script).await.unwrap();
    let answer = client(anonymous()).get(api.url()).fetch_bytes().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.attempts().count()), (200, 3));
    assert_eq!(authorizations(&api), [vec![], vec!["Bearer t"], vec!["Bearer t"], vec!["Bearer t"]]);
    assert_eq!(realm.journal().complete(), 1);
}

#[tokio::test]
async fn c44_the_credentials_of_the_caller_answer_no_challenge_of_another_origin_and_a_token_stays_with_its_own() {
    let realm = Server::start(Script::always(token("t"))).await.unwrap();
    let storage = Server::start(Script::by_request(|request| match request.header("authorization") {
        Some(_) => Fault::status(400).into(),
        None => Fault::Ok,
    }));
    let storage = storage.await.unwrap();
    let (end, asked) = (storage.url(), format!("Basic realm=\"r\", Bearer realm=\"{}\"", realm.url()));
    let blobs = Server::start(Script::by_request(move |request| match request.header("authorization") {
        Some("Bearer t") => Fault::Redirect(307, end.clone()),
        _ => Answer::status(401).header("www-authenticate", asked.clone()).into(),
    }));
    let blobs = blobs.await.unwrap();
    let api = Server::start(Script::always(Fault::Redirect(307, blobs.url()))).await.unwrap();
    let client = client(Auth::challenges(Challenges::answered_by(|_| Credentials::basic("u", "p").ok())));
    let answer = client.get(api.url()).timeout(Duration::from_secs(10)).fetch_bytes().await.unwrap();
    assert_eq!(answer.status().as_u16(), 200);
    assert_eq!(authorizations(&blobs), [vec![], vec!["Bearer t"]]);
    assert_eq!((authorizations(&realm), authorizations(&storage)), (vec![vec![]], vec![vec![]]));
}

#[tokio::test]
async fn c56_only_challenges_of_listed_origins_are_answered() {
    let realm = Server::start(Script::always(token("t"))).await.unwrap();
    let api = Server::start(registry(&realm.url(), "", "t")).await.unwrap();
    for (origin, status) in [(api.url(), 200), ("https://example.test".to_owned(), 401)] {
        let client = client(anonymous().only_for([origin]).unwrap());
        assert_eq!(client.get(api.url()).fetch_bytes().await.unwrap().status().as_u16(), status);
    }
}

#[tokio::test]
async fn c44_what_answered_at_home_is_not_shown_there_again_to_whom_a_foreign_server_has_sent_back() {
    let asks = || Answer::status(401).header("www-authenticate", "Basic realm=\"r\"");
    let home = Server::start(Script::by_request(move |request| {
        match (request.header("authorization"), request.path.as_str()) {
            (None, _) => asks().into(),
            (Some(_), "/end") => Fault::Ok,
            (Some(_), away) => Fault::Redirect(307, format!("http://{}", &away[1..])),
        }
    }));
    let home = home.await.unwrap();
    let foreign = Server::start(Script::always(Fault::Redirect(307, home.url_at("/end")))).await.unwrap();
    let client = client(Auth::challenges(Challenges::answered_by(|_| Credentials::basic("u", "p").ok())));
    let answer = client.get(home.url_at(&format!("/{}", foreign.address()))).fetch_bytes().await.unwrap();
    assert_eq!(answer.status().as_u16(), 401);
    assert_eq!(authorizations(&home), [vec![], vec!["Basic dTpw"], vec![]]);
}
