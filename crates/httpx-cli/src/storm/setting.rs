//! The scenario: flags over its default.

use std::time::Duration;

use clap::ValueEnum;
use http::Method;
use httpx_storm::{Outage, OutageKind, Scenario, ScenarioError};

use crate::exit::Trouble;
use crate::values;

/// Each one overrides the same setting of the default scenario.
#[derive(Debug, Default, PartialEq, clap::Args)]
#[command(next_help_heading = "Settings")]
pub(super) struct Setting {
    /// How many clients there are; the service grows with them
    #[arg(long, value_name = "N", value_parser = values::number)]
    clients: Option<u32>,
    /// In how many processes they run; those of a process share a retry budget [default: one per 100 clients]
    #[arg(long, value_name = "N", value_parser = values::number)]
    processes: Option<u32>,
    /// How long it is from one call of a client to its next, on average
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    pause: Option<Duration>,
    /// The method of every call
    #[arg(long, value_name = "METHOD", value_parser = values::method)]
    method: Option<Method>,
    /// How long one attempt may take
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    timeout: Option<Duration>,
    /// How many requests a server works on at a time
    #[arg(long, value_name = "N", value_parser = values::number)]
    workers: Option<u32>,
    /// How long the work on a request takes, on average
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    service: Option<Duration>,
    /// Which share of the service's capacity the calls take while nothing fails; there are as many servers as that takes
    #[arg(long, value_name = "SHARE", value_parser = values::load)]
    load: Option<f64>,
    /// How long a full queue is, told as the time to work through it; beyond it the answer is 503
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    queue: Option<Duration>,
    /// Which share of the requests is answered with 503, all the time
    #[arg(long, value_name = "SHARE", value_parser = values::share)]
    fail: Option<f64>,
    /// The seconds of the Retry-After of every 503
    #[arg(long, value_name = "SECONDS", value_parser = values::number)]
    retry_after: Option<u32>,
    /// How the service fails for a while: it refuses connections, it accepts requests and hangs, it answers 503, or not at all
    #[arg(long, value_name = "KIND")]
    outage: Option<Kind>,
    /// When that begins
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    outage_from: Option<Duration>,
    /// When it is over
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    outage_to: Option<Duration>,
    /// How long calls come
    #[arg(long, value_name = "TIME", value_parser = values::duration)]
    duration: Option<Duration>,
    /// Of everything that is left to chance
    #[arg(long, value_name = "N", value_parser = values::seed)]
    seed: Option<u64>,
}

/// How an outage looks, or that there is none.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Kind {
    Refuse,
    Hang,
    Busy,
    None,
}

impl Setting {
    /// The scenario that is asked for.
    pub(super) fn scenario(&self) -> Result<Scenario, Trouble> {
        let usual = self.clients.map_or_else(Scenario::default, Scenario::of);
        let scenario = Scenario {
            clients: usual.clients,
            processes: self.processes.unwrap_or(usual.processes),
            pause: self.pause.unwrap_or(usual.pause),
            method: self.method.clone().unwrap_or(usual.method),
            timeout: self.timeout.unwrap_or(usual.timeout),
            workers: self.workers.unwrap_or(usual.workers),
            service: self.service.unwrap_or(usual.service),
            load: self.load.unwrap_or(usual.load),
            queue: self.queue.unwrap_or(usual.queue),
            failing: self.fail.unwrap_or(usual.failing),
            retry_after: self.retry_after.or(usual.retry_after),
            outage: self.outage(usual.outage)?,
            duration: self.duration.unwrap_or(usual.duration),
            seed: self.seed.unwrap_or(usual.seed),
        };
        scenario.check().map_err(placed)?;
        Ok(scenario)
    }

    fn outage(&self, usual: Option<Outage>) -> Result<Option<Outage>, Trouble> {
        let kind = match self.outage {
            None => None,
            Some(Kind::None) if self.outage_from.is_some() || self.outage_to.is_some() => {
                let told = "--outage: none begins and ends never; leave --outage-from and --outage-to away";
                return Err(Trouble::usage(told));
            }
            Some(Kind::None) => return Ok(None),
            Some(Kind::Refuse) => Some(OutageKind::Refuse),
            Some(Kind::Hang) => Some(OutageKind::Hang),
            Some(Kind::Busy) => Some(OutageKind::Busy),
        };
        Ok(usual.map(|usual| Outage {
            from: self.outage_from.unwrap_or(usual.from),
            to: self.outage_to.unwrap_or(usual.to),
            kind: kind.unwrap_or(usual.kind),
        }))
    }
}

/// The mistake with its place: the flag that it came from, or could be mended with.
pub(super) fn placed(error: ScenarioError) -> Trouble {
    let flag = match &error {
        ScenarioError::Zero(field) => field,
        ScenarioError::Processes { .. } => "processes",
        ScenarioError::Load(_) => "load",
        ScenarioError::Failing(_) => "fail",
        ScenarioError::Duration(_) => "duration",
        ScenarioError::Outage { .. } => "outage-to",
        ScenarioError::Servers(_) => "service",
        // Of calls, and of what may be added.
        _ => "clients",
    };
    Trouble::usage(format!("--{flag}: {error}"))
}
