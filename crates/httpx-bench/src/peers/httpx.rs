//! The client of this workspace under its default policy.

use crate::{
    peer::{Peer, Setup},
    scenario::Ability,
    task::Ask,
};
use anyhow::Result;
use httpx_client::{Auth, BudgetSetting, Client, Error, Refresh, Response, Session, Tokens};
use std::time::Duration;

pub(super) struct Httpx(Client);

/// Asks the bucket at every retry, as the default does, and never empties it.
const ENDLESS: BudgetSetting =
    BudgetSetting::Tokens { capacity: 1_000_000_000, retry_cost: 5, timeout_cost: 10, first_success: 1 };

impl Peer for Httpx {
    type Answer = Response;
    type Error = Error;

    const ABILITY: Ability = Ability::Renew;

    fn new(setup: &Setup<'_>) -> Result<Self> {
        let mut builder = Client::builder();
        if let Some(wait) = setup.retries.wait() {
            builder = builder.delay(wait).max_delay(wait.max(Duration::from_secs(30))).jitter(0.0);
        }
        if !setup.retries.has_budget() {
            builder = builder.budget(ENDLESS);
        }
        if let Some(cacert) = setup.cacert {
            builder = builder.cacert(cacert);
        }
        if let Some(renewal) = setup.renewal {
            let session = Session::new(Tokens::new("expired")?.with_refresh("first")?);
            builder = builder.auth(Auth::refreshing(session, Refresh::at(renewal.clone())?));
        }
        Ok(Self(builder.build()?))
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
        let status = answer.status().as_u16();
        Ok((status, answer.bytes().await?.len()))
    }
}
