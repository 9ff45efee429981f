//! Access tokens that are renewed.

use std::time::Duration;

use crate::support::{admits, authorizations, client, endpoint, forms, invalid_grant, json, quick, refresh, session};
use futures_util::future::join_all;
use httpx_client::httpx_retry::{Hedging, Policy};
use httpx_client::{Auth, AuthStep, Body};
use httpx_faults::{Answer, Fault, Script, Server};

/// Long enough for every call that runs at once to fail.
const SLOW: Duration = Duration::from_millis(200);

#[tokio::test]
async fn c15_a_renewed_token_takes_the_place_of_the_old_one_and_no_attempt_is_spent() {
    let api = Server::start(admits(["new"])).await.unwrap();
    let tokens = endpoint([json("new", "r2")]).await;
    let answer = client(Auth::refreshing(session("old", "r1"), refresh(&tokens)))
        .post(api.url())
        .body("hello")
        .fetch_bytes()
        .await
        .unwrap();
    assert_eq!((answer.status().as_u16(), answer.attempts().count()), (200, 1));
    assert_eq!(answer.attempts().last().auth, Some(AuthStep::Renewed));
    assert_eq!(authorizations(&api), [["Bearer old"], ["Bearer new"]]);
    assert!(api.journal().requests().iter().all(|request| request.body == "hello"));

    let asked = &tokens.journal().requests()[0];
    assert_eq!((asked.method.as_str(), asked.path.as_str()), ("POST", "/oauth/token?x=1"));
    assert_eq!(asked.body, "grant_type=refresh_token&refresh_token=r1");
    assert_eq!(asked.header("content-type"), Some("application/x-www-form-urlencoded"));
    assert_eq!((asked.header("authorization"), asked.header("cookie")), (None, None));
}

#[tokio::test]
async fn c48_twenty_calls_that_fail_at_once_make_one_renewal() {
    let api = Server::start(admits(["new"])).await.unwrap();
    let tokens = endpoint([json("new", "r2").after(SLOW), invalid_grant()]).await;
    let client = client(Auth::refreshing(session("old", "r1"), refresh(&tokens)));
    let answers = join_all((0..20).map(|_| client.get(api.url()).fetch_bytes())).await;
    assert!(answers.iter().all(|answer| answer.as_ref().unwrap().status() == 200));
    assert_eq!(tokens.journal().complete(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn c48_two_hundred_calls_over_two_sessions_make_two_renewals_side_by_side() {
    let api = Server::start(admits(["new"])).await.unwrap();
    let tokens = endpoint([json("new", "next").after(SLOW), json("new", "next").after(SLOW), invalid_grant()]).await;
    let client = client(Auth::sessions(refresh(&tokens)));
    let sessions = [session("old-a", "ra"), session("old-b", "rb")];
    let began = std::time::Instant::now();
    let calls = (0..200).map(|at| client.get(api.url()).session(&sessions[at % 2]).fetch_bytes());
    let answers = join_all(calls.map(tokio::spawn)).await;
    assert!(answers.into_iter().all(|answer| answer.unwrap().unwrap().status() == 200));
    assert_eq!(tokens.journal().complete(), 2);
    let mut asked = forms(&tokens);
    asked.sort();
    let form = |token| format!("grant_type=refresh_token&refresh_token={token}");
    assert_eq!(asked, [form("ra"), form("rb")]);
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
}

#[tokio::test]
async fn c48_a_renewal_goes_on_when_the_call_that_began_it_is_given_up() {
    let api = Server::start(admits(["new"])).await.unwrap();
    let tokens = endpoint([json("new", "r2").after(SLOW), invalid_grant()]).await;
    let client = client(Auth::refreshing(session("old", "r1"), refresh(&tokens)));
    let first = tokio::time::timeout(SLOW / 2, client.get(api.url()).fetch_bytes()).await;
    assert!(first.is_err(), "the first call was to be given up");
    let answer = client.get(api.url()).fetch_bytes().await.unwrap();
    assert_eq!((answer.status().as_u16(), tokens.journal().complete()), (200, 1));
}

#[tokio::test]
async fn a_late_401_for_an_old_token_is_sent_again_with_the_new_one_and_renews_nothing() {
    let slow = Script::by_request(|request| match (request.header("authorization"), request.path.as_str()) {
        (Some("Bearer new"), _) => Fault::Ok,
        (_, "/slow") => Answer::status(401).after(2 * SLOW).into(),
        _ => Fault::status(401).into(),
    });
    let api = Server::start(slow).await.unwrap();
    let tokens = endpoint([json("new", "r2"), invalid_grant()]).await;
    let client = client(Auth::refreshing(session("old", "r1"), refresh(&tokens)));
    let (late, early) =
        tokio::join!(client.get(api.url_at("/slow")).fetch_bytes(), client.get(api.url_at("/")).fetch_bytes());
    assert_eq!(early.unwrap().attempts().last().auth, Some(AuthStep::Renewed));
    let late = late.unwrap();
    assert_eq!((late.status().as_u16(), late.attempts().last().auth), (200, Some(AuthStep::Overtaken)));
    assert_eq!(tokens.journal().complete(), 1);
}

#[tokio::test]
async fn c50_the_next_renewal_shows_the_refresh_token_that_the_last_one_brought() {
    // What the first answer has for a refresh token, what the second renewal shows.
    let rows = [
        (r#","refresh_token":"r2""#, "r2"),
        ("", "r1"),
        (r#","refresh_token":"""#, "r1"),
        (r#","refresh_token":null"#, "r1"),
    ];
    for (told, expected) in rows {
        let api = Server::start(Script::by_request(|request| {
            let good = if request.path == "/1" { "Bearer first" } else { "Bearer second" };
            if request.header("authorization") == Some(good) { Fault::Ok } else { Fault::status(401).into() }
        }));
        let api = api.await.unwrap();
        let first = Answer::status(200).body(format!(r#"{{"access_token":"first"{told}}}"#));
        let tokens = endpoint([first, json("second", "r3")]).await;
        let session = session("old", "r1");
        let client = client(Auth::refreshing(session.clone(), refresh(&tokens)));
        for path in ["/1", "/2"] {
            let answer = client.get(api.url_at(path)).fetch_bytes().await.unwrap();
            assert_eq!(answer.status().as_u16(), 200, "{told}");
        }
        assert_eq!(authorizations(&api), [["Bearer old"], ["Bearer first"], ["Bearer first"], ["Bearer second"]]);
        assert_eq!(forms(&tokens)[1], format!("grant_type=refresh_token&refresh_token={expected}"));
        let last = session.tokens();
        let refresh = last.refresh().unwrap().expose();
        assert_eq!((last.access().expose(), refresh, last.version()), ("second", "r3", 2));
    }
}

#[tokio::test]
async fn a_401_that_stays_is_returned_after_one_renewal() {
    let api = Server::start(Script::always(Answer::status(401).body("go away"))).await.unwrap();
    let tokens = endpoint([json("a", "r2"), json("b", "r3")]).await;
    let client = client(Auth::refreshing(session("old", "r1"), refresh(&tokens)));
    let answer = client.get(api.url()).fetch_text().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.body().as_str(), answer.attempts().count()), (401, "go away", 1));
    assert_eq!((api.journal().complete(), tokens.journal().complete()), (2, 1));
}

#[tokio::test]
async fn a_refusal_for_good_is_remembered_until_the_tokens_change() {
    for status in [400, 401, 403, 410] {
        let api = Server::start(admits(["fresh"])).await.unwrap();
        let tokens = endpoint([Answer::status(status).body(r#"{"error":"invalid_grant"}"#)]).await;
        let session = session("old", "r1");
        let client = client(Auth::refreshing(session.clone(), refresh(&tokens)));
        for _ in 0..3 {
            let answer = client.get(api.url()).fetch_bytes().await.unwrap();
            assert_eq!((answer.status().as_u16(), answer.attempts().count()), (401, 1), "{status}");
            assert_eq!(answer.attempts().last().auth, Some(AuthStep::Refused), "{status}");
        }
        assert_eq!((api.journal().complete(), tokens.journal().complete()), (3, 1), "{status}");

        session.replace(httpx_client::Tokens::new("fresh").unwrap().with_refresh("r9").unwrap());
        assert_eq!(client.get(api.url()).fetch_bytes().await.unwrap().status().as_u16(), 200, "{status}");
    }
}

#[tokio::test]
async fn a_renewal_that_does_not_work_now_leaves_the_401_and_is_tried_again_by_the_next_call() {
    let rows: [(&str, Fault); 10] = [
        ("no token", Answer::status(200).body("{}").into()),
        ("a page", Answer::status(200).body("<html>log in</html>").into()),
        ("to the log-in page", Fault::Redirect(302, "/login".into())),
        ("not found", Fault::status(404).into()),
        ("took too long", Fault::status(408).into()),
        ("another server's", Fault::status(421).into()),
        ("too early", Fault::status(425).into()),
        ("half an answer", Fault::HalfBodyFin),
        ("closed", Fault::CloseAfterRequest),
        ("reset", Fault::ResetAfterRequest),
    ];
    for (name, fault) in rows {
        let api = Server::start(admits(["new"])).await.unwrap();
        let tokens = endpoint([fault, json("new", "r2").into()]).await;
        let client = client(Auth::refreshing(session("old", "r1"), refresh(&tokens)));
        let answer = client.get(api.url()).fetch_bytes().await.unwrap();
        assert_eq!((answer.status().as_u16(), answer.attempts().count()), (401, 1), "{name}");
        assert_eq!(answer.attempts().last().auth, Some(AuthStep::NotRenewed), "{name}");
        // Nothing that may have been sent was sent again.
        assert_eq!(tokens.journal().complete(), 1, "{name}");
        assert_eq!(client.get(api.url()).fetch_bytes().await.unwrap().status().as_u16(), 200, "{name}");
    }
}

#[tokio::test]
async fn a_renewal_is_retried_under_the_policy_when_it_was_not_sent_or_is_answered_with_a_transient_status() {
    let rows: [(&str, Fault); 3] = [
        ("busy", Fault::status(503).into()),
        ("too many", Fault::status(429).retry_after("0").into()),
        ("failed", Fault::status(500).into()),
    ];
    for (name, fault) in rows {
        let api = Server::start(admits(["new"])).await.unwrap();
        let tokens = endpoint([fault, json("new", "r2").into()]).await;
        let client = client(Auth::refreshing(session("old", "r1"), refresh(&tokens)));
        let answer = client.get(api.url()).fetch_bytes().await.unwrap();
        assert_eq!((answer.status().as_u16(), answer.attempts().count()), (200, 1), "{name}");
        assert_eq!(tokens.journal().complete(), 2, "{name}");
    }

    let api = Server::start(admits(["new"])).await.unwrap();
    let tokens = Server::start(Script::first(Fault::Refused).then(json("new", "r2"))).await.unwrap();
    let client = quick().delay(SLOW).max_delay(SLOW).auth(Auth::refreshing(session("old", "r1"), refresh(&tokens)));
    let client = client.build().unwrap();
    let call = tokio::spawn(client.get(api.url()).fetch_bytes());
    tokio::time::sleep(SLOW / 4).await;
    tokens.recover();
    assert_eq!(call.await.unwrap().unwrap().status().as_u16(), 200);
}

#[tokio::test]
async fn a_renewal_has_timeouts_of_its_own_and_the_call_waits_no_longer_than_its_deadline() {
    let api = Server::start(admits(["new"])).await.unwrap();
    let tokens = endpoint([json("new", "r2").after(2 * SLOW)]).await;

    // The timeout of an attempt does not count the renewal.
    let auth = Auth::refreshing(session("old", "r1"), refresh(&tokens));
    let client = quick().timeout(SLOW).auth(auth).build().unwrap();
    let answer = client.get(api.url()).fetch_bytes().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.attempts().count()), (200, 1));

    // Its own timeout ends it, and the 401 stays.
    let auth = Auth::refreshing(session("old", "r1"), refresh(&tokens).timeout(SLOW));
    let answer = crate::support::client(auth).get(api.url()).fetch_bytes().await.unwrap();
    assert_eq!((answer.status().as_u16(), answer.attempts().last().auth), (401, Some(AuthStep::NotRenewed)));

    // The call's deadline ends the call, and not the renewal.
    let session = session("old", "r1");
    let client = crate::support::client(Auth::refreshing(session.clone(), refresh(&tokens)));
    let error = client.get(api.url()).deadline(SLOW).fetch_bytes().await.unwrap_err();
    assert!(error.to_string().contains(": deadline passed after 1 attempt in 0."), "{error}");
    let source = std::error::Error::source(&error).unwrap().to_string();
    assert_eq!(source, "the call was waiting for credentials");
    tokio::time::sleep(2 * SLOW).await;
    assert_eq!(session.tokens().access().expose(), "new");
}

#[tokio::test]
async fn a_stream_that_is_gone_keeps_its_401_and_the_next_call_has_the_new_token() {
    let api = Server::start(admits(["new"])).await.unwrap();
    let tokens = endpoint([json("new", "r2")]).await;
    let client = client(Auth::refreshing(session("old", "r1"), refresh(&tokens)));
    let once = Body::stream(futures_util::stream::iter([Ok::<_, std::io::Error>("once")]));
    assert_eq!(client.post(api.url()).body(once).fetch_bytes().await.unwrap().status().as_u16(), 401);
    assert_eq!(client.get(api.url()).fetch_bytes().await.unwrap().status().as_u16(), 200);
    assert_eq!(authorizations(&api), [["Bearer old"], ["Bearer new"]]);
}

#[tokio::test]
async fn c44_the_401_of_another_server_renews_nothing() {
    let other = Server::start(Script::always(Answer::status(401).header("www-authenticate", "Bearer"))).await.unwrap();
    let api = Server::start(Script::always(Fault::Redirect(307, other.url()))).await.unwrap();
    let tokens = endpoint([json("new", "r2")]).await;
    let client = client(Auth::refreshing(session("old", "r1"), refresh(&tokens)));
    assert_eq!(client.get(api.url()).fetch_bytes().await.unwrap().status().as_u16(), 401);
    assert_eq!((tokens.journal().complete(), other.journal().complete()), (0, 1));
}

#[tokio::test]
async fn a_new_log_in_during_a_renewal_that_fails_is_what_the_waiting_call_goes_on_with() {
    for ends in [invalid_grant(), Answer::status(404)] {
        let api = Server::start(admits(["fresh"])).await.unwrap();
        let tokens = endpoint([ends.after(SLOW)]).await;
        let session = session("old", "r1");
        let client = client(Auth::refreshing(session.clone(), refresh(&tokens)));
        let call = tokio::spawn(client.get(api.url()).fetch_bytes());
        while tokens.journal().complete() == 0 {
            tokio::time::sleep(SLOW / 20).await;
        }
        session.replace(httpx_client::Tokens::new("fresh").unwrap().with_refresh("r9").unwrap());
        let answer = call.await.unwrap().unwrap();
        assert_eq!((answer.status().as_u16(), answer.attempts().last().auth), (200, Some(AuthStep::Overtaken)));
        assert_eq!(authorizations(&api), [["Bearer old"], ["Bearer fresh"]]);
    }
}

#[tokio::test]
async fn a_policy_that_hedges_sends_no_refresh_token_twice() {
    let api = Server::start(admits(["new"])).await.unwrap();
    let tokens = endpoint([json("new", "r2").after(SLOW), invalid_grant()]).await;
    let hedging = Hedging::new(Duration::from_millis(1), 3.try_into().unwrap()).of_every_request();
    let auth = Auth::refreshing(session("old", "r1"), refresh(&tokens));
    let client = quick().policy(Policy::default().with_hedging(hedging)).auth(auth).build().unwrap();
    assert_eq!(client.get(api.url()).fetch_bytes().await.unwrap().status().as_u16(), 200);
    assert_eq!(tokens.journal().complete(), 1);
}
