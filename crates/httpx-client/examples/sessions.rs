//! One client that speaks for many users: a request names its session, and tokens never mix.
//!
//! `cargo run --example sessions`, against a server that greets whoever asks.

use std::error::Error;

use httpx_client::{Auth, Client, Refresh, Session, Tokens};
use httpx_faults::{Answer, Fault, Request, Script, Server};

fn greet(request: &Request) -> Fault {
    match request.header("authorization") {
        Some(token) => Answer::ok().body(format!("hello, {}", token.trim_start_matches("Bearer token-of-"))).into(),
        None => Fault::status(401).into(),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let server = Server::start(Script::by_request(greet)).await?;

    let client = Client::builder().auth(Auth::sessions(Refresh::at(server.url_at("/token"))?)).build()?;
    let alice = Session::with_id("alice", Tokens::new("token-of-alice")?);
    let bob = Session::with_id("bob", Tokens::new("token-of-bob")?);
    for session in [&alice, &bob, &alice] {
        let answer = client.get(server.url_at("/me")).session(session).fetch_text().await?;
        println!("{}: {}", session.id(), answer.body());
    }
    Ok(())
}
