//! The clients under measurement. One more is one file here and one row in [`PEERS`].

mod httpx;
mod reqwest_default;
mod reqwest_floor;

#[cfg(feature = "peers")]
mod backon;
#[cfg(feature = "peers")]
mod gax;
#[cfg(feature = "peers")]
mod reqwest_own_retry;
#[cfg(feature = "peers")]
mod reqwest_retry;
#[cfg(feature = "peers")]
mod smithy;
#[cfg(feature = "peers")]
mod tower_retry;

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
    #[cfg(feature = "peers")]
    peer::<reqwest_own_retry::ReqwestOwnRetry>("reqwest's retry"),
    #[cfg(feature = "peers")]
    peer::<reqwest_retry::ReqwestRetry>("reqwest-retry"),
    #[cfg(feature = "peers")]
    peer::<tower_retry::TowerRetry>("tower"),
    #[cfg(feature = "peers")]
    peer::<backon::Backon>("backon"),
    #[cfg(feature = "peers")]
    peer::<gax::Gax>("gax"),
    #[cfg(feature = "peers")]
    peer::<smithy::Smithy>("smithy"),
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
