//! gRPC without a service config: what every channel does.

use super::Preset;
use crate::{GrpcPolicy, Policy};

pub(super) const ROWS: &[Preset] = &[Preset::of(
    "gRPC C-core 1.85.3, grpc-js 1.14.7, grpc-java 1.76.2",
    "grpc/proposal A6 lines 99-125, 147-157, 186-213, 285-306",
)
.named(
    "grpc",
    "nothing, but what never left the client and, once, what the server did not process; a service config adds to it",
    grpc,
)];

/// Asks what kind of connection it was: on a fresh one that fails before anything was sent, it is the channel that fails.
fn grpc() -> Policy {
    GrpcPolicy::without_service_config().policy()
}
