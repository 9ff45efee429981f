//! backon around reqwest, as its README shows it: a closure that fails for the status.

use super::{reqwest_default, trusting};
use crate::{
    peer::{Peer, Setup},
    scenario::Ability,
    task::Ask,
};
use anyhow::Result;
use backon::{ExponentialBuilder, Retryable as _};
use reqwest::{Client, Error, Response, StatusCode};
use std::time::Duration;

pub(super) struct Backon {
    client: Client,
    backoff: ExponentialBuilder,
}

impl Peer for Backon {
    type Answer = Response;
    type Error = Error;

    const ABILITY: Ability = Ability::Retry;

    fn new(setup: &Setup<'_>) -> Result<Self> {
        let backoff = match setup.retries.wait() {
            Some(wait) => {
                ExponentialBuilder::default().with_min_delay(wait).with_max_delay(wait.max(Duration::from_secs(30)))
            }
            None => ExponentialBuilder::default(),
        };
        Ok(Self { client: trusting(Client::builder(), setup)?.build()?, backoff })
    }

    fn send(&self, ask: &Ask) -> impl Future<Output = Result<Response, Error>> + Send + 'static + use<> {
        let (client, ask, backoff) = (self.client.clone(), ask.clone(), self.backoff);
        async move {
            (|| async { reqwest_default::built(&client, &ask).send().await?.error_for_status() })
                .retry(backoff)
                .when(|error| error.status() == Some(StatusCode::SERVICE_UNAVAILABLE))
                .await
        }
    }

    async fn read(answer: Response) -> Result<(u16, usize)> {
        reqwest_default::read(answer).await
    }
}
