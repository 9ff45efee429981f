//! What the tests share.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use httpx_client::{Auth, Client, ClientBuilder, Refresh, Session, Tokens};
use httpx_faults::{Answer, Fault, Request, Script, Server};

/// The defaults, but retries follow at once.
pub(crate) fn quick() -> ClientBuilder {
    ClientBuilder::new().delay(Duration::from_millis(1)).max_delay(Duration::from_millis(5))
}

/// A quick client that speaks for `auth`.
pub(crate) fn client(auth: Auth) -> Client {
    quick().auth(auth).build().unwrap()
}

/// The `Authorization` lines of each request, in order.
pub(crate) fn authorizations(server: &Server) -> Vec<Vec<String>> {
    let lines = |request: &Request| request.header_lines("authorization").map(str::to_owned).collect();
    server.journal().requests().iter().map(lines).collect()
}

/// Access token `access` and refresh token `refresh`.
pub(crate) fn session(access: &str, refresh: &str) -> Session {
    Session::new(Tokens::new(access).unwrap().with_refresh(refresh).unwrap())
}

/// Answers whoever shows one of `tokens`, and 401 to everybody else.
pub(crate) fn admits(tokens: impl IntoIterator<Item = &'static str>) -> Script {
    let admitted: Vec<String> = tokens.into_iter().map(|token| format!("Bearer {token}")).collect();
    Script::by_request(move |request| match request.header("authorization") {
        Some(shown) if admitted.iter().any(|token| token == shown) => Fault::Ok,
        Some(_) | None => Fault::status(401).into(),
    })
}

/// A token endpoint that gives these answers in turn, the last one for ever.
pub(crate) async fn endpoint(answers: impl IntoIterator<Item = impl Into<Fault>>) -> Server {
    let answers: Vec<Fault> = answers.into_iter().map(Into::into).collect();
    let count = Arc::new(AtomicU64::new(0));
    let script = Script::by_request(move |_| {
        let at = count.fetch_add(1, Ordering::Relaxed) as usize;
        answers[at.min(answers.len() - 1)].clone()
    });
    Server::start(script).await.unwrap()
}

/// New tokens, as RFC 6749 §5.1 has them.
pub(crate) fn json(access: &str, refresh: &str) -> Answer {
    Answer::status(200)
        .body(format!(r#"{{"access_token":"{access}","token_type":"Bearer","refresh_token":"{refresh}"}}"#))
}

/// What a refresh token that is used up gets (RFC 6749 §5.2).
pub(crate) fn invalid_grant() -> Answer {
    Answer::status(400).body(r#"{"error":"invalid_grant"}"#)
}

/// Renewals at `endpoint`.
pub(crate) fn refresh(endpoint: &Server) -> Refresh {
    Refresh::at(endpoint.url_at("/oauth/token?x=1")).unwrap()
}

/// The forms that a token endpoint was sent.
pub(crate) fn forms(endpoint: &Server) -> Vec<String> {
    let requests = endpoint.journal().requests();
    requests.iter().map(|request| String::from_utf8(request.body.to_vec()).unwrap()).collect()
}
