//! Every fault under a URL of its own.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, OnceLock};

use serde_json::{Value, json};

use crate::answer::Answer;
use crate::fault::{Fault, Layer};
use crate::journal::Journal;
use crate::request::Request;
use crate::script::Script;
use crate::server::Server;

/// A server for clients that no test can script: the URL chooses the fault.
///
/// - `/NAME` shows the fault of that [name](Fault::name); `/status/CODE` any status.
/// - `?first=N` shows it only to the first N requests with the same [key](Request::key), then all is well.
///   Method, path and query are the key, so any further parameter, such as `&run=7`, starts anew.
/// - `?retry-after=VALUE` adds that header line to `/status/CODE`.
/// - `/` lists the faults, `/journal` is what arrived, as JSON; neither stands in the journal itself.
///
/// Faults that strike before there is a request have ports of their own, and so has HTTP/2 (with prior knowledge).
#[derive(Debug)]
pub struct Site {
    front: Server,
    exhibits: Arc<Vec<Exhibit>>,
    // Held for their ports.
    _annexes: Vec<Server>,
}

/// Where a fault is shown.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Exhibit {
    /// The fault's name.
    pub name: &'static str,
    /// Where it strikes.
    pub layer: Layer,
    /// The URL that shows it.
    pub url: String,
    /// What it does.
    pub sentence: &'static str,
}

/// What `/` and `/journal` tell of, once all ports are known.
#[derive(Debug)]
struct Catalogue {
    exhibits: Arc<Vec<Exhibit>>,
    journals: Vec<(&'static str, Journal)>,
}

impl Site {
    /// Opens all ports.
    ///
    /// # Errors
    /// When no port or thread is to be had, or no certificate can be made.
    pub async fn start() -> io::Result<Self> {
        Self::start_at(0).await
    }

    /// Opens all ports, the main one at `port`; 0 is any free one.
    ///
    /// # Errors
    /// As [`start`](Self::start), and when the port is taken.
    pub async fn start_at(port: u16) -> io::Result<Self> {
        let catalogue = Arc::new(OnceLock::new());
        let front = Server::start_at(port, guide(catalogue.clone())).await?;
        let http2 = Server::h2(guide(catalogue.clone())).await?;
        let mut exhibits = Vec::new();
        let mut journals = vec![("site", front.journal()), ("http2", http2.journal())];
        let mut annexes = Vec::new();
        for fault in Fault::all() {
            let (name, layer, sentence) = (fault.name(), fault.layer(), fault.sentence());
            let url = match layer {
                Layer::Request => front.url_at(&path(&fault)),
                Layer::Http2 => http2.url_at(&path(&fault)),
                Layer::Port | Layer::Connection | Layer::Tls => {
                    let annex = Server::showing(fault).await?;
                    journals.push((name, annex.journal()));
                    let url = annex.url_at("/");
                    annexes.push(annex);
                    url
                }
            };
            exhibits.push(Exhibit { name, layer, url, sentence });
        }
        annexes.push(http2);
        let exhibits = Arc::new(exhibits);
        // Set once, here: nobody else holds the cell but the two guides, which only read it.
        catalogue.set(Catalogue { exhibits: exhibits.clone(), journals }).ok();
        Ok(Self { front, exhibits, _annexes: annexes })
    }

    /// The URL of the main port, without a slash at its end.
    pub fn url(&self) -> String {
        self.front.url()
    }

    /// [`url`](Self::url) with this path, which starts with a slash.
    pub fn url_at(&self, path: &str) -> String {
        self.front.url_at(path)
    }

    /// Every fault and its URL.
    pub fn exhibits(&self) -> &[Exhibit] {
        &self.exhibits
    }

    /// What arrived at the main port.
    pub fn journal(&self) -> Journal {
        self.front.journal()
    }
}

fn path(fault: &Fault) -> String {
    let path = format!("/{}", fault.name());
    if let Fault::Answer(answer) = fault { format!("{path}/{}", answer.status) } else { path }
}

/// The script of a port on which the path chooses the fault.
fn guide(catalogue: Arc<OnceLock<Catalogue>>) -> Script {
    let mut shown: HashMap<String, u64> = HashMap::new();
    Script::by_request(move |request| {
        let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
        match (path, catalogue.get()) {
            ("/", Some(catalogue)) => return page("text/plain; charset=utf-8", catalogue.list()),
            ("/journal", Some(catalogue)) => return page("application/json", catalogue.journal().to_string()),
            _ => {}
        }
        let Some(fault) = chosen(path, query) else {
            return page_of(404, "text/plain", format!("no fault is called {path}; / lists them\n"));
        };
        let first = parameter(query, "first").and_then(|first| first.parse().ok()).unwrap_or(u64::MAX);
        let shown = shown.entry(request.key()).or_default();
        *shown += 1;
        if *shown > first { Fault::Ok } else { fault }
    })
}

fn chosen(path: &str, query: &str) -> Option<Fault> {
    if let Some(status) = path.strip_prefix("/status/") {
        let answer = Answer::status(status.parse().ok()?);
        return Some(match parameter(query, "retry-after") {
            Some(wait) => answer.retry_after(wait).into(),
            None => answer.into(),
        });
    }
    Fault::all().into_iter().find(|fault| path.strip_prefix('/') == Some(fault.name()))
}

/// The value of a query parameter, where `%20` and `+` stand for a space, as HTTP dates need.
fn parameter(query: &str, name: &str) -> Option<String> {
    let value = query.split('&').filter_map(|pair| pair.split_once('=')).find(|(key, _)| *key == name)?.1;
    Some(value.replace("%20", " ").replace('+', " "))
}

fn page(kind: &str, text: String) -> Fault {
    page_of(200, kind, text)
}

fn page_of(status: u16, kind: &str, text: String) -> Fault {
    Answer::status(status).header("content-type", kind).body(text).unrecorded().into()
}

impl Catalogue {
    fn list(&self) -> String {
        let line = |exhibit: &Exhibit| format!("{}\n    {}\n", exhibit.url, exhibit.sentence);
        self.exhibits.iter().map(line).collect()
    }

    fn journal(&self) -> Value {
        self.journals.iter().map(|(name, journal)| (name.to_string(), told(journal))).collect()
    }
}

fn told(journal: &Journal) -> Value {
    json!({
        "connects": journal.connects(),
        "handshakes": journal.handshakes(),
        "recorded": journal.recorded(),
        "complete": journal.complete(),
        "applied": journal.applied(),
        "requests": journal.requests().iter().map(request).collect::<Vec<_>>(),
    })
}

fn request(request: &Request) -> Value {
    json!({
        "number": request.number,
        "connection": request.connection,
        "method": request.method,
        "path": request.path,
        "headers": request.headers,
        "body": String::from_utf8_lossy(&request.body),
        "body_length": request.body_length,
        "complete": request.complete,
        "applied": request.applied,
    })
}
