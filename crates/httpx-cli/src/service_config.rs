//! `--service-config FILE`: the policy that a gRPC service config gives to a method.

use std::path::Path;

use httpx_retry::{GrpcPolicy, Policy};

use crate::exit::Trouble;

/// The only policy that goes by a service config.
const GRPC: &str = "grpc";

/// What the config in `file` says of `method`, `SERVICE/METHOD`, where the policy called `named` may go by one.
pub(crate) fn policy(file: &Path, named: Option<&str>, method: &str) -> Result<Policy, Trouble> {
    let wrong = |told: String| Trouble::usage(format!("--service-config: {told}"));
    if let Some(other) = named.filter(|named| *named != GRPC) {
        return Err(wrong(format!("the policy {other:?} does not go by a service config; write --policy {GRPC}")));
    }
    let json =
        std::fs::read_to_string(file).map_err(|error| wrong(format!("cannot read {}: {error}", file.display())))?;
    let (service, method) = method.rsplit_once('/').unwrap_or((method, ""));
    let grpc = GrpcPolicy::from_service_config(&json, service, method);
    Ok(grpc.map_err(|error| wrong(format!("{}: {error}", file.display())))?.policy())
}

/// The gRPC method that `url` leads to: the last two parts of its path.
pub(crate) fn method_of(url: &str) -> &str {
    let path = url.split(['?', '#']).next().unwrap_or(url);
    let host = path.split_once("://").map_or(path, |(_, rest)| rest);
    let (_, path) = host.split_once('/').unwrap_or_default();
    match path.rmatch_indices('/').nth(1) {
        Some((at, _)) => &path[at + 1..],
        None => path,
    }
}
