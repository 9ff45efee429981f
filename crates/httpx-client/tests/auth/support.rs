//! What the tests share.

use std::time::Duration;

use httpx_client::{Auth, Client, ClientBuilder};
use httpx_faults::{Request, Server};

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
