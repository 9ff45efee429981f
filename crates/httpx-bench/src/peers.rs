//! The clients under measurement. One more is one file here and one row in [`PEERS`].

mod httpx;
mod reqwest_default;
mod reqwest_floor;

use crate::{
    peer::{Peer, Setup},
    task::Worker,
    work::run,
};
use anyhow::{Context, Result};
use reqwest::{Certificate, ClientBuilder};
use std::fs;

/// Every client, in the order of the table. Ratios are taken to the first.
pub(crate) const PEERS: &[Worker] = &[
    peer::<reqwest_default::ReqwestDefault>("reqwest"),
    peer::<reqwest_floor::ReqwestFloor>("reqwest-floor"),
    peer::<httpx::Httpx>("httpx"),
];

const fn peer<P: Peer>(name: &'static str) -> Worker {
    Worker { name, ability: P::ABILITY, work: |task| Box::pin(async move { run::<P>(&task).await }) }
}

/// A client of reqwest that trusts the server.
fn trusting(builder: ClientBuilder, setup: &Setup<'_>) -> Result<ClientBuilder> {
    let Some(path) = setup.cacert else { return Ok(builder) };
    let pem = fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
    Ok(builder.tls_certs_only([Certificate::from_pem(&pem)?]))
}
