//! What a call costs while it waits for its retry.

use crate::{
    counts::until_answered,
    peer::Peer,
    task::{Task, Told},
};
use anyhow::{Result, ensure};
use std::time::Duration;
use tokio::time::sleep;

/// Calls that are under way at the same time. No connection is needed beyond these, and the heap is compared with that of
/// the first so many, in which the client itself is paid for.
const WAVE: u64 = 64;

/// For an answer that is on its way to arrive.
const ARRIVAL: Duration = Duration::from_millis(2);

/// For what comes after the answer: bodies to drain, connections to close.
const SETTLE: Duration = Duration::from_millis(200);

pub(super) async fn run<P: Peer>(peer: &P, task: &Task) -> Result<Told> {
    ensure!(task.count > WAVE, "{} calls are too few: the first {WAVE} pay for the client", task.count);
    let ask = task.ask()?;
    let mut begun = 0;
    let mut first = 0;
    while begun < task.count {
        let wave = WAVE.min(task.count - begun);
        for _ in 0..wave {
            tokio::spawn(peer.send(&ask));
        }
        begun += wave;
        until_answered(&task.counts, begun).await?;
        sleep(ARRIVAL).await;
        if begun == WAVE {
            sleep(SETTLE).await;
            first = (task.heap)().live;
        }
    }
    sleep(SETTLE).await;
    let live = (task.heap)().live;
    let counts = task.counts()?;
    let early = counts.requests - begun;
    ensure!(early <= begun / 100, "{early} of {begun} calls did not wait");
    let heap = (live as f64 - first as f64) / (begun - WAVE) as f64;
    Ok(Told::from([
        ("heap", heap),
        ("future", size_of_val(&peer.send(&ask)) as f64),
        ("connections_held", counts.open as f64),
    ]))
}
