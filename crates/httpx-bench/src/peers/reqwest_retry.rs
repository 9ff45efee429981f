//! The middleware reqwest-retry, with as many retries as its README shows.

use super::{reqwest_default, trusting};
use crate::{
    peer::{Peer, Setup},
    scenario::Ability,
    task::Ask,
};
use anyhow::Result;
use reqwest::{Client, Response};
use reqwest_middleware::{ClientBuilder, ClientWithMiddleware, Error};
use reqwest_retry::{Jitter, RetryTransientMiddleware, policies::ExponentialBackoff};
use std::time::Duration;

pub(super) struct ReqwestRetry(ClientWithMiddleware);

impl Peer for ReqwestRetry {
    type Answer = Response;
    type Error = Error;

    const ABILITY: Ability = Ability::Retry;

    fn new(setup: &Setup<'_>) -> Result<Self> {
        let mut policy = ExponentialBackoff::builder();
        if let Some(wait) = setup.retries.wait() {
            policy = policy.retry_bounds(wait, wait.max(Duration::from_secs(30))).jitter(Jitter::None);
        }
        let middleware = RetryTransientMiddleware::new_with_policy(policy.build_with_max_retries(3));
        let client = trusting(Client::builder(), setup)?.build()?;
        Ok(Self(ClientBuilder::new(client).with(middleware).build()))
    }

    fn send(&self, ask: &Ask) -> impl Future<Output = Result<Response, Error>> + Send + 'static + use<> {
        let mut request = self.0.request(ask.method.clone(), ask.url.clone());
        for (name, value) in &ask.fields {
            request = request.header(name, value);
        }
        if let Some(body) = &ask.body {
            request = request.body(body.clone());
        }
        request.send()
    }

    async fn read(answer: Response) -> Result<(u16, usize)> {
        reqwest_default::read(answer).await
    }
}
