//! Two ways to hand over the same request, under measurement: the fields are in a map already, as they are in a request of
//! reqwest's.

use crate::{
    scenario::Ability,
    server::ANSWER_BODY,
    task::{Ask, Task, Told, Work, Worker, check},
};
use anyhow::Result;
use httpx_client::Client;
use reqwest::{Request, header::HeaderMap};

/// Both ways; the second is compared with the first.
pub(crate) const HANDS: &[Worker] =
    &[hand("httpx: builder", |task| Box::pin(built(task))), hand("httpx: execute", |task| Box::pin(executed(task)))];

const fn hand(name: &'static str, work: Work) -> Worker {
    Worker { name, ability: Ability::Send, work }
}

async fn built(task: Task) -> Result<Told> {
    let (client, ask) = (Client::new(), task.ask()?);
    for _ in 0..task.count {
        let answer = client.get(ask.url.clone()).headers(fields(&ask)).send().await?;
        check(answer.status().as_u16(), answer.bytes().await?.len(), ANSWER_BODY.len())?;
    }
    Ok(Told::new())
}

async fn executed(task: Task) -> Result<Told> {
    let (client, ask) = (Client::new(), task.ask()?);
    for _ in 0..task.count {
        let mut request = Request::new(ask.method.clone(), ask.url.clone());
        *request.headers_mut() = fields(&ask);
        let answer = client.execute(request).await?;
        check(answer.status().as_u16(), answer.bytes().await?.len(), ANSWER_BODY.len())?;
    }
    Ok(Told::new())
}

fn fields(ask: &Ask) -> HeaderMap {
    ask.fields.iter().cloned().collect()
}
