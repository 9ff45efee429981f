//! The helpers that read a body, under measurement: each fetches the large one again and again.

use crate::{
    scenario::Ability,
    server::LARGE_BODY,
    task::{Task, Told, Work, Worker, check},
};
use anyhow::Result;
use std::fs;

/// Every helper, in the order of the table.
pub(crate) const READERS: &[Worker] = &[
    reader("reqwest: bytes", |task| Box::pin(reqwest_bytes(task))),
    reader("reqwest: text", |task| Box::pin(reqwest_text(task))),
    reader("reqwest: chunk", |task| Box::pin(reqwest_chunk(task))),
    reader("httpx: send, bytes", |task| Box::pin(bytes(task))),
    reader("httpx: send, text", |task| Box::pin(text(task))),
    reader("httpx: send, chunk", |task| Box::pin(chunk(task))),
    reader("httpx: fetch_bytes", |task| Box::pin(fetch_bytes(task))),
    reader("httpx: fetch_text", |task| Box::pin(fetch_text(task))),
    reader("httpx: download_to", |task| Box::pin(download_to(task))),
];

const fn reader(name: &'static str, work: Work) -> Worker {
    Worker { name, ability: Ability::Send, work }
}

async fn reqwest_bytes(task: Task) -> Result<Told> {
    let (client, url) = (reqwest::Client::new(), task.ask()?.url);
    for _ in 0..task.count {
        let answer = client.get(url.clone()).send().await?;
        check(answer.status().as_u16(), answer.bytes().await?.len(), LARGE_BODY)?;
    }
    Ok(Told::new())
}

async fn reqwest_text(task: Task) -> Result<Told> {
    let (client, url) = (reqwest::Client::new(), task.ask()?.url);
    for _ in 0..task.count {
        let answer = client.get(url.clone()).send().await?;
        check(answer.status().as_u16(), answer.text().await?.len(), LARGE_BODY)?;
    }
    Ok(Told::new())
}

async fn reqwest_chunk(task: Task) -> Result<Told> {
    let (client, url) = (reqwest::Client::new(), task.ask()?.url);
    for _ in 0..task.count {
        let mut answer = client.get(url.clone()).send().await?;
        let mut length = 0;
        while let Some(piece) = answer.chunk().await? {
            length += piece.len();
        }
        check(answer.status().as_u16(), length, LARGE_BODY)?;
    }
    Ok(Told::new())
}

async fn bytes(task: Task) -> Result<Told> {
    let (client, url) = (httpx_client::Client::new(), task.ask()?.url);
    for _ in 0..task.count {
        let answer = client.get(url.clone()).send().await?;
        check(answer.status().as_u16(), answer.bytes().await?.len(), LARGE_BODY)?;
    }
    Ok(Told::new())
}

async fn text(task: Task) -> Result<Told> {
    let (client, url) = (httpx_client::Client::new(), task.ask()?.url);
    for _ in 0..task.count {
        let answer = client.get(url.clone()).send().await?;
        check(answer.status().as_u16(), answer.text().await?.len(), LARGE_BODY)?;
    }
    Ok(Told::new())
}

async fn chunk(task: Task) -> Result<Told> {
    let (client, url) = (httpx_client::Client::new(), task.ask()?.url);
    for _ in 0..task.count {
        let mut answer = client.get(url.clone()).send().await?;
        let mut length = 0;
        while let Some(piece) = answer.chunk().await? {
            length += piece.len();
        }
        check(answer.status().as_u16(), length, LARGE_BODY)?;
    }
    Ok(Told::new())
}

async fn fetch_bytes(task: Task) -> Result<Told> {
    let (client, url) = (httpx_client::Client::new(), task.ask()?.url);
    for _ in 0..task.count {
        let answer = client.get(url.clone()).fetch_bytes().await?;
        check(answer.status().as_u16(), answer.body().len(), LARGE_BODY)?;
    }
    Ok(Told::new())
}

async fn fetch_text(task: Task) -> Result<Told> {
    let (client, url) = (httpx_client::Client::new(), task.ask()?.url);
    for _ in 0..task.count {
        let answer = client.get(url.clone()).fetch_text().await?;
        check(answer.status().as_u16(), answer.body().len(), LARGE_BODY)?;
    }
    Ok(Told::new())
}

async fn download_to(task: Task) -> Result<Told> {
    let (client, url) = (httpx_client::Client::new(), task.ask()?.url);
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("large");
    for _ in 0..task.count {
        let answer = client.get(url.clone()).download_to(&path).await?;
        check(answer.status().as_u16(), usize::try_from(fs::metadata(&path)?.len())?, LARGE_BODY)?;
    }
    Ok(Told::new())
}
