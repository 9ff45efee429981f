//! `tower::retry` around reqwest, with a policy like the one in its manual: attempts, a wait, tower's budget.

use super::{reqwest_default, reqwest_floor, trusting};
use crate::{
    peer::{Peer, Setup},
    scenario::Ability,
    task::Ask,
};
use anyhow::Result;
use reqwest::{Client, Error, Request, Response, StatusCode};
use std::{sync::Arc, time::Duration};
use tokio::time::{Sleep, sleep};
use tower::{
    ServiceExt as _,
    retry::{
        Policy, Retry,
        budget::{Budget as _, TpsBudget},
    },
};

pub(super) struct TowerRetry(Retry<Attempts, Client>);

#[derive(Clone)]
struct Attempts {
    retries: u32,
    wait: Duration,
    budget: Option<Arc<TpsBudget>>,
}

impl Policy<Request, Response, Error> for Attempts {
    type Future = Sleep;

    fn retry(&mut self, _: &mut Request, result: &mut Result<Response, Error>) -> Option<Sleep> {
        match result {
            Ok(answer) if answer.status() != StatusCode::SERVICE_UNAVAILABLE => {
                if let Some(budget) = &self.budget {
                    budget.deposit();
                }
                None
            }
            _ => {
                let may = self.retries > 0 && self.budget.as_ref().is_none_or(|budget| budget.withdraw());
                may.then(|| {
                    let wait = self.wait;
                    self.retries -= 1;
                    self.wait *= 2;
                    sleep(wait)
                })
            }
        }
    }

    fn clone_request(&mut self, request: &Request) -> Option<Request> {
        request.try_clone()
    }
}

impl Peer for TowerRetry {
    type Answer = Response;
    type Error = Error;

    const ABILITY: Ability = Ability::Retry;

    fn new(setup: &Setup<'_>) -> Result<Self> {
        let policy = Attempts {
            retries: 3,
            wait: setup.retries.wait().unwrap_or(Duration::from_millis(100)),
            budget: setup.retries.has_budget().then(|| Arc::new(TpsBudget::default())),
        };
        Ok(Self(Retry::new(policy, trusting(Client::builder(), setup)?.build()?)))
    }

    fn send(&self, ask: &Ask) -> impl Future<Output = Result<Response, Error>> + Send + 'static + use<> {
        self.0.clone().oneshot(reqwest_floor::request(ask))
    }

    async fn read(answer: Response) -> Result<(u16, usize)> {
        reqwest_default::read(answer).await
    }
}
