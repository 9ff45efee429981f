//! reqwest as its manual shows it: `Client::new`, the request builder, the body read as one piece.

use super::trusting;
use crate::{
    peer::{Peer, Setup},
    scenario::Ability,
    task::Ask,
};
use anyhow::Result;
use reqwest::{Client, Error, RequestBuilder, Response};

pub(super) struct ReqwestDefault(Client);

impl Peer for ReqwestDefault {
    type Answer = Response;
    type Error = Error;

    const ABILITY: Ability = Ability::Send;

    fn new(setup: &Setup<'_>) -> Result<Self> {
        Ok(Self(trusting(Client::builder(), setup)?.build()?))
    }

    fn send(&self, ask: &Ask) -> impl Future<Output = Result<Response, Error>> + Send + 'static + use<> {
        built(&self.0, ask).send()
    }

    async fn read(answer: Response) -> Result<(u16, usize)> {
        read(answer).await
    }
}

/// The request by reqwest's builder.
pub(super) fn built(client: &Client, ask: &Ask) -> RequestBuilder {
    let mut request = client.request(ask.method.clone(), ask.url.clone());
    for (name, value) in &ask.fields {
        request = request.header(name, value);
    }
    match &ask.body {
        Some(body) => request.body(body.clone()),
        None => request,
    }
}

/// The whole body of one of reqwest's answers, as one piece.
pub(super) async fn read(answer: Response) -> Result<(u16, usize)> {
    let status = answer.status().as_u16();
    Ok((status, answer.bytes().await?.len()))
}
