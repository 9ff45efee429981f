//! A soak: calls of every kind through every fault, over every way, for as long as wanted. What callers were told is held
//! against what the servers saw, and at the end of each round nothing of it is left.
//!
//! `HTTPX_SOAK_SECONDS` says for how long (a fresh checkout soaks 3 s) and `HTTPX_SOAK_SEED` which calls and faults;
//! `cargo xtask soak` sets both.

mod calls;
mod case;
mod figures;
mod left;
mod timed;
mod verdict;
#[path = "../race/ways.rs"]
mod ways;
mod world;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use calls::{Record, make};
use case::Case;
use figures::Figures;
use futures_util::future::join_all;
use httpx_faults::Server;
use left::Left;
use tokio::runtime::{Builder, Runtime};
use tokio::time::Instant;
use verdict::wrong;
use world::{Road, WAYS};

const DEFAULT_SECONDS: u64 = 3;

/// Calls under way together.
const AT_ONCE: usize = 96;

/// The longest round. Each has servers and clients of its own, so that what is left after it can be counted.
const LONGEST_ROUND: Duration = Duration::from_secs(10);

/// How long what a client leaves behind may take to end: more than any limit of its connections.
const PATIENCE: Duration = Duration::from_secs(30);

/// So many violations are told, and the others counted.
const TOLD: usize = 10;

/// What the number of a call begins with tells its round.
const ROUND: u64 = 1_000_000;

#[test]
fn whatever_goes_wrong_callers_are_told_the_truth_in_time_and_nothing_is_left_over() {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse().expect("a number"));
    let seconds = number("HTTPX_SOAK_SECONDS").unwrap_or(DEFAULT_SECONDS);
    let seed = number("HTTPX_SOAK_SEED").unwrap_or(1);
    // The first round fills what is kept for ever; at least one more shows that it stays like that.
    let rounds = (seconds / LONGEST_ROUND.as_secs()).max(3);
    let length = Duration::from_secs(seconds).div_f64(rounds as f64);
    let (mut figures, mut violations) = (Figures::default(), Vec::new());
    // The first runtime of a process opens a pipe for signals that stays: it is no leak, and so comes before the count.
    drop(runtime());
    let before = Left::now();
    let mut first = None;
    for at in 0..rounds {
        violations.extend(round(seed, at * ROUND, length, &mut figures));
        let left = Left::now();
        eprintln!("round {} of {rounds}: {left}", at + 1);
        let first = *first.get_or_insert(left);
        violations.extend(left.leaked(before, first));
    }
    println!("{figures}\nat first {before}\nat last  {}", Left::now());
    println!("{} violations, seed {seed}, {seconds} s", violations.len());
    for violation in violations.iter().take(TOLD) {
        println!("seed {seed}: {violation}");
    }
    assert_eq!(violations.len(), 0, "violations; `cargo xtask soak --seconds {seconds} --seed {seed}` soaks alike");
    assert_eq!(figures.idle(), [""; 0], "ways on which nothing was answered");
}

fn runtime() -> Runtime {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime")
}

/// One round, and all that was wrong in it.
fn round(seed: u64, first: u64, length: Duration, figures: &mut Figures) -> Vec<String> {
    let runtime = runtime();
    let roads = WAYS.iter().map(|(_, way, share)| Road::build(*way, *share, seed.wrapping_add(first)));
    let roads = runtime.block_on(join_all(roads)).into_iter().map(|road| road.expect("free ports"));
    let roads = Arc::new(roads.collect::<Vec<_>>());
    let records = runtime.block_on(call_all(seed, first, length, &roads));
    settle(&roads);
    let mut violations = Vec::new();
    for record in &records {
        figures.count(record);
        let what = wrong(record, &roads[record.case.way]);
        violations.extend(what.into_iter().map(|what| format!("{what}: {record:?}")));
    }
    for (road, (name, ..)) in roads.iter().zip(WAYS) {
        let strayed = figures.add(&road.seen);
        if strayed > 0 {
            violations.push(format!("{name}: {strayed} requests carried credentials that they should not"));
        }
    }
    let roads = Arc::into_inner(roads).expect("all calls have ended");
    let (clients, servers): (Vec<_>, Vec<_>) = roads.into_iter().map(Road::parted).unzip();
    drop(clients);
    let tasks = || runtime.metrics().num_alive_tasks();
    let patience = Instant::now() + PATIENCE;
    while tasks() > 0 && Instant::now() < patience {
        std::thread::sleep(Duration::from_millis(20));
    }
    if tasks() > 0 {
        violations.push(format!("{} tasks run on after their clients are gone", tasks()));
    }
    drop(servers);
    violations
}

/// Calls until the time is over.
async fn call_all(seed: u64, first: u64, length: Duration, roads: &Arc<Vec<Road>>) -> Vec<Record> {
    let (next, end) = (Arc::new(AtomicU64::new(first)), Instant::now() + length);
    let caller = || {
        let (next, roads) = (Arc::clone(&next), Arc::clone(roads));
        tokio::spawn(async move {
            let mut records = Vec::new();
            while Instant::now() < end {
                let case = Case::draw(seed, next.fetch_add(1, Ordering::Relaxed), WAYS.len());
                records.push(make(&roads[case.way], case).await);
            }
            records
        })
    };
    let callers = join_all((0..AT_ONCE).map(|_| caller())).await;
    callers.into_iter().flat_map(|records| records.expect("no call panics")).collect()
}

/// Waits until the servers have read what is on its way: nothing new for ten looks in a row.
fn settle(roads: &[Road]) {
    let count = |server: &Server| server.journal().connects() + server.journal().recorded();
    let count = || roads.iter().flat_map(Road::servers).map(count).sum::<u64>();
    let (mut last, mut quiet) = (count(), 0);
    while quiet < 10 {
        std::thread::sleep(Duration::from_millis(20));
        let now = count();
        quiet = if now == last { quiet + 1 } else { 0 };
        last = now;
    }
}
