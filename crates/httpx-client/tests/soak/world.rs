//! The servers of a round, their faults, and the clients that go to them.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use fastrand::Rng;
use httpx_client::{Auth, BudgetSetting, Client, Refresh, Session, Tokens};
use httpx_faults::{Answer, Fault, Layer, Request, Script, Server};

use crate::ways::Way;

/// Every way, and the share of requests that meets a fault on it: over HTTP/2 many of them end all that is on a connection.
pub(crate) const WAYS: &[(&str, Way, f64)] = &[
    ("h1", Way::Http1, 0.3),
    ("h1, no pool", Way::Http1NoPool, 0.3),
    ("h1, TLS", Way::Http1Tls, 0.3),
    ("h2", Way::Http2, 0.1),
    ("h2, TLS", Way::Http2Tls, 0.1),
    ("h1, proxy", Way::Http1Proxied, 0.3),
    ("h1, TLS, proxy", Way::Http1TlsProxied, 0.3),
];

/// So many good answers, and a token is good no longer.
const TOKEN_LASTS: u64 = 10;

/// The share of connections that break off before there is a request.
const BROKEN_CONNECTIONS: f64 = 0.05;

/// The longest wait between two attempts.
const MAX_DELAY: Duration = Duration::from_millis(200);

/// One way, and all that stands at its end.
pub(crate) struct Road {
    pub(crate) way: Way,
    /// Where calls go first.
    pub(crate) home: Server,
    /// Where they are redirected to.
    pub(crate) away: Server,
    /// Where tokens are renewed.
    pub(crate) tokens: Server,
    pub(crate) proxy: Server,
    /// Ports that are shut, and that swallow connects.
    pub(crate) nowhere: [Server; 2],
    /// One with the budget of the default, one without any.
    pub(crate) clients: [Client; 2],
    pub(crate) sessions: [Session; 2],
    pub(crate) seen: Arc<Seen>,
}

/// What the servers of a road have seen.
#[derive(Default)]
pub(crate) struct Seen {
    /// Requests with more than one `Authorization`, or with one at a server that it was not meant for.
    pub(crate) strayed: AtomicU64,
    pub(crate) renewals: AtomicU64,
    pub(crate) redirects: AtomicU64,
    pub(crate) refused: AtomicU64,
}

/// Which tokens are good: each of the two identities has one, with a number that grows.
#[derive(Default)]
struct Good([Credit; 2]);

#[derive(Default)]
struct Credit {
    version: AtomicU64,
    used: AtomicU64,
}

impl Road {
    pub(crate) async fn build(way: Way, share: f64, seed: u64) -> io::Result<Self> {
        let (seen, good) = (Arc::new(Seen::default()), Arc::new(Good::default()));
        let scripted = |at: u64, well: Box<dyn FnMut(&Request) -> Fault + Send>| {
            let mut chance = Rng::with_seed(seed ^ (at << 32));
            let broken = greetings(way);
            Script::by_chance(share, faults(way), seed.wrapping_add(at), well).striking_connections(move |_| {
                let (drawn, which) = (chance.f64(), chance.usize(..broken.len()));
                (drawn < BROKEN_CONNECTIONS).then(|| broken[which].clone())
            })
        };
        let away = way.server(scripted(1, at_away(Arc::clone(&seen)))).await?;
        let home = at_home(Arc::clone(&seen), Arc::clone(&good), way.url(&away, "/public/"));
        let home = way.server(scripted(2, home)).await?;
        let tokens = way.server(scripted(3, at_tokens(Arc::clone(&seen), good))).await?;
        let proxy = Server::proxy(scripted(4, Box::new(|_| Fault::Ok))).await?;
        let nowhere = [Server::showing(Fault::Refused).await?, Server::showing(Fault::BlackHole).await?];
        let slowness = Duration::from_millis(20);
        let client = |who: usize| {
            let refresh = Refresh::at(way.url(&tokens, &format!("/renew/{who}"))).expect("a URL");
            let refresh = refresh.timeout(Duration::from_millis(300)).limit(Duration::from_secs(2));
            let client = way.client(&[&home, &away, &tokens], &proxy, slowness).auth(Auth::sessions(refresh));
            let client =
                client.delay(Duration::from_millis(5)).max_delay(MAX_DELAY).connect_timeout(Duration::from_secs(1));
            let client = if who == 0 { client } else { client.budget(BudgetSetting::Off) };
            client.build().expect("valid settings")
        };
        let clients = [client(0), client(1)];
        let sessions = [0, 1]
            .map(|who| Session::new(Tokens::new(&token(who, 0)).expect("a token").with_refresh("r").expect("one")));
        Ok(Road { way, home, away, tokens, proxy, nowhere, clients, sessions, seen })
    }

    /// The clients with their sessions, and what they went to.
    pub(crate) fn parted(self) -> (impl Sized, impl Sized) {
        let Road { home, away, tokens, proxy, nowhere, clients, sessions, .. } = self;
        ((clients, sessions), (home, away, tokens, proxy, nowhere))
    }

    pub(crate) fn servers(&self) -> [&Server; 4] {
        [&self.home, &self.away, &self.tokens, &self.proxy]
    }
}

fn token(who: usize, version: u64) -> String {
    format!("w{who}-{version}")
}

/// All that can strike a request. Redirects are drawn by the calls.
fn faults(way: Way) -> Vec<Fault> {
    let of_version = |fault: &Fault| match fault.layer() {
        Layer::Request => fault.name() != "redirect",
        Layer::Http2 => way.is_http2(),
        Layer::Port | Layer::Connection | Layer::Tls => false,
    };
    let all = Fault::all().into_iter().filter(of_version);
    // Statuses once more, for most of the others end the connection.
    all.chain([429, 500, 502, 503].map(|status| Fault::status(status).retry_after("0").into())).collect()
}

/// All that can strike a connection.
fn greetings(way: Way) -> Vec<Fault> {
    let is_tls = matches!(way, Way::Http1Tls | Way::Http2Tls | Way::Http1TlsProxied);
    let strikes = |fault: &Fault| fault.layer() == Layer::Connection || (fault.layer() == Layer::Tls && is_tls);
    Fault::all().into_iter().filter(strikes).collect()
}

/// The good answer to a call: its number, and who asked.
fn answer(request: &Request, who: &str) -> Fault {
    let id = request.path.rsplit('/').next().unwrap_or_default();
    let body = format!("{id} {who}");
    let answer = Answer::status(200).header("x-answers", id).body(body);
    match request.header("x-request-id").map_or(0, str::len) % 3 {
        0 => answer.chunked().into(),
        _ => answer.into(),
    }
}

fn at_home(seen: Arc<Seen>, good: Arc<Good>, elsewhere: String) -> Box<dyn FnMut(&Request) -> Fault + Send> {
    Box::new(move |request| {
        let shown: Vec<_> = request.header_lines("authorization").collect();
        if shown.len() > 1 {
            seen.strayed.fetch_add(1, Ordering::Relaxed);
        }
        let parts: Vec<_> = request.path.split('/').skip(1).collect();
        match parts[..] {
            ["elsewhere", status, id] => {
                seen.redirects.fetch_add(1, Ordering::Relaxed);
                Fault::Redirect(status.parse().expect("a status"), format!("{elsewhere}{id}"))
            }
            ["private", _] => match [0, 1].into_iter().find(|who| shown == [format!("Bearer {}", good.token(*who))]) {
                Some(who) => {
                    good.use_up(who);
                    answer(request, &who.to_string())
                }
                None => {
                    seen.refused.fetch_add(1, Ordering::Relaxed);
                    Answer::status(401).header("www-authenticate", "Bearer").into()
                }
            },
            _ => answer(request, "anybody"),
        }
    })
}

fn at_away(seen: Arc<Seen>) -> Box<dyn FnMut(&Request) -> Fault + Send> {
    Box::new(move |request| {
        if request.header("authorization").is_some() {
            seen.strayed.fetch_add(1, Ordering::Relaxed);
        }
        answer(request, "anybody")
    })
}

fn at_tokens(seen: Arc<Seen>, good: Arc<Good>) -> Box<dyn FnMut(&Request) -> Fault + Send> {
    Box::new(move |request| {
        seen.renewals.fetch_add(1, Ordering::Relaxed);
        let token = good.token(usize::from(request.path.ends_with('1')));
        let body = format!(r#"{{"access_token":"{token}","token_type":"Bearer","refresh_token":"r"}}"#);
        Answer::status(200).body(body).into()
    })
}

impl Good {
    fn token(&self, who: usize) -> String {
        token(who, self.0[who].version.load(Ordering::Relaxed))
    }

    fn use_up(&self, who: usize) {
        let Credit { version, used } = &self.0[who];
        if used.fetch_add(1, Ordering::Relaxed) % TOKEN_LASTS == TOKEN_LASTS - 1 {
            version.fetch_add(1, Ordering::Relaxed);
        }
    }
}
