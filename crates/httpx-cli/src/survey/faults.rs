//! The rows of the survey: every fault of the faulty server, some statuses, and a host that does not exist.

use std::time::Duration;

use httpx_faults::{Fault, Layer};

/// One fault, and what it takes to meet it.
#[derive(Debug)]
pub(super) struct Row {
    /// Its name in tables, in JSON and on the command line.
    pub(super) name: String,
    /// What it has in common with the rows around it.
    pub(super) section: &'static str,
    pub(super) meeting: Meeting,
    pub(super) connecting: Connecting,
}

/// Where a request meets it.
#[derive(Debug)]
pub(super) enum Meeting {
    /// At a server.
    Server(Fault),
    /// Nowhere: the name of the host cannot be resolved.
    UnknownHost,
}

/// What bounds connecting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Connecting {
    /// A connect timeout.
    Limited,
    /// Only the timeout of the attempt.
    Unlimited,
}

/// Which rows stand together, and in which order. A fault that is not here comes last, under the section of the rest.
const SECTIONS: &[(&str, &[&str])] = &[
    ("all is well", &["ok"]),
    ("nobody is there", &["unknown-host", "refused", "black-hole", "black-hole-no-connect-timeout"]),
    ("connecting fails", &["accept-then-close", "accept-then-reset", "tls-stall", "tls-reset", "bad-certificate"]),
    (
        "read, but not answered",
        &[
            "never-answer",
            "applied-then-hang",
            "close-after-request",
            "reset-after-request",
            "applied-then-reset",
            "partial-read",
            "garbage",
        ],
    ),
    ("the answer breaks off", &["headers-then-stall", "slow-drip", "half-body-fin", "half-body-rst", "chunked-cut"]),
    ("the pooled connection is stale", &["idle-fin", "idle-rst", "in-use-fin", "in-use-rst"]),
    ("HTTP/2", &["h2-refused-stream", "h2-goaway-unprocessed", "h2-goaway-processed", "h2-internal-error"]),
    (
        "the answer is a status",
        &[
            "status-404",
            "status-408",
            "status-429",
            "status-500",
            "status-502",
            "status-503",
            "status-503-retry-after-1",
        ],
    ),
];

const REST: &str = "more faults";

/// Not faults, or shown with values of the survey's own.
const LEFT_OUT: &[&str] = &["status", "redirect", "echo"];

/// The pause between two bytes of an answer that is to outlast the timeout.
const DRIP: Duration = Duration::from_millis(200);

/// All rows, in the order in which they are shown.
pub(super) fn all() -> Vec<Row> {
    let mut rows: Vec<Row> =
        Fault::all().into_iter().filter(|fault| !LEFT_OUT.contains(&fault.name())).map(shown).collect();
    rows.extend(
        [404, 408, 429, 500, 502, 503].map(|status| row(format!("status-{status}"), Fault::status(status).into())),
    );
    rows.push(row("status-503-retry-after-1".to_owned(), Fault::status(503).retry_after("1").into()));
    rows.push(Row { meeting: Meeting::UnknownHost, ..row("unknown-host".to_owned(), Fault::Refused) });
    rows.push(Row {
        connecting: Connecting::Unlimited,
        ..row("black-hole-no-connect-timeout".to_owned(), Fault::BlackHole)
    });
    rows.sort_by_key(|row| place(&row.name));
    rows
}

fn shown(fault: Fault) -> Row {
    let name = fault.name().to_owned();
    match fault {
        // Slow enough to outlast the timeout, never silent for as long as that.
        Fault::SlowDrip(_) => row(name, Fault::SlowDrip(DRIP)),
        fault => row(name, fault),
    }
}

fn row(name: String, fault: Fault) -> Row {
    let section = SECTIONS.get(place(&name).0).map_or(REST, |(title, _)| title);
    Row { name, section, meeting: Meeting::Server(fault), connecting: Connecting::Limited }
}

/// Section and line.
fn place(name: &str) -> (usize, usize) {
    let line = |names: &[&str]| names.iter().position(|known| *known == name);
    let found = SECTIONS.iter().enumerate().find_map(|(at, (_, names))| Some((at, line(names)?)));
    found.unwrap_or((SECTIONS.len(), 0))
}

impl Row {
    /// Where it strikes; a name is looked up before there is a port.
    pub(super) fn layer(&self) -> Layer {
        match &self.meeting {
            Meeting::Server(fault) => fault.layer(),
            Meeting::UnknownHost => Layer::Port,
        }
    }

    /// Whether it is met only on a connection that has carried a request before.
    pub(super) fn wants_used_connection(&self) -> bool {
        use Fault::{IdleFin, IdleReset, InUseFin, InUseReset};
        matches!(&self.meeting, Meeting::Server(IdleFin | IdleReset | InUseFin | InUseReset))
    }
}
