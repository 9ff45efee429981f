//! Access tokens that expire: calls that fail together are served by one renewal.
//!
//! `cargo run --example refresh_token API TOKEN_ENDPOINT ACCESS REFRESH`, or without them, against a server whose token
//! has expired.

use std::error::Error;

use futures_util::future::try_join_all;
use httpx_client::{Auth, Client, Refresh, Session, Tokens};
use httpx_faults::{Answer, Fault, Request, Script, Server};

fn expired(request: &Request) -> Fault {
    match (request.path.as_str(), request.header("authorization")) {
        ("/token", _) => Answer::ok().body(r#"{"access_token": "new", "refresh_token": "r2"}"#).into(),
        (_, Some("Bearer new")) => Answer::ok().body("hello, Alice").into(),
        _ => Fault::status(401).into(),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let server = Server::start(Script::by_request(expired)).await?;
    let mut arguments = std::env::args().skip(1);
    let url = arguments.next().unwrap_or_else(|| server.url_at("/me"));
    let endpoint = arguments.next().unwrap_or_else(|| server.url_at("/token"));
    let access = arguments.next().unwrap_or_else(|| "old".to_owned());
    let refresh = arguments.next().unwrap_or_else(|| "r1".to_owned());

    let session = Session::new(Tokens::new(&access)?.with_refresh(&refresh)?);
    let client = Client::builder().auth(Auth::refreshing(session.clone(), Refresh::at(endpoint)?)).build()?;
    let answers = try_join_all((0..3).map(|_| client.get(&url).fetch_text())).await?;
    for answer in answers {
        println!("{}: {}", answer.status(), answer.body());
    }
    println!("version {} of the tokens", session.tokens().version());
    Ok(())
}
