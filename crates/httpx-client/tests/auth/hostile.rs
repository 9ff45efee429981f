//! Servers that mean harm, and users who take no care.

use std::time::{Duration, Instant, SystemTime};

use crate::support::{admits, authorizations, client, endpoint, forms, json, quick, refresh, session};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use httpx_client::{Auth, AuthStep, Challenge, Challenges, Realms};
use httpx_faults::{Answer, Fault, Script, Server};

/// Far more than any of this takes on a busy machine, and far less than a square of it would.
const ENOUGH: Duration = Duration::from_secs(20);

fn anonymous() -> Auth {
    Auth::challenges(Challenges::anonymous())
}

/// Answers 401 with these challenges, each in a line of its own.
async fn asking(challenges: impl IntoIterator<Item = String>) -> Server {
    let answer = challenges.into_iter().fold(Answer::status(401), |answer, one| answer.header("www-authenticate", one));
    Server::start(Script::always(answer)).await.unwrap()
}

#[tokio::test]
async fn a_401_that_names_a_hundred_realms_sends_the_client_to_four_of_them() {
    let realm = Server::start(Script::always(Fault::status(404))).await.unwrap();
    let one_line = (0..100).map(|at| format!("Bearer realm=\"{}\"", realm.url_at(&format!("/{at}"))));
    let api = asking([one_line.collect::<Vec<_>>().join(", ")]).await;
    let answer = client(anonymous()).get(api.url()).fetch_bytes().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.attempts().last().auth), (401, Some(AuthStep::Unanswered)));
    let asked: Vec<_> = realm.journal().requests().into_iter().map(|request| request.path).collect();
    assert_eq!(asked, ["/0", "/1", "/2", "/3"]);
}

#[tokio::test]
async fn ten_thousand_parameters_and_scopes_are_no_work() {
    let realm = Server::start(Script::always(Fault::status(404))).await.unwrap();
    let params = (0..10_000).map(|at| format!("p{at}=\"{at}\"")).collect::<Vec<_>>().join(",");
    let scopes = (0..10_000).map(|at| format!("s{at}")).collect::<Vec<_>>().join(" ");
    let rows = [
        format!("Bearer {params}"),
        format!("Bearer realm=\"{}\",{params}", realm.url()),
        format!("Bearer realm=\"{}\",scope=\"{scopes}\"", realm.url()),
        format!("Bearer realm=\"{}?{}\"", realm.url(), params.replace("\",", "&").replace('"', "")),
    ];
    for challenge in rows {
        let api = asking([challenge]).await;
        let began = Instant::now();
        let answer = client(anonymous()).get(api.url()).fetch_bytes().await.unwrap();
        assert_eq!(answer.status().as_u16(), 401);
        assert!(began.elapsed() < ENOUGH, "{:?}", began.elapsed());
    }
    let many = (0..200_000).map(|at| format!("s{at}")).collect::<Vec<_>>().join(" ");
    let challenge = &Challenge::list(&format!("Bearer realm=\"https://a.test/\",scope=\"{many}\""))[0];
    let began = Instant::now();
    challenge.token_url(&"https://b.test/".parse().unwrap(), Realms::strict()).unwrap();
    assert!(began.elapsed() < ENOUGH, "{:?}", began.elapsed());
}

#[tokio::test]
async fn an_answer_of_a_realm_or_an_endpoint_that_is_huge_is_read_no_further_than_a_token_can_be() {
    let huge = || Answer::status(200).body(format!("{{\"x\":\"{}\"}}", "x".repeat(8 * 1024 * 1024)));
    let realm = Server::start(Script::always(huge())).await.unwrap();
    let api = asking([format!("Bearer realm=\"{}\"", realm.url())]).await;
    assert_eq!(client(anonymous()).get(api.url()).fetch_bytes().await.unwrap().status().as_u16(), 401);
    let tokens = endpoint([huge()]).await;
    let api = Server::start(admits(["new"])).await.unwrap();
    let session = session("old", "r1");
    let answer =
        client(Auth::refreshing(session.clone(), refresh(&tokens))).get(api.url()).fetch_bytes().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.attempts().last().auth), (401, Some(AuthStep::NotRenewed)));
    assert_eq!(session.tokens().version(), 0);
}

#[tokio::test]
async fn an_answer_that_never_ends_is_given_up_by_the_endpoints_own_timeout() {
    let tokens = endpoint([Answer::status(200).body("{\"access_token\":\"new\"}").drip(Duration::from_secs(60))]).await;
    let api = Server::start(admits(["new"])).await.unwrap();
    let refresh = refresh(&tokens).timeout(Duration::from_millis(300)).limit(Duration::from_millis(600));
    let began = Instant::now();
    let answer = client(Auth::refreshing(session("old", "r1"), refresh)).get(api.url()).fetch_bytes().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.attempts().last().auth), (401, Some(AuthStep::NotRenewed)));
    // Shown once: it may have arrived.
    assert_eq!(forms(&tokens).len(), 1);
    assert!(began.elapsed() < ENOUGH, "{:?}", began.elapsed());
}

/// An unsigned JWT that expires so many seconds from now.
fn jwt(seconds: i64) -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs() as i64;
    let part = |json: String| BASE64_URL_SAFE_NO_PAD.encode(json);
    format!("{}.{}.s", part(r#"{"alg":"none"}"#.into()), part(format!(r#"{{"exp":{}}}"#, now + seconds)))
}

#[tokio::test]
async fn tokens_that_are_due_when_they_come_are_used_until_they_are_refused() {
    // By a clock that is an hour off, and by a life that is shorter than the time ahead.
    for life in [-3600, 30] {
        let api = Server::start(Script::always(Fault::Ok)).await.unwrap();
        let tokens = endpoint([json(&jwt(life), "r2"), json(&jwt(life), "r3")]).await;
        let auth = Auth::refreshing(session(&jwt(life), "r1"), refresh(&tokens).ahead(Duration::from_secs(60)));
        let client = client(auth);
        for _ in 0..5 {
            client.get(api.url()).fetch_bytes().await.unwrap();
        }
        assert_eq!(tokens.journal().complete(), 1, "{life}");
    }
}

#[tokio::test]
async fn a_server_that_answers_401_in_the_middle_of_a_download_or_to_everything_is_asked_a_bounded_number_of_times() {
    let realm =
        Server::start(Script::always(Answer::status(200).body("{\"token\":\"t\",\"expires_in\":0}"))).await.unwrap();
    let api = asking([format!("Bearer realm=\"{}\"", realm.url()), "Basic realm=\"x\"".into(), "Bearer".into()]).await;
    let auth = Auth::challenges(Challenges::anonymous().allow_anonymous_basic());
    let client = quick().auth(auth).build().unwrap();
    for _ in 0..2 {
        assert_eq!(client.get(api.url()).fetch_bytes().await.unwrap().status().as_u16(), 401);
    }
    assert_eq!(authorizations(&api).len(), 6);
    assert_eq!(realm.journal().complete(), 2);
}
