//! What is simulated.

use std::time::Duration;

use http::Method;
use thiserror::Error;

/// A fleet, the service that it calls, and what goes wrong.
///
/// The number of servers follows from the rest: as many as make `load` of the calls' first attempts. So the same
/// scenario with a tenth of the clients has a tenth of the servers and looks alike, only rougher.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// How many clients; at least 1, at most a hundred million.
    pub clients: u32,
    /// How many processes they run in; at least 1, and at most as many as clients. The clients of one process share its retry budget.
    pub processes: u32,
    /// How long it is from one call of a client to its next, on average; not zero.
    pub pause: Duration,
    /// The method of every call.
    pub method: Method,
    /// How long one attempt may take; not zero.
    pub timeout: Duration,
    /// How many requests one server works on at a time; at least 1.
    pub workers: u32,
    /// How long a worker is busy with one request, on average; exponentially distributed; not zero.
    pub service: Duration,
    /// Which share of the service's capacity the calls take while none is retried: above 0, at most 10. The real one
    /// differs a little, since there are only whole servers.
    pub load: f64,
    /// The longest queue of a server, told as the time that it takes to work through it.
    pub queue: Duration,
    /// Which share of the requests is answered with 503 outside of the outage, by chance: `0.0..=1.0`.
    pub failing: f64,
    /// The seconds of the `Retry-After` that every 503 carries, if it carries one.
    pub retry_after: Option<u32>,
    /// What goes wrong, if anything.
    pub outage: Option<Outage>,
    /// How long calls come; not zero, at most a day. Those that came are played to their end.
    pub duration: Duration,
    /// Of everything that is left to chance. The same seed brings the same calls at the same moments, whatever the policy.
    pub seed: u64,
}

/// A time in which the whole service fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outage {
    /// When it begins.
    pub from: Duration,
    /// When it is over; later than `from`, and within the duration.
    pub to: Duration,
    /// How it looks.
    pub kind: OutageKind,
}

/// How an outage looks from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutageKind {
    /// Connections are refused. What was accepted before is still worked on.
    Refuse,
    /// Requests are accepted and nothing is begun, as when a database stands still: the queues fill, and afterwards are
    /// worked through.
    Hang,
    /// Every request is answered with 503 at once.
    Busy,
}

impl OutageKind {
    /// The word used in output and on the command line: `refuse`, `hang`, `busy`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            OutageKind::Refuse => "refuse",
            OutageKind::Hang => "hang",
            OutageKind::Busy => "busy",
        }
    }
}

impl Scenario {
    /// So many clients, a hundred in a process, call every ten seconds and use 70 % of the capacity, for ten minutes;
    /// after two minutes the servers hang for half a minute.
    #[must_use]
    pub fn of(clients: u32) -> Self {
        Scenario {
            clients,
            processes: clients.div_ceil(100),
            pause: Duration::from_secs(10),
            method: Method::POST,
            timeout: Duration::from_secs(2),
            workers: 10,
            service: Duration::from_millis(70),
            load: 0.7,
            queue: Duration::from_secs(10),
            failing: 0.0,
            retry_after: None,
            outage: Some(Outage {
                from: Duration::from_secs(120),
                to: Duration::from_secs(150),
                kind: OutageKind::Hang,
            }),
            duration: Duration::from_secs(600),
            seed: 1,
        }
    }
}

impl Default for Scenario {
    /// [`Scenario::of`] a hundred thousand clients.
    fn default() -> Self {
        Scenario::of(100_000)
    }
}

/// Why a scenario cannot be simulated.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum ScenarioError {
    /// A number that must be at least 1 is 0, or a time that passes is zero; the field's name.
    #[error("{0} is 0; it must be more than that")]
    Zero(&'static str),
    /// There are more processes than clients to run in them.
    #[error("processes is {processes}; it must be at most the number of clients, {clients}")]
    Processes {
        /// How many there would be.
        processes: u32,
        /// How many clients there are.
        clients: u32,
    },
    /// More clients than are played; their number.
    #[error("clients is {0}; it must be at most 100000000")]
    Clients(u32),
    /// [`Scenario::load`] is out of range.
    #[error("load is {0}; it must be more than 0 and at most 10, such as 0.7")]
    Load(f64),
    /// [`Scenario::failing`] is no ratio.
    #[error("failing is {0}; it must be a ratio from 0 to 1")]
    Failing(f64),
    /// [`Scenario::duration`] is out of range.
    #[error("duration is {0:?}; it must be at most a day")]
    Duration(Duration),
    /// The outage ends before it begins, or not within the duration.
    #[error(
        "the outage is from {from:?} to {to:?}; it must end after its beginning and within the duration, {within:?}"
    )]
    Outage {
        /// When it would begin.
        from: Duration,
        /// When it would end.
        to: Duration,
        /// The duration.
        within: Duration,
    },
    /// More calls than anybody waits for; their expected number.
    #[error("these would be {0:.1e} calls; fewer clients, longer pauses or a shorter duration keep them below 1e9")]
    Calls(f64),
    /// More servers than anybody has; their number.
    #[error("it would take {0:.1e} servers; a shorter service, more workers or more load keep them below 1e6")]
    Servers(f64),
}
