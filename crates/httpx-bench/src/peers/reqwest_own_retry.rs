//! The retrier that reqwest has itself. It does not wait.

use super::{reqwest_default, trusting};
use crate::{
    peer::{Peer, Setup},
    scenario::Ability,
    task::Ask,
};
use anyhow::Result;
use reqwest::{Client, Error, Response, StatusCode, retry};

pub(super) struct ReqwestOwnRetry(Client);

impl Peer for ReqwestOwnRetry {
    type Answer = Response;
    type Error = Error;

    const ABILITY: Ability = Ability::Repeat;

    fn new(setup: &Setup<'_>) -> Result<Self> {
        let retries = retry::for_host("127.0.0.1").classify_fn(|attempt| match attempt.status() {
            Some(StatusCode::SERVICE_UNAVAILABLE) => attempt.retryable(),
            _ => attempt.success(),
        });
        let retries = if setup.retries.has_budget() { retries } else { retries.no_budget() };
        Ok(Self(trusting(Client::builder().retry(retries), setup)?.build()?))
    }

    fn send(&self, ask: &Ask) -> impl Future<Output = Result<Response, Error>> + Send + 'static + use<> {
        reqwest_default::built(&self.0, ask).send()
    }

    async fn read(answer: Response) -> Result<(u16, usize)> {
        reqwest_default::read(answer).await
    }
}
