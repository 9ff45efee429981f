//! Requests that race their own timeouts: whoever is told "nothing was sent" must never have been seen by the server.
//!
//! `HTTPX_STRESS_REQUESTS` says how many requests each run sends in all; a fresh checkout sends few, CI 100,000 and
//! `cargo xtask stress` 1,000,000.

#[path = "race/ways.rs"]
mod ways;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures_util::future::join_all;
use httpx_client::httpx_retry::Sent;
use httpx_client::{Body, Client};
use httpx_faults::{Fault, Script, Server};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;
use ways::Way;

const DEFAULT_REQUESTS: u64 = 10_000;

/// Requests of one client that are under way together.
const AT_ONCE: u64 = 64;

/// Clients that race side by side.
const CLIENTS: u64 = 4;

/// Timeouts and look-ups take up to this many microseconds.
const WINDOW_US: u64 = 150_000;

/// A race of which less than one in so many requests is answered was lost before it began: it is run again with timeouts
/// four times as long, at most twice.
const LEAST_ANSWERED: u64 = 20;

/// One way of racing.
#[derive(Clone, Copy)]
struct Race {
    name: &'static str,
    /// Its share of all requests, in percent.
    percent: u64,
    way: Way,
    weather: Weather,
    runtime: fn() -> Runtime,
    /// Bytes of the body.
    upload: usize,
}

/// What the requests meet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Weather {
    /// Connections last as long as their client, and clients are new again and again. Whatever the server has not seen
    /// was not sent, so the share of it that is known can be told.
    Calm,
    /// Connections break off, with requests on them that were sent and never read. The pool is full of traps.
    Rough,
}

const RACES: &[Race] = {
    use Way::{Http1, Http1NoPool, Http1Proxied, Http1Tls, Http1TlsProxied, Http2, Http2Tls};
    use Weather::{Calm, Rough};
    const fn race(name: &'static str, percent: u64, way: Way, weather: Weather, runtime: fn() -> Runtime) -> Race {
        Race { name, percent, way, weather, runtime, upload: 1 }
    }
    &[
        race("h1, one thread", 12, Http1, Calm, one),
        race("h1, threads", 12, Http1, Calm, many),
        race("h1, TLS", 5, Http1Tls, Calm, many),
        race("h2, one thread", 9, Http2, Calm, one),
        race("h2, threads", 9, Http2, Calm, many),
        race("h2, TLS", 4, Http2Tls, Calm, many),
        race("h1, proxy", 3, Http1Proxied, Calm, many),
        race("h1, TLS, proxy", 2, Http1TlsProxied, Calm, many),
        race("h1, rough, one thread", 8, Http1, Rough, one),
        race("h1, rough, threads", 8, Http1, Rough, many),
        race("h1, rough, no pool", 5, Http1NoPool, Rough, many),
        race("h1, rough, TLS", 4, Http1Tls, Rough, many),
        race("h1, rough, proxy", 3, Http1Proxied, Rough, many),
        race("h1, rough, TLS, proxy", 2, Http1TlsProxied, Rough, many),
        race("h2, rough, one thread", 5, Http2, Rough, one),
        race("h2, rough, threads", 4, Http2, Rough, many),
        race("h2, rough, TLS", 4, Http2Tls, Rough, many),
        Race { upload: 4 << 20, ..race("h1, 4 MiB", 1, Http1, Calm, many) },
    ]
};

#[test]
fn no_request_called_unsent_was_seen_by_the_server() {
    let stress: Option<u64> = std::env::var("HTTPX_STRESS_REQUESTS").ok().map(|n| n.parse().expect("a number"));
    let all = stress.unwrap_or(DEFAULT_REQUESTS);
    let servers = many();
    let (mut h1, mut h2, mut wrong) = (Tally::default(), Tally::default(), 0);
    println!("race                   requests  answered   unseen    known    share    wrong");
    for race in RACES {
        let mut window = WINDOW_US;
        let tally = loop {
            let tally = run(race, window, all * race.percent / 100, &servers);
            println!("{:<21} {tally}", race.name);
            wrong += tally.wrong;
            if tally.answered * LEAST_ANSWERED >= tally.requests || window > 4 * WINDOW_US {
                break tally;
            }
            window *= 4;
        };
        assert!(tally.answered > 0, "{}: nothing was answered, so nothing raced", race.name);
        if race.weather == Weather::Calm {
            let of_version = if race.way.is_http2() { &mut h2 } else { &mut h1 };
            of_version.unseen += tally.unseen;
            of_version.known += tally.known;
        }
    }
    assert_eq!(wrong, 0, "requests called unsent that the server saw");
    // A slow or busy machine leaves more requests waiting inside a connection, where only "maybe" can be said: the share
    // is judged where the run is made for it.
    if stress.is_none() {
        return;
    }
    assert!(h1.share() >= 0.95, "of the requests that h1 did not send, only {:.3} are known", h1.share());
    assert!(h2.share() >= 0.60, "of the requests that h2 did not send, only {:.3} are known", h2.share());
}

/// What came of a race.
#[derive(Default)]
struct Tally {
    requests: u64,
    answered: u64,
    /// Failed, and the server never saw them.
    unseen: u64,
    /// Of those, called unsent.
    known: u64,
    /// Called unsent, and the server saw them.
    wrong: u64,
}

impl Tally {
    fn share(&self) -> f64 {
        self.known as f64 / self.unseen.max(1) as f64
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Tally { requests, answered, unseen, known, wrong } = self;
        write!(f, "{requests:>9} {answered:>9} {unseen:>8} {known:>8} {:>7.1}% {wrong:>8}", 100.0 * self.share())
    }
}

fn run(race: &Race, window: u64, requests: u64, servers: &Runtime) -> Tally {
    let server = servers.block_on(start(race.way, race.weather));
    // In the way of the other kinds it stands too, and is never asked.
    let proxy = servers.block_on(Server::proxy(Script::always(Fault::Ok))).expect("a free port");
    let verdicts = (race.runtime)().block_on(send_all(race, window, requests, &server, &proxy));
    settle(&server);
    let journal = server.journal();
    let mut tally = Tally { requests, ..Tally::default() };
    for (id, verdict) in verdicts {
        let seen = journal.seen(&id.to_string()) || proxy.journal().seen(&id.to_string());
        match verdict {
            None => tally.answered += 1,
            Some(Sent::No) if seen => tally.wrong += 1,
            Some(sent) => {
                tally.unseen += u64::from(!seen);
                tally.known += u64::from(!seen && sent == Sent::No);
            }
        }
    }
    tally
}

/// Sends them all; `None` for those that were answered.
async fn send_all(
    race: &Race,
    window: u64,
    requests: u64,
    server: &Server,
    proxy: &Server,
) -> Vec<(u64, Option<Sent>)> {
    let client = || {
        let once = race.way.client(&[server], proxy, Duration::from_micros(WINDOW_US));
        once.max_attempts(1.try_into().expect("1 is not 0")).build().expect("valid settings")
    };
    let url = race.way.url(server, "/");
    let body = Bytes::from(vec![b'x'; race.upload]);
    let rounds = match race.weather {
        Weather::Calm => 1,
        Weather::Rough => 32,
    };
    let next = AtomicU64::new(0);
    let racer = async || {
        let mut verdicts = Vec::new();
        loop {
            let client = client();
            for _ in 0..rounds {
                let first = next.fetch_add(AT_ONCE, Ordering::Relaxed);
                let ids = first..(first + AT_ONCE).min(requests);
                if ids.is_empty() {
                    return verdicts;
                }
                let round = ids.map(|id| {
                    // From "gone before the first poll" to "long enough for most": the edges are where races are.
                    let timeout = Duration::from_micros(scramble(id) % window);
                    send(client.clone(), url.clone(), body.clone(), id, timeout)
                });
                let round: JoinSet<_> = round.collect();
                verdicts.extend(round.join_all().await);
            }
        }
    };
    join_all((0..CLIENTS).map(|_| racer())).await.concat()
}

async fn send(client: Client, url: String, body: Bytes, id: u64, timeout: Duration) -> (u64, Option<Sent>) {
    let request = client.post(url).header("x-request-id", id.to_string()).timeout(timeout).body(Body::from(body));
    (id, request.send().await.err().map(|error| error.sent()))
}

async fn start(way: Way, weather: Weather) -> Server {
    let calm = |contact: u64| match scramble(contact) % 100 {
        0..80 => Fault::Ok,
        80..90 => Fault::ok_after(Duration::from_millis(1)).into(),
        _ => Fault::ok_after(Duration::from_millis(50)).into(),
    };
    let rough = |contact: u64| match scramble(contact) % 100 {
        0..60 => Fault::Ok,
        60..65 => Fault::ok_after(Duration::from_millis(1)).into(),
        65..70 => Fault::NeverAnswer,
        70..76 => Fault::CloseAfterRequest,
        76..82 => Fault::ResetAfterRequest,
        82..92 => Fault::PartialRead,
        92..96 => Fault::IdleReset,
        _ => Fault::IdleFin,
    };
    // What ends a connection ends all that is on it, so it is rare enough for some to be answered before.
    let rough_h2 = |contact: u64| match scramble(contact) % 1000 {
        0..700 => Fault::Ok,
        700..800 => Fault::ok_after(Duration::from_millis(1)).into(),
        800..900 => Fault::RefusedStream,
        900..960 => Fault::NeverAnswer,
        960..990 => Fault::InternalError,
        990..993 => Fault::GoAwayUnprocessed,
        993..994 => Fault::GoAwayProcessed,
        994..996 => Fault::ResetAfterRequest,
        996..998 => Fault::CloseAfterRequest,
        998..999 => Fault::PartialRead,
        _ => Fault::IdleFin,
    };
    let script = match weather {
        Weather::Calm => Script::each(calm),
        Weather::Rough if way.is_http2() => Script::each(rough_h2),
        Weather::Rough => Script::each(rough),
    };
    way.server(script).await.expect("a free port")
}

/// Waits until the server has read what is on its way: nothing new for ten looks in a row.
fn settle(server: &Server) {
    let count = || (server.journal().connects(), server.journal().recorded());
    let (mut last, mut quiet) = (count(), 0);
    while quiet < 10 {
        std::thread::sleep(Duration::from_millis(20));
        let now = count();
        quiet = if now == last { quiet + 1 } else { 0 };
        last = now;
    }
}

/// A fixed permutation of the numbers that looks random, so that a run can be repeated.
const fn scramble(n: u64) -> u64 {
    let n = (n ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (n ^ (n >> 31)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 7
}

fn one() -> Runtime {
    Builder::new_current_thread().enable_all().build().expect("a runtime")
}

fn many() -> Runtime {
    Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime")
}
