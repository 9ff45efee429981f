//! Many calls at once to a server that never recovers.

use crate::{
    peer::Peer,
    task::{Task, Told},
};
use anyhow::Result;
use std::time::Duration;
use tokio::time::timeout;

/// More than a hundred times what the retries of a call take.
pub(super) const PATIENCE: Duration = Duration::from_secs(20);

pub(super) async fn run<P: Peer>(peer: &P, task: &Task) -> Result<Told> {
    let ask = task.ask()?;
    let calls: Vec<_> = (0..task.count).map(|_| tokio::spawn(timeout(PATIENCE, peer.send(&ask)))).collect();
    let mut ended = 0.0;
    for call in calls {
        if call.await?.is_ok() {
            ended += 1.0;
        }
    }
    let calls = task.count as f64;
    Ok(Told::from([("requests_per_call", task.counts()?.requests as f64 / calls), ("never_ended", calls - ended)]))
}
