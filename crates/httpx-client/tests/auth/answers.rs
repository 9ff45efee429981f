//! What token endpoints answer: cookies, JSON, both, neither.

use crate::support::{admits, authorizations, client, endpoint, quick, refresh, session};
use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use futures_util::future::join_all;
use httpx_client::{Accept, Auth, AuthStep, Cookies, Refresh};
use httpx_faults::{Answer, Fault, Script, Server};
use std::time::{Duration, SystemTime};

/// An answer with these `Set-Cookie` lines and this body.
fn answer(status: u16, cookies: &[&str], body: &str) -> Answer {
    let answer = Answer::status(status).header("location", "/").body(body.to_owned());
    cookies.iter().fold(answer, |answer, cookie| answer.header("set-cookie", *cookie))
}

const JSON: &str = r#"{"access_token":"x.y.z","refresh_token":"json-r"}"#;

#[tokio::test]
async fn c52_a_cookie_wins_over_json_and_an_empty_or_expired_one_is_not_there() {
    const PAIR: &[&str] = &["JWT=a.b.c; Path=/; HttpOnly", "JWT_REFRESH_TOKEN=r2; Path=/; HttpOnly; Secure"];
    // Status, cookies, body; access and refresh token afterwards.
    let rows: [(u16, &[&str], &str, &str, &str); 15] = [
        (200, PAIR, JSON, "a.b.c", "r2"),
        (302, PAIR, "", "a.b.c", "r2"),
        (303, PAIR, JSON, "a.b.c", "r2"),
        (204, PAIR, "", "a.b.c", "r2"),
        (200, &["JWT=a.b.c"], "", "a.b.c", "r1"),
        (200, &["JWT=a.b.c"], JSON, "a.b.c", "json-r"),
        (200, &["JWT=; Path=/"], JSON, "x.y.z", "json-r"),
        (200, &["JWT=a.b.c; Max-Age=0", "JWT_REFRESH_TOKEN=; Max-Age=0"], JSON, "x.y.z", "json-r"),
        (200, &["JWT=a.b.c; Max-Age=-1"], JSON, "x.y.z", "json-r"),
        (200, &["JWT=a.b.c; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], JSON, "x.y.z", "json-r"),
        (200, &["JWT=a.b.c; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=60"], JSON, "a.b.c", "json-r"),
        (200, &["JWT=old; Path=/old; Max-Age=0", "JWT=a.b.c; Path=/"], JSON, "a.b.c", "json-r"),
        (200, &["JWT=\"a.b.c\""], JSON, "a.b.c", "json-r"),
        (200, &["jwt=a.b.c", "JWTX=q", "nonsense", "JWT=two words"], JSON, "x.y.z", "json-r"),
        (200, &["JWT_REFRESH_TOKEN=r2"], r#"{"access_token":"x.y.z"}"#, "x.y.z", "r2"),
    ];
    for (status, cookies, body, access, refreshed) in rows {
        let api = Server::start(admits(["a.b.c", "x.y.z"])).await.unwrap();
        let tokens = endpoint([answer(status, cookies, body)]).await;
        let session = session("old", "r1");
        let client = client(Auth::refreshing(session.clone(), refresh(&tokens)));
        let told = format!("{status} {cookies:?} {body}");
        assert_eq!(client.get(api.url()).fetch_bytes().await.unwrap().status().as_u16(), 200, "{told}");
        let now = session.tokens();
        assert_eq!((now.access().expose(), now.refresh().unwrap().expose()), (access, refreshed), "{told}");
        assert!(api.journal().requests().iter().all(|request| request.header("cookie").is_none()), "{told}");
        assert_eq!(tokens.journal().complete(), 1, "{told}");
    }
}

#[tokio::test]
async fn whether_a_cookie_has_expired_is_seen_by_the_clock_of_its_own_answer_and_no_clock_is_asked_for_max_age() {
    const PAST: &str = "Fri, 31 Dec 1999 23:00:00 GMT";
    const FUTURE: &str = "Fri, 31 Dec 2100 23:00:00 GMT";
    // What the answer says of its time, what the cookie says of its own, and whether it is taken.
    let rows: [(&[[&str; 2]], &str, bool); 10] = [
        (&[], "Expires=Fri, 31 Dec 2100 22:59:59 GMT", true),
        (&[], "Expires=Fri, 31 Dec 1999 23:00:01 GMT", false),
        (&[["date", PAST]], "Expires=Fri, 31 Dec 1999 23:00:01 GMT", true),
        (&[["date", PAST]], "Expires=Fri, 31 Dec 1999 23:00:00 GMT", false),
        (&[["date", FUTURE]], "Expires=Fri, 31 Dec 2100 22:59:59 GMT", false),
        (&[["date", PAST], ["age", "0"]], "Expires=Fri, 31 Dec 1999 23:00:01 GMT", false),
        (&[["date", "nonsense"]], "Expires=Fri, 31 Dec 2100 22:59:59 GMT", true),
        (&[["date", PAST]], "Max-Age=1", true),
        (&[["date", FUTURE]], "Max-Age=1; Expires=Fri, 31 Dec 1999 23:00:01 GMT", true),
        (&[["date", PAST]], "Max-Age=0; Expires=Fri, 31 Dec 2100 22:59:59 GMT", false),
    ];
    for (headers, time, is_taken) in rows {
        let api = Server::start(admits(["a.b.c", "x.y.z"])).await.unwrap();
        let cookie = format!("JWT=a.b.c; {time}");
        let told =
            headers.iter().fold(answer(200, &[&cookie], JSON), |answer, [name, value]| answer.header(*name, *value));
        let (tokens, session) = (endpoint([told]).await, session("old", "r1"));
        let client = client(Auth::refreshing(session.clone(), refresh(&tokens)));
        assert_eq!(client.get(api.url()).fetch_bytes().await.unwrap().status().as_u16(), 200);
        let wanted = if is_taken { "a.b.c" } else { "x.y.z" };
        assert_eq!(session.tokens().access().expose(), wanted, "{headers:?} {time}");
    }
}

#[tokio::test]
async fn c52_users_who_renew_at_once_get_their_own_tokens_and_no_cookie_is_ever_sent() {
    let api = Server::start(Script::by_request(|request| {
        let shown = request.header("authorization").unwrap_or_default();
        let user = request.path.trim_start_matches('/');
        if shown == format!("Bearer new-{user}") { Fault::Ok } else { Fault::status(401).into() }
    }));
    let api = api.await.unwrap();
    let endpoints = join_all(["a", "b"].map(|user| {
        let cookies = [format!("JWT=new-{user}; Path=/"), format!("JWT_REFRESH_TOKEN=r-{user}; Path=/")];
        let cookies = cookies.each_ref().map(String::as_str);
        endpoint([answer(200, &cookies, "").after(Duration::from_millis(50))])
    }))
    .await;
    let calls = ["a", "b"].iter().zip(&endpoints).map(|(user, endpoint)| {
        let client = client(Auth::refreshing(session(&format!("old-{user}"), "r1"), refresh(endpoint)));
        let url = api.url_at(&format!("/{user}"));
        async move { [client.get(&url).fetch_bytes().await.unwrap(), client.get(&url).fetch_bytes().await.unwrap()] }
    });
    for answer in join_all(calls).await.into_iter().flatten() {
        assert_eq!(answer.status().as_u16(), 200);
    }
    let servers = endpoints.iter().chain([&api]);
    assert!(servers.flat_map(|server| server.journal().requests()).all(|request| request.header("cookie").is_none()));
}

#[tokio::test]
async fn cookies_are_read_from_whom_the_setting_says() {
    let rows = [
        (Cookies::OwnHost, "JWT=a.b.c", true),
        (Cookies::OwnHost, "JWT=a.b.c; Domain=127.0.0.1", true),
        (Cookies::OwnHost, "JWT=a.b.c; Domain=example.test", false),
        (Cookies::OwnHost, "JWT=a.b.c; Domain=0.0.1", false),
        (Cookies::All, "JWT=a.b.c; Domain=example.test", true),
        (Cookies::Ignored, "JWT=a.b.c", false),
    ];
    for (cookies, line, is_read) in rows {
        let api = Server::start(admits(["a.b.c"])).await.unwrap();
        let tokens = endpoint([answer(200, &[line], "")]).await;
        let client = client(Auth::refreshing(session("old", "r1"), refresh(&tokens).cookies(cookies)));
        let status = client.get(api.url()).fetch_bytes().await.unwrap().status().as_u16();
        assert_eq!(status == 200, is_read, "{cookies:?} {line}");
    }
}

#[tokio::test]
async fn cookies_of_a_domain_are_for_the_hosts_in_it() {
    let rows = [
        ("auth.example.test", true),
        ("example.test", true),
        (".Example.TEST", true),
        ("xample.test", false),
        ("h.example.test", false),
        ("www.auth.example.test", false),
    ];
    for (domain, is_read) in rows {
        let api = Server::start(admits(["a.b.c"])).await.unwrap();
        let tokens = endpoint([answer(200, &[&format!("JWT=a.b.c; Domain={domain}")], "")]).await;
        let address = tokens.address();
        let refresh = Refresh::at(format!("http://auth.example.test:{}/", address.port())).unwrap();
        let client = quick()
            .auth(Auth::refreshing(session("old", "r1"), refresh))
            .customise_reqwest(move |reqwest| reqwest.resolve("auth.example.test", address))
            .build()
            .unwrap();
        let status = client.get(api.url()).fetch_bytes().await.unwrap().status().as_u16();
        assert_eq!((status == 200, tokens.journal().complete()), (is_read, 1), "{domain}");
    }
}

#[tokio::test]
async fn c54_an_opaque_token_is_accepted_unless_only_a_jwt_will_do() {
    let jwt = jwt(SystemTime::now());
    let jwt: &'static str = Box::leak(jwt.into_boxed_str());
    let rows = [
        (Accept::Any, "opaque-123", true),
        (Accept::Any, jwt, true),
        (Accept::JwtOnly, jwt, true),
        (Accept::JwtOnly, "opaque-123", false),
        (Accept::JwtOnly, "a.b.c", false),
        (Accept::Any, "two words", false),
    ];
    for (accept, token, is_taken) in rows {
        let api = Server::start(admits([token])).await.unwrap();
        let tokens = endpoint([Answer::status(200).body(format!(r#"{{"access_token":"{token}"}}"#))]).await;
        let client = client(Auth::refreshing(session("old", "r1"), refresh(&tokens).accept(accept)));
        let status = client.get(api.url()).fetch_bytes().await.unwrap().status().as_u16();
        assert_eq!(status == 200, is_taken, "{accept:?} {token}");
    }
}

/// An unsigned JWT that expires at `expiry`.
fn jwt(expiry: SystemTime) -> String {
    let seconds = expiry.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs();
    let part = |json: String| BASE64_URL_SAFE_NO_PAD.encode(json);
    format!("{}.{}.s", part(r#"{"alg":"none"}"#.into()), part(format!(r#"{{"sub":"u","exp":{seconds}}}"#)))
}

#[tokio::test]
async fn a_jwt_is_renewed_ahead_of_its_expiry_when_asked_for() {
    let now = SystemTime::now();
    let (minute, hour) = (Duration::from_secs(60), Duration::from_secs(3600));
    // Access token, renewed before it is shown.
    let rows = [
        (jwt(now - hour), true),
        (jwt(now + minute / 2), true),
        (jwt(now + 2 * minute), false),
        (jwt(now + hour), false),
        ("opaque".to_owned(), false),
        ("not.a.jwt".to_owned(), false),
        (format!("e30.{}.s", BASE64_URL_SAFE_NO_PAD.encode(r#"{"exp":1e300}"#)), false),
        (format!("e30.{}.s", BASE64_URL_SAFE_NO_PAD.encode(r#"{"exp":-5}"#)), false),
    ];
    for (access, is_renewed) in rows {
        let api = Server::start(Script::always(Fault::Ok)).await.unwrap();
        let tokens = endpoint([Answer::status(200).body(r#"{"access_token":"new"}"#)]).await;
        let client = client(Auth::refreshing(session(&access, "r1"), refresh(&tokens).ahead(minute)));
        let answer = client.get(api.url()).fetch_bytes().await.unwrap();
        let expected = if is_renewed { "Bearer new".to_owned() } else { format!("Bearer {access}") };
        assert_eq!(authorizations(&api), [[expected]]);
        assert_eq!(answer.attempts().last().auth, is_renewed.then_some(AuthStep::Renewed), "{access}");
    }
}

#[tokio::test]
async fn a_renewal_ahead_of_time_that_fails_is_tried_once_and_the_call_goes_on() {
    let access = jwt(SystemTime::now() + Duration::from_secs(30));
    let api = Server::start(Script::always(Fault::Ok)).await.unwrap();
    let tokens = endpoint([Fault::ResetAfterRequest]).await;
    let client = client(Auth::refreshing(session(&access, "r1"), refresh(&tokens).ahead(Duration::from_secs(60))));
    for step in [Some(AuthStep::NotRenewed), None] {
        let answer = client.get(api.url()).fetch_bytes().await.unwrap();
        assert_eq!((answer.status().as_u16(), answer.attempts().last().auth), (200, step));
    }
    assert_eq!(tokens.journal().complete(), 1);
}
