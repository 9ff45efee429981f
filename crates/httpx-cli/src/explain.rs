//! `httpx explain`: what a policy does, without sending anything.

// What is told.
mod policy;
mod scenario;

use std::path::PathBuf;

use http::{HeaderValue, Method, StatusCode};
use httpx_retry::{Connection, End, FailureKind, Idempotency, Policy, Preset, Scenario, Sent};

use crate::exit::{Exit, Trouble};
use crate::{chosen, say, service_config, values};

const EXAMPLES: &str = "\
httpx explain                                                     the whole default policy
httpx explain --status 503 --retry-after 7                        is it repeated, why, after which wait?
httpx explain --method POST --failure request-timeout --sent maybe";

/// How an attempt may have ended: exactly one of these, or none.
const OUTCOME: &str = "outcome";

/// Say what a policy does, without sending anything
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The policy's name [default: default]
    #[arg(long, value_name = "NAME")]
    policy: Option<String>,
    /// A gRPC service config, as JSON: what the policy grpc goes by
    #[arg(long, value_name = "FILE")]
    service_config: Option<PathBuf>,
    /// The method of which the service config is asked [default: what it says of all]
    #[arg(long, value_name = "SERVICE/METHOD", requires = "service_config")]
    grpc_method: Option<String>,
    /// Method of the request
    #[arg(long, value_parser = values::method, default_value = "GET", requires = OUTCOME)]
    method: Method,
    /// The attempt was answered with this status
    #[arg(long, value_name = "CODE", value_parser = status, group = OUTCOME, allow_hyphen_values = true)]
    status: Option<StatusCode>,
    /// The answer carried this Retry-After
    #[arg(long, value_name = "VALUE", value_parser = retry_after, requires = "status", allow_hyphen_values = true)]
    retry_after: Option<HeaderValue>,
    /// The attempt failed like this, such as request-timeout
    #[arg(long, value_name = "KIND", value_parser = failure, requires = "sent", group = OUTCOME)]
    failure: Option<FailureKind>,
    /// Whether the server saw the request: no, not-processed or maybe
    #[arg(long, value_parser = sent, requires = "failure")]
    sent: Option<Sent>,
    /// Which kind of connection it used: fresh or reused [default: not known]
    #[arg(long, value_parser = connection, requires = OUTCOME)]
    connection: Option<Connection>,
    /// Repeating the request does no harm, whatever its method
    #[arg(long, requires = OUTCOME)]
    idempotent: bool,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs `httpx explain`.
pub(crate) fn run(args: &Args) -> Result<Exit, Trouble> {
    let (preset, policy) = asked(args)?;
    let told = match (scenario(args), args.json) {
        (Some(scenario), false) => scenario::text(&scenario, &policy),
        (Some(scenario), true) => scenario::json(&scenario, &policy),
        (None, false) => policy::text(preset, &policy),
        (None, true) => policy::json(preset, &policy),
    };
    say::out(told)?;
    Ok(Exit::Success)
}

/// The policy, and the preset whose it is or after which a service config made it.
fn asked(args: &Args) -> Result<(&'static Preset, Policy), Trouble> {
    let config = args.service_config.as_deref();
    let name = args.policy.as_deref().unwrap_or(if config.is_some() { "grpc" } else { "default" });
    let preset = chosen::policy(name)?;
    let policy = match config {
        Some(file) => service_config::policy(file, Some(name), args.grpc_method.as_deref().unwrap_or(""))?,
        None => preset.policy(),
    };
    Ok((preset, policy))
}

/// What is asked about, if it is not the policy as a whole.
fn scenario(args: &Args) -> Option<Scenario> {
    let end = match (args.status, args.failure, args.sent) {
        (Some(status), ..) => End::Answer(status, args.retry_after.clone()),
        (None, Some(kind), Some(sent)) => End::Failure(kind, sent),
        (None, None, _) | (None, Some(_), None) => return None,
    };
    let idempotency = if args.idempotent { Idempotency::Declared } else { Idempotency::Method };
    let connection = args.connection.unwrap_or(Connection::Unknown);
    Some(Scenario { idempotency, connection, ..Scenario::new(args.method.clone(), end) })
}

fn status(text: &str) -> Result<StatusCode, String> {
    text.parse().map_err(|_| format!("{text:?} is not a status code; write 100 to 999"))
}

fn retry_after(text: &str) -> Result<HeaderValue, String> {
    text.parse().map_err(|_| format!("{text:?} has a character that no header may have; write it as 7"))
}

fn failure(text: &str) -> Result<FailureKind, String> {
    FailureKind::ALL.iter().copied().find(|kind| kind.name() == text).ok_or_else(|| {
        let known: Vec<_> = FailureKind::ALL.iter().map(|kind| kind.name()).collect();
        format!("unknown failure {text:?}; the failures are {}", known.join(", "))
    })
}

fn sent(text: &str) -> Result<Sent, String> {
    Sent::ALL.iter().copied().find(|sent| sent.name() == text).ok_or_else(|| {
        let [first, second, third] = [Sent::No, Sent::NotProcessed, Sent::Maybe];
        format!("{text:?} does not say whether the server saw the request; write {first}, {second} or {third}")
    })
}

fn connection(text: &str) -> Result<Connection, String> {
    match text {
        "fresh" => Ok(Connection::Fresh),
        "reused" => Ok(Connection::Reused),
        _ => Err(format!("{text:?} is no kind of connection; write fresh or reused")),
    }
}
