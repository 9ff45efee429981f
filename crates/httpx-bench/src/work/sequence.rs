//! One call after the other.

use crate::{
    peer::Peer,
    scenario::Ability,
    server::ANSWER_BODY,
    task::{Task, Told, check},
};
use anyhow::{Result, ensure};

pub(super) async fn run<P: Peer>(peer: &P, task: &Task) -> Result<Told> {
    let ask = task.ask()?;
    for _ in 0..task.count {
        let answer = peer.send(&ask).await.map_err(Into::into)?;
        let (status, length) = P::read(answer).await?;
        check(status, length, ANSWER_BODY.len())?;
    }
    if task.scenario.needs() == Ability::Send {
        // Otherwise the count would be one of connecting.
        let opened = task.counts()?.opened;
        ensure!(opened == 1, "{opened} connections were opened where one does for all");
    }
    Ok(Told::new())
}
