//! The least that reqwest can cost: its own retrier switched off, requests built without the builder.

use super::{reqwest_default, trusting};
use crate::{
    peer::{Peer, Setup},
    scenario::Ability,
    task::Ask,
};
use anyhow::Result;
use reqwest::{Client, Error, Request, Response, retry};

pub(super) struct ReqwestFloor(Client);

impl Peer for ReqwestFloor {
    type Answer = Response;
    type Error = Error;

    const ABILITY: Ability = Ability::Send;

    fn new(setup: &Setup<'_>) -> Result<Self> {
        // `never()` alone still copies every request; only the zero switches the retrier off.
        let builder = Client::builder().retry(retry::never().max_retries_per_request(0));
        Ok(Self(trusting(builder, setup)?.build()?))
    }

    fn send(&self, ask: &Ask) -> impl Future<Output = Result<Response, Error>> + Send + 'static + use<> {
        self.0.execute(request(ask))
    }

    async fn read(answer: Response) -> Result<(u16, usize)> {
        reqwest_default::read(answer).await
    }
}

/// The request without the builder.
pub(super) fn request(ask: &Ask) -> Request {
    let mut request = Request::new(ask.method.clone(), ask.url.clone());
    for (name, value) in &ask.fields {
        request.headers_mut().insert(name, value.clone());
    }
    *request.body_mut() = ask.body.clone().map(Into::into);
    request
}
