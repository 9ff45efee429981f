//! A registry on the loopback address: sparse index, uploads, downloads, and the ways in which they fail.

use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};
use tokio::runtime::{Builder, Runtime};
use wiremock::{Match, Mock, MockServer, Request, Respond, ResponseTemplate};

/// The registry.
pub(crate) struct Registry {
    // Dropped last: the server lives on it.
    url: String,
    state: Arc<Mutex<State>>,
    _server: MockServer,
    _runtime: Runtime,
}

/// How an upload goes wrong.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Upload {
    /// It is answered with a status, and nothing is stored.
    Refused(u16),
    /// It is stored, and the answer is an error all the same.
    LostAnswer,
    /// Other bytes are stored.
    Tampered,
    /// It is stored.
    Stored,
}

/// How the index goes wrong.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Index {
    /// It answers with a status.
    Status(u16),
    /// It answers with text that is no index.
    Garbage,
    /// It adds this line to what it holds.
    Also(&'static str),
    /// It answers 200, and nothing.
    Empty,
    /// It answers after a minute.
    Hangs,
    /// Its config.json is no JSON.
    BadConfig,
}

#[derive(Default)]
struct State {
    rows: BTreeMap<String, Vec<Value>>,
    packages: BTreeMap<String, Vec<u8>>,
    uploads: Vec<String>,
    next: VecDeque<Upload>,
    index: Option<Index>,
    /// How many reads of the index do not show an upload yet; `None` when it never appears.
    lag: Option<u32>,
    hidden: BTreeMap<String, u32>,
    /// How many reads a cache before the index answers by itself, unless it is told to check.
    edge: u32,
    copies: BTreeMap<String, (u32, String)>,
    /// How many reads told the cache to check, and were answered that nothing had changed.
    unchanged: u32,
}

struct Always;

impl Match for Always {
    fn matches(&self, _: &Request) -> bool {
        true
    }
}

struct Answer {
    url: String,
    state: Arc<Mutex<State>>,
}

impl Registry {
    pub(crate) fn start() -> Self {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
        let server = runtime.block_on(MockServer::start());
        let state = Arc::new(Mutex::new(State { lag: Some(0), ..State::default() }));
        let url = server.uri();
        let answer = Answer { url: url.clone(), state: Arc::clone(&state) };
        runtime.block_on(Mock::given(Always).respond_with(answer).mount(&server));
        Self { url, state, _server: server, _runtime: runtime }
    }

    pub(crate) fn index_url(&self) -> String {
        format!("sparse+{}/index/", self.url)
    }

    /// The uploads that arrived, stored or not, as `core 1.1.0`.
    pub(crate) fn uploads(&self) -> Vec<String> {
        self.state().uploads.clone()
    }

    /// Enters a version as if it had been published long ago.
    pub(crate) fn seed(&self, name: &str, version: &str, yanked: bool) {
        let row = json!({
            "name": name, "vers": version, "deps": [], "features": {}, "yanked": yanked,
            "cksum": format!("{:0>64}", version.replace('.', "")),
        });
        self.state().rows.entry(name.to_owned()).or_default().push(row);
    }

    /// Takes every trace of a version out again, as no real registry does.
    pub(crate) fn forget(&self, name: &str, version: &str) {
        self.state().rows.entry(name.to_owned()).or_default().retain(|row| row["vers"] != version);
    }

    pub(crate) fn yank(&self, name: &str, version: &str) {
        for row in self.state().rows.entry(name.to_owned()).or_default() {
            if row["vers"] == version {
                row["yanked"] = json!(true);
            }
        }
    }

    /// How the next uploads go.
    pub(crate) fn next(&self, uploads: &[Upload]) {
        self.state().next.extend(uploads);
    }

    pub(crate) fn index(&self, index: Option<Index>) {
        self.state().index = index;
    }

    pub(crate) fn lag(&self, reads: Option<u32>) {
        self.state().lag = reads;
    }

    /// Puts a cache before the index, which answers this many reads of an entry with its old copy.
    pub(crate) fn edge(&self, reads: u32) {
        let mut state = self.state();
        state.edge = reads;
        state.copies.clear();
    }

    /// How many reads asked past the cache for what had changed, and were told that nothing had.
    pub(crate) fn unchanged(&self) -> u32 {
        self.state().unchanged
    }

    /// Shows every upload from now on.
    pub(crate) fn show(&self) {
        let mut state = self.state();
        state.lag = Some(0);
        state.hidden.clear();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no answer panics")
    }
}

impl Respond for Answer {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        let mut state = self.state.lock().expect("no answer panics");
        let path = request.url.path();
        if path == "/api/v1/crates/new" {
            return upload(&mut state, &request.body);
        }
        if let Some(package) = path.strip_prefix("/dl/") {
            let name = package.trim_end_matches("/download").replace('/', " ");
            return match state.packages.get(&name) {
                Some(bytes) => ResponseTemplate::new(200).set_body_bytes(bytes.clone()),
                None => ResponseTemplate::new(404),
            };
        }
        if path.ends_with("/config.json") {
            let is_bad = matches!(state.index, Some(Index::BadConfig));
            let config = json!({ "dl": format!("{}/dl", self.url), "api": self.url }).to_string();
            return ResponseTemplate::new(200).set_body_string(if is_bad { "<html>".to_owned() } else { config });
        }
        entry(&mut state, path.rsplit('/').next().unwrap_or_default(), request)
    }
}

fn entry(state: &mut State, name: &str, request: &Request) -> ResponseTemplate {
    match state.index {
        Some(Index::Status(status)) => return ResponseTemplate::new(status),
        Some(Index::Garbage) => return ResponseTemplate::new(200).set_body_string("{\"name\": 1}\n"),
        Some(Index::Empty) => return ResponseTemplate::new(200),
        Some(Index::Hangs) => return ResponseTemplate::new(200).set_delay(Duration::from_secs(60)),
        Some(Index::Also(_) | Index::BadConfig) | None => {}
    }
    let asks = |field: &str, value: &str| request.headers.get(field).is_some_and(|given| given == value);
    let is_checked = asks("cache-control", "no-cache");
    let shown = if is_checked { shown(state, name) } else { cached(state, name) };
    let tag = format!("\"{}\"", sha256(shown.as_bytes()));
    if shown.is_empty() {
        return ResponseTemplate::new(404);
    }
    let answer = if asks("if-none-match", &tag) {
        state.unchanged += u32::from(is_checked);
        ResponseTemplate::new(304)
    } else {
        ResponseTemplate::new(200).set_body_string(shown)
    };
    answer.insert_header("etag", tag).insert_header("cache-control", "max-age=600")
}

/// What a cache before the index answers: its copy, as long as it may.
fn cached(state: &mut State, name: &str) -> String {
    if let Some((left, copy)) = state.copies.get_mut(name).filter(|(left, _)| *left > 0) {
        *left -= 1;
        return copy.clone();
    }
    let shown = shown(state, name);
    state.copies.insert(name.to_owned(), (state.edge, shown.clone()));
    shown
}

fn shown(state: &mut State, name: &str) -> String {
    let rows = state.rows.get(name).cloned().unwrap_or_default();
    let mut shown = String::new();
    for row in rows {
        let key = format!("{name} {}", row["vers"].as_str().unwrap_or_default());
        match state.hidden.get_mut(&key) {
            Some(left) if *left > 0 => *left -= 1,
            _ => shown.push_str(&format!("{row}\n")),
        }
    }
    if let Some(Index::Also(line)) = state.index {
        shown.push_str(line);
    }
    shown
}

/// An upload: two lengths, each followed by what it counts. Source: "Registry web API", section "Publish".
fn upload(state: &mut State, body: &[u8]) -> ResponseTemplate {
    let (metadata, rest) = counted(body);
    let (package, _) = counted(rest);
    let metadata: Value = serde_json::from_slice(metadata).expect("cargo sends JSON");
    let (name, version) =
        (metadata["name"].as_str().unwrap_or_default(), metadata["vers"].as_str().unwrap_or_default());
    let key = format!("{name} {version}");
    state.uploads.push(key.clone());
    let kind = state.next.pop_front().unwrap_or(Upload::Stored);
    if let Upload::Refused(status) = kind {
        let told = "too many requests; try again after Mon, 30 Nov 2026 12:00:00 GMT";
        return ResponseTemplate::new(status).set_body_json(json!({ "errors": [{ "detail": told }] }));
    }
    let exists = state.rows.get(name).is_some_and(|rows| rows.iter().any(|row| row["vers"] == version));
    if exists {
        let told = format!("crate version `{version}` already exists");
        return ResponseTemplate::new(400).set_body_json(json!({ "errors": [{ "detail": told }] }));
    }
    let checksum = if matches!(kind, Upload::Tampered) { "bad".repeat(20) } else { sha256(package) };
    let row = json!({
        "name": name, "vers": version, "cksum": checksum, "features": metadata["features"], "yanked": false,
        "deps": dependencies(&metadata),
    });
    state.rows.entry(name.to_owned()).or_default().push(row);
    state.packages.insert(key.clone(), package.to_vec());
    state.hidden.insert(key, state.lag.unwrap_or(u32::MAX));
    match kind {
        Upload::LostAnswer => ResponseTemplate::new(500),
        _ => ResponseTemplate::new(200)
            .set_body_json(json!({ "warnings": { "invalid_categories": [], "invalid_badges": [], "other": [] } })),
    }
}

fn dependencies(metadata: &Value) -> Value {
    let one = |need: &Value| {
        json!({
            "name": need["name"], "req": need["version_req"], "features": need["features"], "optional": need["optional"],
            "default_features": need["default_features"], "target": need["target"], "kind": need["kind"],
            "registry": need["registry"], "package": null,
        })
    };
    metadata["deps"].as_array().map(|needs| needs.iter().map(one).collect()).unwrap_or_default()
}

fn counted(bytes: &[u8]) -> (&[u8], &[u8]) {
    let (length, rest) = bytes.split_at(4);
    let length = u32::from_le_bytes(length.try_into().expect("four bytes"));
    rest.split_at(usize::try_from(length).expect("a length fits"))
}

fn sha256(bytes: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
