//! Whether a failed attempt used a fresh connection or one from the pool, where a policy asks for it.

use std::sync::{Arc, Mutex};

use httpx_client::httpx_retry::{Connection, Policy, Rule, default_rule, preset};
use httpx_client::{Client, HttpVersion};
use httpx_faults::{Fault, Script, Server};

use crate::support::{LONG, SHORT, quick};

/// A client whose rule writes down what it is told of each failed attempt's connection.
fn asking(asked: bool, version: HttpVersion) -> (Client, Arc<Mutex<Vec<Connection>>>) {
    let told = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&told);
    let rule = Rule::new("logging", move |attempt| {
        if let httpx_client::httpx_retry::Outcome::Failure(_) = attempt.outcome {
            log.lock().unwrap().push(attempt.connection);
        }
        default_rule(attempt)
    });
    let policy = Policy::default().with_rule(rule);
    let policy = if asked { policy.asking_connection() } else { policy };
    let builder = quick().policy(policy).max_attempts(2.try_into().unwrap()).timeout(SHORT).http_version(version);
    (builder.build().unwrap(), told)
}

#[tokio::test]
async fn fresh_and_reused_are_told_apart_where_a_policy_asks() {
    use Connection::{Fresh, Reused, Unknown};
    // Each after one good answer where the fault is one of a connection in use.
    let rows = [
        (Fault::ResetAfterRequest, vec![Fresh, Fresh]),
        (Fault::CloseAfterRequest, vec![Fresh, Fresh]),
        (Fault::NeverAnswer, vec![Fresh]),
        (Fault::Refused, vec![Fresh, Fresh]),
        (Fault::BlackHole, vec![Fresh, Fresh]),
        (Fault::InUseReset, vec![Reused]),
        (Fault::InUseFin, vec![Reused]),
    ];
    for (fault, expected) in rows {
        let name = fault.name();
        let in_use = matches!(fault, Fault::InUseReset | Fault::InUseFin);
        let server = Server::start(Script::always(fault)).await.unwrap();
        for asked in [true, false] {
            let (client, told) = asking(asked, HttpVersion::Auto);
            if in_use {
                client.get(server.url()).fetch_bytes().await.unwrap();
            }
            client.post(server.url()).body("x").fetch_bytes().await.ok();
            let expected = if asked { expected.clone() } else { vec![Unknown; expected.len()] };
            assert_eq!(*told.lock().unwrap(), expected, "{name}, asked: {asked}");
        }
    }
}

#[tokio::test]
async fn the_second_stream_of_an_http2_connection_reuses_it() {
    let server = Server::h2(Script::first(Fault::Ok).then(Fault::InternalError)).await.unwrap();
    let (client, told) = asking(true, HttpVersion::Http2);
    client.get(server.url()).fetch_bytes().await.unwrap();
    client.get(server.url()).fetch_bytes().await.unwrap_err();
    assert_eq!(*told.lock().unwrap(), [Connection::Reused, Connection::Reused]);
}

#[tokio::test]
async fn a_connection_that_the_attempt_used_itself_is_not_a_stale_one() {
    // Every connection carries a redirect, and breaks under the request that follows it there.
    for policy in ["okhttp_5", "go_net_http", "reqwest_0_13"] {
        let script = Script::by_request(|request| match request.path.as_str() {
            "/next" => Fault::CloseAfterRequest,
            _ => Fault::Redirect(307, "/next".to_owned()),
        });
        let server = Server::start(script).await.unwrap();
        let policy = preset(policy).unwrap().policy().with_deadline(LONG);
        let error = quick().policy(policy).build().unwrap().get(server.url()).send().await.unwrap_err();
        assert_eq!((error.attempts().unwrap().count(), server.journal().recorded()), (1, 2), "{error}");
    }
}
