//! The orchestrator of the AWS SDKs over reqwest; it reads every body itself.

use super::trusting;
use crate::{
    peer::{Peer, Setup},
    scenario::Ability,
    task::Ask,
};
use anyhow::Result;
use aws_smithy_async::rt::sleep::TokioSleep;
use aws_smithy_runtime::client::{
    orchestrator::operation::Operation,
    retries::{RetryPartition, TokenBucket, classifiers::HttpStatusCodeClassifier},
};
use aws_smithy_runtime_api::{
    box_error::BoxError,
    client::{
        http::{HttpConnector, HttpConnectorFuture, SharedHttpConnector, http_client_fn},
        orchestrator::{HttpRequest, HttpResponse, OrchestratorError},
        result::ConnectorError,
        runtime_plugin::StaticRuntimePlugin,
    },
};
use aws_smithy_types::{body::SdkBody, config_bag::Layer, retry::RetryConfig, timeout::TimeoutConfig};
use reqwest::{Body, Client, Request};
use std::time::Duration;

pub(super) struct Smithy(Operation<Ask, (u16, usize), Failed>);

impl Peer for Smithy {
    type Answer = (u16, usize);
    type Error = anyhow::Error;

    const ABILITY: Ability = Ability::Retry;

    fn new(setup: &Setup<'_>) -> Result<Self> {
        let connector = SharedHttpConnector::new(Connector(trusting(Client::builder(), setup)?.build()?));
        let mut retries = RetryConfig::standard();
        if let Some(wait) = setup.retries.wait() {
            retries = retries.with_initial_backoff(wait).with_max_backoff(wait.max(Duration::from_secs(30)));
        }
        let bucket = if setup.retries.has_budget() { TokenBucket::default() } else { TokenBucket::unlimited() };
        let mut layer = Layer::new("bench");
        layer.store_put(RetryPartition::custom("bench").token_bucket(bucket).build());
        let operation = Operation::builder()
            .service_name("bench")
            .operation_name("bench")
            .http_client(http_client_fn(move |_, _| connector.clone()))
            .endpoint_url(setup.server.as_str())
            .no_auth()
            .standard_retry(&retries)
            .retry_classifier(HttpStatusCodeClassifier::default())
            .timeout_config(TimeoutConfig::disabled())
            .sleep_impl(TokioSleep::new())
            .runtime_plugin(StaticRuntimePlugin::new().with_config(layer.freeze()))
            .serializer(|ask: Ask| serialize(&ask))
            .deserializer(deserialize)
            .build();
        Ok(Self(operation))
    }

    fn send(&self, ask: &Ask) -> impl Future<Output = Result<(u16, usize)>> + Send + 'static + use<> {
        let (operation, ask) = (self.0.clone(), ask.clone());
        async move { Ok(operation.invoke(ask).await?) }
    }

    async fn read(answer: (u16, usize)) -> Result<(u16, usize)> {
        Ok(answer)
    }
}

fn serialize(ask: &Ask) -> std::result::Result<HttpRequest, BoxError> {
    let body = ask.body.clone().map_or_else(SdkBody::empty, SdkBody::from);
    let mut request = HttpRequest::new(body);
    request.set_method(ask.method.as_str())?;
    // The endpoint puts the host before it.
    request.set_uri(ask.url.path())?;
    for (name, value) in &ask.fields {
        request.headers_mut().insert(name.as_str().to_owned(), value.to_str()?.to_owned());
    }
    Ok(request)
}

/// The body has been read by now.
fn deserialize(answer: &HttpResponse) -> std::result::Result<(u16, usize), OrchestratorError<Failed>> {
    match answer.status().as_u16() {
        503 => Err(OrchestratorError::operation(Failed)),
        status => Ok((status, answer.body().bytes().map_or(0, <[u8]>::len))),
    }
}

/// The server answered 503.
#[derive(Debug, thiserror::Error)]
#[error("503")]
struct Failed;

#[derive(Debug)]
struct Connector(Client);

impl HttpConnector for Connector {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let client = self.0.clone();
        HttpConnectorFuture::new(async move {
            let failed = |error: BoxError| ConnectorError::other(error, None);
            let request = request.try_into_http1x().map_err(|error| failed(error.into()))?.map(Body::wrap);
            let request = Request::try_from(request).map_err(|error| failed(error.into()))?;
            let answer = client.execute(request).await.map_err(|error| ConnectorError::io(error.into()))?;
            let answer = http::Response::<Body>::from(answer).map(SdkBody::from_body_1_x);
            HttpResponse::try_from(answer).map_err(|error| failed(error.into()))
        })
    }
}
