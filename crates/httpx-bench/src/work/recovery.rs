//! What a server meets that has just recovered: new calls, and the retries of old ones.

use super::storm::PATIENCE;
use crate::{
    counts::{Counts, until_answered},
    peer::Peer,
    task::{Task, Told},
};
use anyhow::Result;
use tokio::time::timeout;

pub(super) async fn run<P: Peer>(peer: &P, task: &Task) -> Result<Told> {
    let ask = task.ask()?;
    let begin = || (0..task.count).map(|_| tokio::spawn(timeout(PATIENCE, peer.send(&ask)))).collect::<Vec<_>>();
    let during = begin();
    until_answered(&task.counts, task.count).await?;
    Counts::ask(&task.counts, "/repair")?;
    for call in during.into_iter().chain(begin()) {
        // How it ended is the storm's question; here it only has to be over.
        let _ = call.await?;
    }
    Ok(Told::from([("load_after_outage", task.counts()?.since_outage as f64 / task.count as f64)]))
}
