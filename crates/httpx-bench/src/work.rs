//! The work itself, the same for every client.

mod parked;
mod recovery;
mod sequence;
mod storm;
mod token;

use crate::{
    peer::{Peer, Setup},
    scenario::Scenario,
    task::{Task, Told},
};
use anyhow::Result;

/// Has a client do the work.
pub(crate) async fn run<P: Peer>(task: &Task) -> Result<Told> {
    let renewal = match task.scenario {
        Scenario::Token => Some(task.place("/token")?),
        _ => None,
    };
    let setup = Setup {
        retries: task.scenario.retries(),
        server: &task.url,
        cacert: task.cacert.as_deref(),
        renewal: renewal.as_ref(),
    };
    let peer = P::new(&setup)?;
    match task.scenario {
        Scenario::Parked => parked::run(&peer, task).await,
        Scenario::Storm => storm::run(&peer, task).await,
        Scenario::Recovery => recovery::run(&peer, task).await,
        Scenario::Token => token::run(&peer, task).await,
        Scenario::Get
        | Scenario::Post
        | Scenario::Adopted
        | Scenario::RetrySmall
        | Scenario::RetryChunked
        | Scenario::RetryLarge
        | Scenario::RetryTls
        | Scenario::Read => sequence::run(&peer, task).await,
    }
}
