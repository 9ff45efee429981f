//! The story of a call, line by line, as a person would tell it.

use std::time::Duration;

use http::Method;
use httpx_client::{AttemptRecord, Client, Ended, redacted};
use httpx_retry::{Failure, FailureClass, Phase, Reason, Sent};
use url::Url;

use crate::{human, paint};

/// What is about to be sent.
pub(super) fn begins(method: &Method, url: &str, client: &Client) -> Option<String> {
    let (policy, url) = (client.policy(), redacted(&Url::parse(url).ok()?));
    let attempts = human::count(policy.max_attempts().get() as usize, "attempt");
    let plan = format!("policy {}, at most {attempts}", policy.name());
    Some(format!("{} {}", paint::strong(format!("{method} {url}")), paint::quiet(format!("({plan})"))))
}

/// One attempt: how it ended, and what follows.
pub(super) fn line(record: &AttemptRecord) -> String {
    let attempt = paint::strong(format!("attempt {}:", record.number));
    let ended = match record.ended {
        Ended::Answer(status) => format!("{status} in {}", human::took(record.elapsed)),
        Ended::Failure(failure) => failed(failure, record.sent, record.elapsed),
        Ended::Cancelled => format!("cancelled after {}", human::took(record.elapsed)),
    };
    let step = record.auth.map(|step| format!(", {}", step.phrase())).unwrap_or_default();
    format!("{attempt} {ended}{step} → {}", follows(record))
}

/// How the call ended, after its last attempt.
pub(super) fn ends(status: http::StatusCode, attempts: usize, elapsed: Duration, bytes: u64) -> String {
    let (attempts, bytes) = (human::count(attempts, "attempt"), human::count(bytes as usize, "byte"));
    format!("{status} after {attempts} in {}, {bytes}", human::took(elapsed))
}

fn failed(failure: Failure, sent: Sent, elapsed: Duration) -> String {
    let what = format!("{} after {}", failure.kind.phrase(), human::took(elapsed));
    match failure.phase {
        Phase::Body => format!("{what}, in the middle of the answer"),
        Phase::Prepare | Phase::Resolve | Phase::Connect | Phase::Tls | Phase::Answer => {
            format!("{what}, {}", known(sent))
        }
    }
}

const fn known(sent: Sent) -> &'static str {
    match sent {
        Sent::No => "nothing was sent",
        Sent::NotProcessed => "the server did not act on it",
        Sent::Maybe => "it may have been sent",
    }
}

fn follows(record: &AttemptRecord) -> String {
    let Some(wait) = record.wait else { return stops(record) };
    let retry = paint::careful(format!("retry in {}", human::wait(wait)));
    match &record.reason {
        // What happened says it already.
        Reason::NotSent | Reason::NotProcessed => retry,
        reason => format!("{retry} {}", paint::quiet(format!("({reason})"))),
    }
}

fn stops(record: &AttemptRecord) -> String {
    let done = record.status().is_some_and(|status| status.as_u16() < 400);
    match &record.reason {
        Reason::FinalAnswer if done => paint::good("done"),
        // That it may have been sent is said already.
        Reason::MayBeWorking => stop("the server may be working on it"),
        Reason::Deadline if is_over(record) => stop("the call's time is over"),
        reason => stop(&reason.to_string()),
    }
}

/// The deadline passed during the attempt, not before the next one.
fn is_over(record: &AttemptRecord) -> bool {
    record.failure().is_some_and(|failure| failure.kind.class() == FailureClass::Deadline)
}

fn stop(why: &str) -> String {
    paint::bad(format!("stop: {why}"))
}
