//! Many calls at once, all with the same expired token.

use crate::{
    peer::Peer,
    server::ANSWER_BODY,
    task::{Task, Told, check},
};
use anyhow::Result;

pub(super) async fn run<P: Peer>(peer: &P, task: &Task) -> Result<Told> {
    let ask = task.ask()?;
    let calls: Vec<_> = (0..task.count).map(|_| tokio::spawn(peer.send(&ask))).collect();
    for call in calls {
        let (status, length) = P::read(call.await?.map_err(Into::into)?).await?;
        check(status, length, ANSWER_BODY.len())?;
    }
    let counts = task.counts()?;
    Ok(Told::from([
        ("refreshes", counts.tokens as f64),
        ("requests_per_call", (counts.requests - counts.tokens) as f64 / task.count as f64),
    ]))
}
