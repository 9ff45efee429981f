//! What is answered where.

use super::{Request, state::Carrying};
use bytes::Bytes;

/// The body of every good answer but the large one.
pub(crate) const ANSWER_BODY: &str = "{\"status\":\"done\"}\n";

/// How many bytes the large body has.
pub(crate) const LARGE_BODY: usize = 1024 * 1024;

/// The token that is not expired.
const TOKEN: &str = "Bearer fresh";

/// Every answer, ready to be written.
#[derive(Debug)]
pub(super) struct Answers {
    good: Bytes,
    large: Bytes,
    failed_small: Bytes,
    failed_chunked: Bytes,
    failed_large: Bytes,
    expired: Bytes,
    token: Bytes,
    unknown: Bytes,
}

impl Answers {
    pub(super) fn new() -> Self {
        let failure = "the server is tired\n";
        Answers {
            good: sized("200 OK", ANSWER_BODY),
            large: sized("200 OK", &"x".repeat(LARGE_BODY)),
            failed_small: sized("503 Service Unavailable", failure),
            failed_chunked: answer(
                "503 Service Unavailable",
                "transfer-encoding: chunked",
                &format!("{:x}\r\n{failure}\r\n", failure.len()),
            ),
            failed_large: sized("503 Service Unavailable", &"x".repeat(64 * 1024)),
            expired: sized("401 Unauthorized", "expired\n"),
            token: sized("200 OK", "{\"access_token\":\"fresh\",\"refresh_token\":\"next\"}"),
            unknown: sized("404 Not Found", "no such place\n"),
        }
    }

    /// What is sent a moment after an answer: the end of a chunked body, which no client can know of before.
    pub(super) fn rest_of(&self, answer: &Bytes) -> Option<&'static [u8]> {
        (*answer == self.failed_chunked).then_some(b"0\r\n\r\n")
    }

    /// The answer to a request, which is counted with its connection.
    pub(super) fn to(&self, request: &Request<'_>, carrying: &mut Carrying<'_>) -> Bytes {
        let state = carrying.state();
        match request.path {
            "/counts" => return sized("200 OK", &state.told()),
            "/repair" => {
                state.repair();
                return sized("200 OK", &state.told());
            }
            _ => carrying.one_more(),
        }
        let twice = |failed: &Bytes| if state.is_third() { self.good.clone() } else { failed.clone() };
        match request.path {
            "/" => self.good.clone(),
            "/large" => self.large.clone(),
            "/twice/small" => twice(&self.failed_small),
            "/twice/chunked" => twice(&self.failed_chunked),
            "/twice/large" => twice(&self.failed_large),
            "/always/small" => self.failed_small.clone(),
            "/always/chunked" => self.failed_chunked.clone(),
            "/outage" if state.is_repaired() => self.good.clone(),
            "/outage" => self.failed_small.clone(),
            "/protected" if request.authorization == Some(TOKEN) => self.good.clone(),
            "/protected" => self.expired.clone(),
            "/token" => {
                state.give_token();
                self.token.clone()
            }
            _ => self.unknown.clone(),
        }
    }
}

fn sized(status: &str, body: &str) -> Bytes {
    answer(status, &format!("content-length: {}", body.len()), body)
}

fn answer(status: &str, framing: &str, body: &str) -> Bytes {
    let date = "date: Mon, 30 Nov 2026 09:00:00 GMT";
    format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\n{framing}\r\n{date}\r\n\r\n{body}").into()
}
