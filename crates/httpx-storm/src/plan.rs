//! What follows from a scenario: rates, sizes, and whether it can be played at all.

use std::time::Duration;

use crate::scenario::{OutageKind, Scenario, ScenarioError};

/// A day: more has nobody the patience to look at.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);
const MOST_CLIENTS: u32 = 100_000_000;
const MOST_CALLS: f64 = 1e9;
const MOST_SERVERS: f64 = 1e6;

/// The sizes of a scenario. Times are in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Plan {
    /// From one call of the fleet to the next, on average.
    pub(crate) gap: f64,
    pub(crate) servers: u32,
    /// How many requests may wait at one server.
    pub(crate) room: usize,
    /// Requests that the whole service can serve in a second.
    pub(crate) capacity: f64,
    pub(crate) end: u64,
    pub(crate) timeout: u64,
    /// How long a worker is busy, on average.
    pub(crate) service: f64,
    outage: Option<(u64, u64, OutageKind)>,
}

impl Scenario {
    /// Whether it can be played.
    ///
    /// # Errors
    /// When a number is out of its range, or the whole is too large.
    pub fn check(&self) -> Result<(), ScenarioError> {
        Plan::of(self).map(drop)
    }
}

impl Plan {
    pub(crate) fn of(scenario: &Scenario) -> Result<Self, ScenarioError> {
        in_range(scenario)?;
        let calls_a_second = f64::from(scenario.clients) / scenario.pause.as_secs_f64();
        let calls = calls_a_second * scenario.duration.as_secs_f64();
        if calls > MOST_CALLS {
            return Err(ScenarioError::Calls(calls));
        }
        let of_one = f64::from(scenario.workers) / scenario.service.as_secs_f64();
        let servers = (calls_a_second / scenario.load / of_one).round().max(1.0);
        if servers > MOST_SERVERS {
            return Err(ScenarioError::Servers(servers));
        }
        Ok(Plan {
            gap: 1e9 / calls_a_second,
            servers: servers as u32,
            room: (of_one * scenario.queue.as_secs_f64()).min(u32::MAX.into()) as usize,
            capacity: servers * of_one,
            end: nanos(scenario.duration),
            timeout: nanos(scenario.timeout),
            service: nanos(scenario.service) as f64,
            outage: scenario.outage.map(|outage| (nanos(outage.from), nanos(outage.to), outage.kind)),
        })
    }

    /// What is wrong at this moment.
    pub(crate) fn outage(&self, now: u64) -> Option<OutageKind> {
        let (from, to, kind) = self.outage?;
        (from..to).contains(&now).then_some(kind)
    }
}

fn in_range(scenario: &Scenario) -> Result<(), ScenarioError> {
    let zeros = [
        ("clients", scenario.clients == 0),
        ("processes", scenario.processes == 0),
        ("workers", scenario.workers == 0),
        ("pause", scenario.pause.is_zero()),
        ("timeout", scenario.timeout.is_zero()),
        ("service", scenario.service.is_zero()),
        ("duration", scenario.duration.is_zero()),
    ];
    if let Some((field, _)) = zeros.into_iter().find(|(_, zero)| *zero) {
        return Err(ScenarioError::Zero(field));
    }
    let Scenario { clients, processes, .. } = *scenario;
    if clients > MOST_CLIENTS {
        return Err(ScenarioError::Clients(clients));
    }
    if processes > clients {
        return Err(ScenarioError::Processes { processes, clients });
    }
    if !(scenario.load > 0.0 && scenario.load <= 10.0) {
        return Err(ScenarioError::Load(scenario.load));
    }
    if !(0.0..=1.0).contains(&scenario.failing) {
        return Err(ScenarioError::Failing(scenario.failing));
    }
    if scenario.duration > LONGEST {
        return Err(ScenarioError::Duration(scenario.duration));
    }
    match scenario.outage {
        Some(outage) if outage.from >= outage.to || outage.to > scenario.duration => {
            Err(ScenarioError::Outage { from: outage.from, to: outage.to, within: scenario.duration })
        }
        Some(_) | None => Ok(()),
    }
}

/// Saturates after some five hundred years.
pub(crate) fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
