//! The least that reqwest can cost: its own retrier switched off, requests built without the builder.

use crate::{
    load::{Load, check},
    scenario::Scenario,
};
use anyhow::Result;
use reqwest::{Client, Method, Request, retry};

pub(super) async fn send(load: Load) -> Result<()> {
    // `never()` alone still copies every request; only the zero switches the retrier off.
    let client = Client::builder().retry(retry::never().max_retries_per_request(0)).build()?;
    let url = load.url()?;
    let method = match load.scenario {
        Scenario::Get => Method::GET,
        Scenario::Post => Method::POST,
    };
    let fields = load.fields();
    for _ in 0..load.count {
        let mut request = Request::new(method.clone(), url.clone());
        for (name, value) in &fields {
            request.headers_mut().insert(name, value.clone());
        }
        *request.body_mut() = load.scenario.body().map(Into::into);
        let response = client.execute(request).await?;
        let status = response.status().as_u16();
        check(status, response.bytes().await?.len())?;
    }
    Ok(())
}
