//! Calls, and what became of them.

use std::time::Duration;

use bytes::Bytes;
use httpx_client::httpx_retry::{Rule, Sent};
use httpx_client::{Attempts, Error, RequestBuilder};
use tokio::time::{Instant, timeout};

use crate::case::{Asks, Case, Read, Ruled};
use crate::timed::timed;
use crate::world::Road;

/// A call and its end.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) case: Case,
    pub(crate) end: End,
    /// Beyond its deadline, after what the machine is to blame for.
    pub(crate) late: Duration,
}

#[derive(Debug)]
pub(crate) enum End {
    /// Status, body and what the header said whose answer it is; the body may be of a fault.
    Answered { status: u16, body: Bytes, of: Option<String>, attempts: Attempts },
    Failed {
        #[expect(dead_code, reason = "a violation shows it")]
        told: String,
        sent: Sent,
        attempts: Option<Attempts>,
    },
    /// Its caller lost interest.
    Dropped,
}

impl End {
    pub(crate) const fn attempts(&self) -> Option<&Attempts> {
        match self {
            End::Answered { attempts, .. } => Some(attempts),
            End::Failed { attempts, .. } => attempts.as_ref(),
            End::Dropped => None,
        }
    }
}

/// Makes a call.
pub(crate) async fn make(road: &Road, case: Case) -> Record {
    let call = run(request(road, &case), case.read);
    let (end, late) = match case.dropped_after {
        Some(after) => (timeout(after, call).await.unwrap_or(Ok(End::Dropped)), Duration::ZERO),
        None => {
            let deadline = Instant::now() + case.deadline;
            timed(deadline, call).await
        }
    };
    let failed =
        |error: Error| End::Failed { told: error.to_string(), sent: error.sent(), attempts: error.attempts().cloned() };
    Record { case, end: end.unwrap_or_else(failed), late }
}

fn request(road: &Road, case: &Case) -> RequestBuilder {
    let server = match case.asks {
        Asks::Nowhere(which) => &road.nowhere[which],
        Asks::Public | Asks::Private | Asks::Elsewhere(_) => &road.home,
    };
    let (client, url) = (&road.clients[case.who], road.way.url(server, &case.path()));
    let request = if case.post { client.post(url).body(upload(case)) } else { client.get(url) };
    let request = match case.asks {
        Asks::Public | Asks::Nowhere(_) => request,
        // A redirect leads away from whom the token is meant for.
        Asks::Private | Asks::Elsewhere(_) => request.session(&road.sessions[case.who]),
    };
    let request = request.header("x-request-id", case.id.to_string()).header("x-operation", case.id.to_string());
    let request = match case.timeout {
        Some(timeout) => request.timeout(timeout),
        None => request,
    };
    let request = match case.read_timeout {
        Some(timeout) => request.read_timeout(timeout),
        None => request,
    };
    let request = match case.rule {
        Ruled::Default => request,
        Ruled::IdempotentOnly => request.rule(Rule::idempotent_only()),
    };
    request.deadline(case.deadline)
}

/// What a POST carries: the number of the call, over and over.
pub(crate) fn upload(case: &Case) -> Vec<u8> {
    let number = format!("{},", case.id);
    let mut upload = number.repeat(case.upload / number.len() + 1).into_bytes();
    upload.truncate(case.upload);
    upload
}

async fn run(request: RequestBuilder, read: Read) -> Result<End, Error> {
    match read {
        Read::Whole => {
            let answer = request.fetch_bytes().await?;
            let (status, attempts) = (answer.status().as_u16(), answer.attempts().clone());
            let of = of(answer.headers());
            Ok(End::Answered { status, of, attempts, body: answer.into_body() })
        }
        Read::Pieces => {
            let mut answer = request.send().await?;
            let (status, attempts) = (answer.status().as_u16(), answer.attempts().clone());
            let of = of(answer.headers());
            let mut body = Vec::new();
            while let Some(piece) = answer.chunk().await? {
                body.extend_from_slice(&piece);
            }
            Ok(End::Answered { status, of, attempts, body: body.into() })
        }
    }
}

fn of(headers: &http::HeaderMap) -> Option<String> {
    headers.get("x-answers").map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
}
