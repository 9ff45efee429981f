//! What callers were told, held against what the servers saw.

use std::time::Duration;

use httpx_client::httpx_retry::Sent;

use crate::calls::{End, Record, upload};
use crate::case::{Asks, Ruled};
use crate::world::Road;

/// A call may end so much later than its deadline.
const GRACE: Duration = Duration::from_millis(50);

/// What is wrong with a call, once its servers have read all that is on its way; nothing, as a rule.
pub(crate) fn wrong(record: &Record, road: &Road) -> Vec<String> {
    let Record { case, end, late } = record;
    let mut wrong = Vec::new();
    let id = case.id.to_string();
    let arrived = [&road.home, &road.proxy].map(|server| server.journal().arrivals(&id));
    if let Some(attempts) = end.attempts() {
        let owned = attempts.iter().filter(|attempt| attempt.sent != Sent::No).count() as u64;
        let most = owned * case.sends_per_attempt();
        // The same proxy is on the way to the second server.
        let at_proxy = if let Asks::Elsewhere(_) = case.asks { 2 * most } else { most };
        if arrived[0] > most || arrived[1] > at_proxy {
            wrong.push(format!("{owned} attempts may have been sent, and {arrived:?} requests arrived"));
        }
    }
    if let End::Failed { sent: Sent::No, .. } = end
        && road.servers().iter().any(|server| server.journal().seen(&id))
    {
        wrong.push("it was called not sent, and it arrived".to_owned());
    }
    if case.post && case.rule == Ruled::IdempotentOnly {
        let applied = [&road.home, &road.away].map(|server| server.journal().applied_for(&id));
        if applied.iter().any(|times| *times > 1) {
            wrong.push(format!("a POST under idempotent_only was applied {applied:?} times"));
        }
    }
    if *late > GRACE {
        wrong.push(format!("it ended {late:?} after its deadline"));
    }
    if let End::Answered { status, body, of, .. } = end {
        let who = match case.asks {
            Asks::Public | Asks::Elsewhere(_) | Asks::Nowhere(_) => "anybody".to_owned(),
            Asks::Private => case.who.to_string(),
        };
        if of.as_ref().is_some_and(|of| *of != id) {
            wrong.push(format!("it was given the answer of call {of:?}"));
        }
        if *status == 200 && of.is_some() && *body != format!("{id} {who}") {
            wrong.push(format!("it was given the body {body:?}"));
        }
        // A fault that answers well does not say whom.
        let of_faults = [&b"ok"[..], b"drop by drop", b""];
        if *status == 200 && of.is_none() && !of_faults.contains(&&body[..]) && !upload(case).starts_with(body) {
            wrong.push(format!("it was given the body {body:?} of nobody"));
        }
    }
    wrong
}
