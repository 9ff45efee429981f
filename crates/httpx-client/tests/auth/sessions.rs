//! Sessions: who is asking, request by request.

use std::sync::Arc;
use std::time::Duration;

use crate::support::{admits, authorizations, client, endpoint, invalid_grant, json, quick, refresh, session};
use httpx_client::{Auth, MemoryStore, Session, TokenStore as _, Tokens};
use httpx_faults::{Fault, Script, Server};

#[tokio::test]
async fn a_request_names_its_session_or_has_the_clients_own() {
    let api = Server::start(Script::always(Fault::Ok)).await.unwrap();
    let tokens = endpoint([Fault::Ok]).await;
    let own = client(Auth::refreshing(session("own", "r"), refresh(&tokens)));
    let none = client(Auth::sessions(refresh(&tokens)));
    let other = session("other", "r");
    own.get(api.url()).fetch_bytes().await.unwrap();
    own.get(api.url()).session(&other).fetch_bytes().await.unwrap();
    own.get(api.url()).session(&other).no_auth().fetch_bytes().await.unwrap();
    none.get(api.url()).session(&other).fetch_bytes().await.unwrap();
    none.get(api.url()).fetch_bytes().await.unwrap();
    let expected: [&[&str]; 5] = [&["Bearer own"], &["Bearer other"], &[], &["Bearer other"], &[]];
    assert_eq!(authorizations(&api), expected);
}

#[tokio::test]
async fn a_session_needs_a_client_that_renews_tokens() {
    for client in [quick().build().unwrap(), client(Auth::basic("u", "p").unwrap())] {
        let error = client.get("http://example.test/").session(&session("s3cret", "s3cret")).send().await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "GET http://example.test/: request cannot be built: a session needs a client whose Auth renews tokens; \
             build it with Auth::sessions or Auth::refreshing"
        );
    }
}

#[test]
fn the_id_is_stable_and_made_from_the_first_tokens_unless_it_is_given() {
    let one = session("a", "r");
    let id = one.id().to_owned();
    one.replace(Tokens::new("b").unwrap());
    assert_eq!((one.id(), one.clone().id(), session("a", "r").id()), (id.as_str(), id.as_str(), id.as_str()));
    let others = [session("a", "q"), session("b", "r"), session("ar", "x"), Session::new(Tokens::new("a").unwrap())];
    assert!(others.iter().all(|other| other.id() != id));
    assert_eq!(Session::with_id("alice", Tokens::new("a").unwrap()).id(), "alice");
}

#[tokio::test]
async fn sessions_with_one_id_share_what_their_store_holds() {
    let api = Server::start(admits(["new"])).await.unwrap();
    let tokens = endpoint([json("new", "r2")]).await;
    let client = client(Auth::sessions(refresh(&tokens)));
    for _ in 0..3 {
        let again = Session::with_id("alice", Tokens::new("old").unwrap().with_refresh("r1").unwrap());
        assert_eq!(client.get(api.url()).session(&again).fetch_bytes().await.unwrap().status().as_u16(), 200);
        assert_eq!(again.tokens().version(), 1);
    }
    assert_eq!(tokens.journal().complete(), 1);
}

#[tokio::test]
async fn two_clients_with_one_store_renew_once() {
    let api = Server::start(admits(["new"])).await.unwrap();
    let tokens = endpoint([json("new", "r2")]).await;
    let store = Arc::new(MemoryStore::default());
    let clients = [(); 2].map(|()| client(Auth::sessions(refresh(&tokens).store(Arc::clone(&store)))));
    let sessions = [(); 2].map(|()| session("old", "r1"));
    let (one, other) = tokio::join!(
        clients[0].get(api.url()).session(&sessions[0]).fetch_bytes(),
        clients[1].get(api.url()).session(&sessions[1]).fetch_bytes(),
    );
    assert_eq!((one.unwrap().status().as_u16(), other.unwrap().status().as_u16()), (200, 200));
    assert_eq!(tokens.journal().complete(), 1);
    assert!(store.lease(sessions[0].id(), Duration::from_secs(1)).await.unwrap().is_some());
}

#[tokio::test]
async fn the_right_to_renew_is_given_back_however_the_renewal_ends() {
    for ends in [json("new", "r2").into(), invalid_grant().into(), Fault::status(404).into(), Fault::CloseAfterRequest]
    {
        let api = Server::start(admits(["new"])).await.unwrap();
        let tokens = endpoint([ends]).await;
        let (store, alice) = (Arc::new(MemoryStore::default()), session("old", "r1"));
        let client = client(Auth::sessions(refresh(&tokens).store(Arc::clone(&store))));
        client.get(api.url()).session(&alice).fetch_bytes().await.unwrap();
        assert_eq!(tokens.journal().complete(), 1);
        assert!(store.lease(alice.id(), Duration::from_secs(1)).await.unwrap().is_some());
    }
}

#[tokio::test]
async fn a_new_log_in_is_put_over_what_the_store_holds() {
    let api = Server::start(admits(["fresh"])).await.unwrap();
    let tokens = endpoint([Fault::status(400)]).await;
    let store = Arc::new(MemoryStore::default());
    let held = Tokens::restore("stale", "r7", 7).unwrap();
    store.put("alice", held).await.unwrap();
    let client = client(Auth::sessions(refresh(&tokens).store(Arc::clone(&store))));
    let alice = Session::with_id("alice", Tokens::new("x").unwrap());
    alice.replace(Tokens::new("fresh").unwrap().with_refresh("r8").unwrap());
    assert_eq!(client.get(api.url()).session(&alice).fetch_bytes().await.unwrap().status().as_u16(), 200);
    let kept = store.get("alice").await.unwrap().unwrap();
    assert_eq!((kept.access().expose(), kept.version()), ("fresh", 8));
}

#[tokio::test]
async fn a_new_log_in_with_the_same_access_token_brings_its_refresh_token() {
    let api = Server::start(admits(["same"])).await.unwrap();
    let tokens = endpoint([Fault::status(400)]).await;
    let store = Arc::new(MemoryStore::default());
    let client = client(Auth::sessions(refresh(&tokens).store(Arc::clone(&store))));
    let alice = Session::with_id("alice", Tokens::new("same").unwrap().with_refresh("r1").unwrap());
    client.get(api.url()).session(&alice).fetch_bytes().await.unwrap();
    alice.replace(Tokens::new("same").unwrap().with_refresh("r2").unwrap());
    client.get(api.url()).session(&alice).fetch_bytes().await.unwrap();
    for kept in [alice.tokens(), store.get("alice").await.unwrap().unwrap()] {
        assert_eq!(kept.refresh().unwrap().expose(), "r2");
    }
}

/// Alice has logged in again elsewhere; here her session was known to be over.
#[tokio::test]
async fn a_session_that_is_over_here_goes_on_with_the_log_in_that_another_process_has_put_into_the_store() {
    for first in [Tokens::new("old").unwrap(), Tokens::new("old").unwrap().with_refresh("r1").unwrap()] {
        let api = Server::start(admits(["fresh"])).await.unwrap();
        let tokens = endpoint([invalid_grant()]).await;
        let store = Arc::new(MemoryStore::default());
        let [here, there] = [(); 2].map(|()| client(Auth::sessions(refresh(&tokens).store(Arc::clone(&store)))));
        let [alice, elsewhere] = [(); 2].map(|()| Session::with_id("alice", first.clone()));
        for _ in 0..2 {
            let answer = here.get(api.url()).session(&alice).fetch_bytes().await.unwrap();
            assert_eq!(answer.status().as_u16(), 401);
        }
        elsewhere.replace(Tokens::new("fresh").unwrap().with_refresh("r9").unwrap());
        for (client, session) in [(&there, &elsewhere), (&here, &alice)] {
            let answer = client.get(api.url()).session(session).fetch_bytes().await.unwrap();
            assert_eq!((answer.status().as_u16(), answer.attempts().count()), (200, 1));
        }
        assert_eq!(alice.tokens(), elsewhere.tokens());
    }
}
