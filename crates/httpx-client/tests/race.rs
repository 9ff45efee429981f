//! Requests that race their own timeouts: whoever is told "nothing was sent" must never have been seen by the server.
//!
//! `HTTPX_STRESS_REQUESTS` says how many requests each run sends in all; a fresh checkout sends few, CI 100,000 and
//! `cargo xtask stress` 1,000,000.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use httpx_client::httpx_retry::Sent;
use httpx_client::reqwest::Certificate;
use httpx_client::reqwest::dns::{Addrs, Name, Resolve, Resolving};
use httpx_client::{Body, Client, ClientBuilder, HttpVersion, Proxy};
use httpx_faults::{Fault, Script, Server};
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;

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
    server: Kind,
    weather: Weather,
    runtime: fn() -> Runtime,
    /// Bytes of the body.
    upload: usize,
}

#[derive(Clone, Copy)]
enum Kind {
    Http1,
    Http1NoPool,
    Http1Tls,
    Http2,
    Http2Tls,
    /// In absolute form.
    Http1Proxied,
    /// Through a tunnel.
    Http1TlsProxied,
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
    use Kind::{Http1, Http1NoPool, Http1Proxied, Http1Tls, Http1TlsProxied, Http2, Http2Tls};
    use Weather::{Calm, Rough};
    const fn race(name: &'static str, percent: u64, server: Kind, weather: Weather, runtime: fn() -> Runtime) -> Race {
        Race { name, percent, server, weather, runtime, upload: 1 }
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

impl Kind {
    /// Where its requests go.
    fn url(self, server: &Server) -> String {
        let port = server.address().port();
        match self {
            Kind::Http1 | Kind::Http1NoPool | Kind::Http2 => format!("http://localhost:{port}/"),
            Kind::Http1Tls | Kind::Http2Tls => format!("https://localhost:{port}/"),
            Kind::Http1Proxied | Kind::Http1TlsProxied => server.far_url_at("/"),
        }
    }

    const fn is_http2(self) -> bool {
        match self {
            Kind::Http2 | Kind::Http2Tls => true,
            Kind::Http1 | Kind::Http1NoPool | Kind::Http1Tls | Kind::Http1Proxied | Kind::Http1TlsProxied => false,
        }
    }
}

/// Takes its time, as name servers do, so that limits elapse before there is a connection too.
struct SlowResolver;

impl Resolve for SlowResolver {
    fn resolve(&self, _: Name) -> Resolving {
        let delay = Duration::from_micros(fastrand::u64(..WINDOW_US));
        Box::pin(async move {
            tokio::time::sleep(delay).await;
            let addresses: Addrs = Box::new([SocketAddr::from(([127, 0, 0, 1], 0))].into_iter());
            Ok(addresses)
        })
    }
}

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
            let of_version = if race.server.is_http2() { &mut h2 } else { &mut h1 };
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
    let server = servers.block_on(start(race.server, race.weather));
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
    let pem = server.root_pem().map(str::to_owned);
    let url = race.server.url(server);
    // By name, so that it takes the slow resolver.
    let proxy = Proxy::new(format!("localhost:{}", proxy.address().port())).expect("a proxy");
    let body = Bytes::from(vec![b'x'; race.upload]);
    let rounds = match race.weather {
        Weather::Calm => 1,
        Weather::Rough => 32,
    };
    let (next, mut racers) = (Arc::new(AtomicU64::new(0)), JoinSet::new());
    for _ in 0..CLIENTS {
        let (kind, pem, url, body, next) = (race.server, pem.clone(), url.clone(), body.clone(), next.clone());
        let proxy = proxy.clone();
        racers.spawn(async move {
            let mut verdicts = Vec::new();
            loop {
                let client = client(kind, pem.as_deref(), &proxy);
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
        });
    }
    racers.join_all().await.concat()
}

async fn send(client: Client, url: String, body: Bytes, id: u64, timeout: Duration) -> (u64, Option<Sent>) {
    let request = client.post(url).header("x-request-id", id.to_string()).timeout(timeout).body(Body::from(body));
    (id, request.send().await.err().map(|error| error.sent()))
}

fn client(kind: Kind, pem: Option<&str>, proxy: &Proxy) -> Client {
    let once = ClientBuilder::new().proxy(proxy.clone()).max_attempts(1.try_into().expect("1 is not 0"));
    let pem = pem.map(|pem| Certificate::from_pem(pem.as_bytes()).expect("a PEM certificate"));
    let once = once.customise_reqwest(move |reqwest| {
        let reqwest = reqwest.dns_resolver(SlowResolver).tls_certs_only(pem);
        if let Kind::Http1NoPool = kind { reqwest.pool_max_idle_per_host(0) } else { reqwest }
    });
    let once = if let Kind::Http2 = kind { once.http_version(HttpVersion::Http2) } else { once };
    once.build().expect("valid settings")
}

async fn start(kind: Kind, weather: Weather) -> Server {
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
        Weather::Rough if kind.is_http2() => Script::each(rough_h2),
        Weather::Rough => Script::each(rough),
    };
    match kind {
        Kind::Http1 | Kind::Http1NoPool | Kind::Http1Proxied => Server::start(script).await,
        Kind::Http1Tls | Kind::Http1TlsProxied => Server::tls(script).await,
        Kind::Http2 => Server::h2(script).await,
        Kind::Http2Tls => Server::h2_tls(script).await,
    }
    .expect("a free port")
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
