//! The client of this workspace under its default policy.

use crate::load::{Load, check};
use anyhow::Result;
use httpx_client::Client;

pub(super) async fn send(load: Load) -> Result<()> {
    let client = Client::new();
    let url = load.url()?;
    let fields = load.fields();
    for _ in 0..load.count {
        let mut request = match load.scenario.body() {
            None => client.get(url.clone()),
            Some(body) => client.post(url.clone()).body(body),
        };
        for (name, value) in &fields {
            request = request.header(name, value);
        }
        let response = request.send().await?;
        let status = response.status().as_u16();
        check(status, response.bytes().await?.len())?;
    }
    Ok(())
}
