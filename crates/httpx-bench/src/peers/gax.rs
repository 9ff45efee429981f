//! The retry loop of Google Cloud's clients around reqwest; like them, it reads the body of a failed answer.

use super::{reqwest_default, trusting};
use crate::{
    peer::{Peer, Setup},
    scenario::Ability,
    task::Ask,
};
use anyhow::Result;
use google_cloud_gax::{
    Result as GaxResult,
    backoff_policy::BackoffPolicy,
    error::Error,
    exponential_backoff::ExponentialBackoff,
    retry_loop_internal::retry_loop,
    retry_policy::{Aip194Strict, RetryPolicy, RetryPolicyExt as _},
    retry_result::RetryResult,
    retry_state::RetryState,
    retry_throttler::{AdaptiveThrottler, RetryThrottler},
};
use reqwest::{Client, Response, StatusCode};
use std::{
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::time::sleep;

pub(super) struct Gax {
    client: Client,
    throttler: Arc<Mutex<dyn RetryThrottler>>,
    policy: Arc<dyn RetryPolicy>,
    backoff: Arc<dyn BackoffPolicy>,
}

impl Peer for Gax {
    type Answer = Response;
    type Error = Error;

    const ABILITY: Ability = Ability::Retry;

    fn new(setup: &Setup<'_>) -> Result<Self> {
        let backoff: Arc<dyn BackoffPolicy> = match setup.retries.wait() {
            Some(wait) => Arc::new(Doubling(wait)),
            None => Arc::new(ExponentialBackoff::default()),
        };
        let throttler: Arc<Mutex<dyn RetryThrottler>> = if setup.retries.has_budget() {
            Arc::new(Mutex::new(AdaptiveThrottler::default()))
        } else {
            Arc::new(Mutex::new(Unthrottled))
        };
        let policy = Arc::new(Aip194Strict.with_attempt_limit(4));
        Ok(Self { client: trusting(Client::builder(), setup)?.build()?, throttler, policy, backoff })
    }

    fn send(&self, ask: &Ask) -> impl Future<Output = Result<Response, Error>> + Send + 'static + use<> {
        let Self { client, throttler, policy, backoff } = self;
        let (client, ask) = (client.clone(), ask.clone());
        let (throttler, policy, backoff) = (throttler.clone(), policy.clone(), backoff.clone());
        let once = async move |_: Option<Duration>| once(&client, &ask).await;
        retry_loop(once, async |wait| sleep(wait).await, true, throttler, policy, backoff)
    }

    async fn read(answer: Response) -> Result<(u16, usize)> {
        reqwest_default::read(answer).await
    }
}

async fn once(client: &Client, ask: &Ask) -> GaxResult<Response> {
    let answer = reqwest_default::built(client, ask).send().await.map_err(Error::io)?;
    if answer.status() != StatusCode::SERVICE_UNAVAILABLE {
        return Ok(answer);
    }
    let (status, headers) = (answer.status().as_u16(), answer.headers().clone());
    Err(Error::http(status, headers, answer.bytes().await.map_err(Error::io)?))
}

/// Its own backoff waits anything from nothing on; here a parked call has to stay parked.
#[derive(Debug)]
struct Doubling(Duration);

impl BackoffPolicy for Doubling {
    fn on_failure(&self, state: &RetryState) -> Duration {
        self.0 * (1 << (state.attempt_count.clamp(1, 10) - 1))
    }
}

#[derive(Debug)]
struct Unthrottled;

impl RetryThrottler for Unthrottled {
    fn throttle_retry_attempt(&self) -> bool {
        false
    }

    fn on_retry_failure(&mut self, _: &RetryResult) {}

    fn on_success(&mut self) {}
}
