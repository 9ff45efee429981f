//! The answers of a token endpoint: cookies and JSON, over a connection.

use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bolero::check;
use bolero::generator::produce;
use httpx_client::{Auth, Client, Refresh, Session, Tokens};
use httpx_faults::{Answer, Fault, Script, Server};

use crate::support::{field, numbers, text};

const COOKIE: &[&str] = &[
    "JWT=",
    "JWT_REFRESH_TOKEN=",
    "jwt=",
    "a.b.c",
    "opaque",
    ";",
    "; ",
    "Max-Age=0",
    "Max-Age=60",
    "Max-Age=-9999999999999999999",
    "Domain=",
    "127.0.0.1",
    "evil.test",
    "Path=/",
    "Expires=",
    "Thu, 01 Jan 1970 00:00:00 GMT",
    "HttpOnly",
    "=",
    "\"",
    " ",
    "%",
];
const JSON: &[&str] = &[
    "{",
    "}",
    "\"access_token\":",
    "\"refresh_token\":",
    "\"x.y.z\"",
    "\"two words\"",
    "\"\"",
    "null",
    "7",
    ",",
    "[",
    "\\n",
    "{\"access_token\":\"x.y.z\"}",
    "{\"access_token\":\"n\",\"refresh_token\":\"r2\"}",
];

/// Whatever the endpoint answers, the session has usable tokens: the old pair, or one that follows it.
#[test]
fn cookies_of_a_renewal() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let next: Arc<Mutex<Answer>> = Arc::new(Mutex::new(Answer::ok()));
    let given = Arc::clone(&next);
    let tokens = Script::by_request(move |_| given.lock().unwrap().clone().into());
    let tokens = runtime.block_on(Server::start(tokens)).unwrap();
    let api = runtime.block_on(Server::start(Script::always(Fault::status(401)))).unwrap();
    let refresh = Refresh::at(tokens.url()).unwrap();
    let client = Client::builder().auth(Auth::sessions(refresh)).timeout(Duration::from_secs(60)).build().unwrap();
    let sessions = AtomicU64::new(0);
    // A connection that a panic has left half used is closed.
    let stage = AssertUnwindSafe((runtime, client, api, next, tokens));
    check!().with_generator((numbers(12), numbers(12), numbers(5), produce::<bool>())).for_each(
        |(first, second, body, evil)| {
            let (runtime, client, api, next, _) = &*stage;
            let mut answer = Answer::status(200).body(text(body, JSON));
            for line in [first, second] {
                // The last attribute of a name counts (RFC 6265 §5.3).
                let domain = if *evil { "; Domain=evil.test" } else { "" };
                answer = answer.header("set-cookie", format!("{}{domain}", field(line, COOKIE)));
            }
            *next.lock().unwrap() = answer;
            let id = sessions.fetch_add(1, Ordering::Relaxed).to_string();
            let session = Session::with_id(id, Tokens::new("old").unwrap().with_refresh("r1").unwrap());
            let answer = runtime.block_on(client.get(api.url()).session(&session).fetch_bytes()).unwrap();
            assert_eq!(answer.status().as_u16(), 401);
            let held = session.tokens();
            let access = held.access().expose();
            assert!(!access.is_empty() && access.bytes().all(|byte| byte.is_ascii_graphic()), "{access:?}");
            let refresh = held.refresh().unwrap().expose();
            match held.version() {
                0 => assert_eq!((access, refresh), ("old", "r1")),
                version => assert!(version == 1 && !refresh.is_empty(), "{version} {refresh:?}"),
            }
            assert!(!evil || ["old", "x.y.z", "n"].contains(&access), "{access:?}");
        },
    );
}
