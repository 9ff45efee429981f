//! The send loop: the only one of the client.

use std::ops::ControlFlow;
use std::time::{Duration, SystemTime};

use futures_util::future::{BoxFuture, Either};
use httpx_retry::{Sent, Step};
use tokio::time::Instant;

use crate::attempt::{attempt, in_turn};
use crate::call::{Call, finish};
use crate::error::Error;
use crate::exchange::{left_of, wait_until};
use crate::failed::{Ending, Failed};
use crate::paid::Paid;
use crate::race;
use crate::read::{Read, with_body};
use crate::run::{Next, Run, Sending};

/// Sends until the policy stops; as a race where the policy hedges, and else one attempt after the other.
pub(crate) fn send<'a>(
    sending: &'a mut Sending,
    mut read: Read<'a>,
) -> impl Future<Output = Result<reqwest::Response, Error>> + use<'a> {
    let Sending { call, run } = sending;
    if let Some(hedging) = race::may_begin(call, &read) {
        // Boxed, so that the usual call is not the larger for it.
        return Either::Left(Box::pin(race::run(call, run, read, hedging)));
    }
    let run = run.insert(Run::start(call));
    Either::Right(async move {
        loop {
            // Nothing of an attempt is left while the call waits for the next one: what it brought ends with this block.
            let Again { left, until, paid } = {
                let followed = if call.is_plain() && !read.wants_body() {
                    let end = attempt(call, &[], &mut run.limits, &run.span).await;
                    followed(call, run, end)
                } else {
                    Box::pin(elaborate(call, run, &mut read)).await
                };
                match followed {
                    ControlFlow::Break(result) => return result,
                    ControlFlow::Continue(again) => again,
                }
            };
            wait_until(until, left).await;
            paid.spend();
            run.begin(call);
        }
    })
}

/// What a call does when an attempt calls for another.
struct Again<'a> {
    /// Reads what is left of the answer, if anything is.
    left: Option<BoxFuture<'static, ()>>,
    until: Instant,
    paid: Paid<'a>,
}

type Followed<'a> = ControlFlow<Result<reqwest::Response, Error>, Again<'a>>;

/// What follows from an attempt of a plain call: nothing has to be waited for.
fn followed<'a>(call: &'a Call, run: &mut Run, end: Ending) -> Followed<'a> {
    let next = {
        let facts = run.facts(call, &end);
        let verdict = call.policy().verdict(&facts);
        let decide = |bucket| run.decide(call, &facts, &verdict, bucket, Duration::ZERO);
        let decided = call.shared.step_alone(call.policy(), &call.parts.url, decide);
        run.follow(call, &facts, &verdict, decided)
    };
    concluded(call, run, next, end)
}

/// An attempt that waits for more than the head of an answer, and what follows from it.
async fn elaborate<'a>(call: &'a Call, run: &mut Run, read: &mut Read<'_>) -> Followed<'a> {
    let policy = call.policy();
    let mut end = if policy.adapts_rate() {
        in_turn(call, read.range(), &mut run.limits, &run.span).await
    } else {
        attempt(call, read.range(), &mut run.limits, &run.span).await
    };
    if read.starts_over(&end) {
        // Still the same attempt, as after a redirect.
        let whole = attempt(call, &[], &mut run.limits, &run.span).await;
        end = whole.map_err(|failed| Failed { sent: Sent::Maybe, ..failed });
    }

    let mut facts = run.facts(call, &end);
    let mut verdict = policy.verdict(&facts);
    // A body that belongs to the attempt is read before the verdict, unless the head alone calls for a retry.
    if read.wants_body() && !verdict.is_retry() && end.is_ok() {
        end = with_body(end, &call.parts.method, read, &run.limits).await;
        facts = run.facts(call, &end);
        // A body that came changes nothing that the rule was told.
        if end.is_err() {
            verdict = policy.verdict(&facts);
        }
    }

    let asks_all = || policy.asks_all(&facts, SystemTime::now());
    let decide = |bucket, closed_for| run.decide(call, &facts, &verdict, bucket, closed_for);
    let decided = call.shared.step(policy, &call.parts.url, run.deadline(), asks_all, decide).await;
    // The last answer, which no retry follows, is read after the verdict.
    if matches!(decided.step, Step::Stop { .. }) && read.wants_body() && verdict.is_retry() && end.is_ok() {
        end = with_body(end, &call.parts.method, read, &run.limits).await;
        facts = run.facts(call, &end);
    }
    let next = run.follow(call, &facts, &verdict, decided);
    concluded(call, run, next, end)
}

fn concluded<'a>(call: &'a Call, run: &mut Run, next: Next, end: Ending) -> Followed<'a> {
    match next {
        Next::End => ControlFlow::Break(finish(call, end, &mut run.attempts)),
        Next::Again { until, cost, by } => {
            ControlFlow::Continue(Again { left: left_of(end), until, paid: Paid::new(call, cost, by) })
        }
    }
}
