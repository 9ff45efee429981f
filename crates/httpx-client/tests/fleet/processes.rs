//! Three real processes.

use std::process::{Child, Command, Stdio};

use httpx_faults::{Fault, Script, Server};

use crate::redis_server::Redis;
use crate::{quick, retries};
use httpx_client::Client;

const FLEET: &str = "HTTPX_TEST_FLEET";

/// How many calls each of the processes makes, far more than the budget pays for.
const CALLS: usize = 120;

/// Calls of one process; nothing unless it was started by [`fellow`].
#[tokio::test(flavor = "multi_thread")]
async fn a_process_of_the_fleet() {
    let Ok(told) = std::env::var(FLEET) else { return };
    let (api, redis) = told.split_once(' ').unwrap();
    let client = match redis {
        "" => Client::builder().delay(std::time::Duration::from_millis(1)),
        redis => quick(redis),
    };
    retries(&client.build().unwrap(), api, CALLS).await;
}

/// Another process that runs [`a_process_of_the_fleet`] of this very program.
fn fellow(api: &Server, redis: &str) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "processes::a_process_of_the_fleet"]).env(FLEET, format!("{} {redis}", api.url()));
    command.stdout(Stdio::null()).spawn().unwrap()
}

/// The retries that a server sees which answers three processes with 503.
async fn retries_of_three(redis: &str) -> u64 {
    let api = Server::start(Script::always(Fault::status(503))).await.unwrap();
    for mut fellow in [(); 3].map(|()| fellow(&api, redis)) {
        assert!(fellow.wait().unwrap().success());
    }
    api.journal().complete() - 3 * CALLS as u64
}

#[tokio::test(flavor = "multi_thread")]
async fn three_processes_make_the_retries_of_one_budget() {
    let Some(redis) = Redis::start().await else { return };
    let (together, alone) = (retries_of_three(&redis.url()).await, retries_of_three("").await);
    eprintln!("three processes, {CALLS} failing calls each: {together} retries with a shared budget, {alone} without");
    // 500 tokens at 5 a retry, for each bucket that there is.
    assert_eq!(alone, 300);
    assert!((95..=105).contains(&together), "{together} retries");
}
