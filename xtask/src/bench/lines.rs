//! The lines of the table: what each shows, and what httpx is to reach.

use super::{
    sheet::Sheet,
    target::{Missed, Target},
};

/// A line of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// What it shows.
    pub(super) title: &'static str,
    /// How many digits after the point.
    pub(super) digits: usize,
    /// The number of a client; `None` where it has none.
    pub(super) value: fn(&Sheet, &str) -> Option<f64>,
    /// What httpx is to reach, if anything.
    pub(super) target: Option<Target>,
}

/// The client that the others are compared with.
pub(super) const BASE: &str = "reqwest";

/// The client that has targets.
pub(super) const BOUND: &str = "httpx";

const TIMER: &str = "112 bytes are tokio's timer; the rest is the wait, what a retry has paid, and the way to the call";

const TASK: &str = "a call on its way: its task, its request as each attempt is built from it, and its story; \
                    what the request's fields and URL point to comes on top";

const FRAMED: &str = "what it costs beyond a small body is the decoding of its frame by hyper, and the end of the body, \
                      which comes a moment later and wakes the connection and the call once more";

const LEFT: &str =
    "the rest of a body that is not there yet is read by a future of its own, which is gone when it is read";

/// Every line. The first text that a value asks for is a key of `work.rs`, the second a name that the programs print.
pub(super) const LINES: &[Line] = &[
    line("GET: instructions", 0, |s, w| s.get("get", w, "instructions")),
    line("GET: of reqwest's", 4, |s, w| ratio(s, w, "get")).at_most(1.0),
    line("POST 1 KiB: instructions", 0, |s, w| s.get("post", w, "instructions")),
    line("POST 1 KiB: of reqwest's", 4, |s, w| ratio(s, w, "post")).at_most(1.0),
    line("GET: allocations", 1, |s, w| s.get("get", w, "allocations")),
    line("GET: above reqwest's", 1, |s, w| more(s, w, "get")).at_most(0.0),
    line("POST 1 KiB: allocations", 1, |s, w| s.get("post", w, "allocations")),
    line("POST 1 KiB: above reqwest's", 1, |s, w| more(s, w, "post")).at_most(0.0),
    line("adopted request, above the builder's: instructions", 0, |s, w| adopting(s, w, "instructions"))
        .at_most(1000.0),
    line("adopted request, above the builder's: allocations", 1, |s, w| adopting(s, w, "allocations")).at_most(1.0),
    line("retry, 20-byte body: instructions", 0, |s, w| retry(s, w, "retry-small", "instructions")).at_most(63_000.0),
    line("retry, 20-byte body: allocations", 1, |s, w| retry(s, w, "retry-small", "allocations")).at_most(36.0),
    line("retry, chunked body: instructions", 0, |s, w| retry(s, w, "retry-chunked", "instructions"))
        .at_most(70_000.0)
        .missed(71_200.0, FRAMED),
    line("retry, chunked body: allocations", 1, |s, w| retry(s, w, "retry-chunked", "allocations"))
        .at_most(38.0)
        .missed(39.0, LEFT),
    line("retry, chunked body: new connections", 2, |s, w| connections(s, w, "retry-chunked")).at_most(0.0),
    line("retry, 64 KiB body: new connections", 2, |s, w| connections(s, w, "retry-large")).at_most(0.0),
    line("retry, chunked over TLS: new connections", 2, |s, w| connections(s, w, "retry-tls")).at_most(0.0),
    line("two retries, chunked over TLS: instructions", 0, |s, w| s.get("retry-tls", w, "instructions"))
        .at_most(250_000.0)
        .missed(275_000.0, "head and end of the body come in records of their own; counts over TLS do not repeat"),
    line("parked: size of the future", 0, |s, w| s.get("parked-1056", w, "future")).at_most(192.0).missed(224.0, TIMER),
    line("parked: heap per call of 10,000", 0, |s, w| s.get("parked-10000", w, "heap")),
    line("parked: heap per call of 100,000", 0, |s, w| s.get("parked-100000", w, "heap"))
        .at_most(448.0)
        .missed(1_430.0, TASK),
    line("parked: connections of 1,056 calls, 64 at a time", 0, |s, w| s.get("parked-1056", w, "connections_held"))
        .at_most(64.0),
    line("storm, 1,000 calls: requests per call", 3, |s, w| s.get("storm", w, "requests_per_call")).at_most(1.1),
    line("storm, 1,000 calls: never ended", 0, |s, w| s.get("storm", w, "never_ended")).at_most(0.0),
    line("after an outage: requests per new call", 3, |s, w| s.get("recovery", w, "load_after_outage")).at_most(1.1),
    line("10,000 calls with an expired token: refreshes", 0, |s, w| s.get("token", w, "refreshes")).at_most(1.0),
    line("10,000 calls with an expired token: requests per call", 3, |s, w| s.get("token", w, "requests_per_call"))
        .at_most(2.0),
];

/// The lines of the table of helpers that read a body of 1 MiB.
pub(super) const READING: &[Line] = &[
    line("bytes allocated", 0, |s, w| s.get("read", w, "bytes")),
    line("allocations", 1, |s, w| s.get("read", w, "allocations")),
];

/// The helper that has a target of its own, and its line.
pub(super) const FETCHING: (&str, Line) = (
    "httpx: fetch_bytes",
    line("1 MiB by fetch_bytes: bytes allocated", 0, |s, w| s.get("read", w, "bytes")).at_most(1_200_000.0).missed(
        2_400_000.0,
        "what hyper reads into comes on top of the room for the body: the line of `send, chunk` shows how much",
    ),
);

const fn line(title: &'static str, digits: usize, value: fn(&Sheet, &str) -> Option<f64>) -> Line {
    Line { title, digits, value, target: None }
}

impl Line {
    /// Is it empty where callgrind does not count?
    pub(super) fn needs_instructions(&self) -> bool {
        self.title.ends_with("instructions") || self.title.ends_with("of reqwest's")
    }

    const fn at_most(self, at_most: f64) -> Self {
        Line { target: Some(Target { at_most, missed: None }), ..self }
    }

    const fn missed(self, reached: f64, reason: &'static str) -> Self {
        match self.target {
            Some(target) => {
                Line { target: Some(Target { missed: Some(Missed { reached, reason }), ..target }), ..self }
            }
            None => self,
        }
    }
}

fn ratio(sheet: &Sheet, worker: &str, key: &str) -> Option<f64> {
    Some(sheet.get(key, worker, "instructions")? / sheet.get(key, BASE, "instructions")?)
}

fn more(sheet: &Sheet, worker: &str, key: &str) -> Option<f64> {
    Some(sheet.get(key, worker, "allocations")? - sheet.get(key, BASE, "allocations")?)
}

/// What it costs that a request came from reqwest, which only httpx takes.
fn adopting(sheet: &Sheet, worker: &str, name: &str) -> Option<f64> {
    let cost = |hand| sheet.get("adopted", hand, name);
    if worker == BOUND { Some(cost("httpx: execute")? - cost("httpx: builder")?) } else { None }
}

/// What one retry adds: two of them are in each call.
fn retry(sheet: &Sheet, worker: &str, key: &str, name: &str) -> Option<f64> {
    Some((sheet.get(key, worker, name)? - sheet.get("get", worker, name)?) / 2.0)
}

/// Connections opened for one retry.
fn connections(sheet: &Sheet, worker: &str, key: &str) -> Option<f64> {
    Some(sheet.get(key, worker, "connections")? / 2.0)
}
