//! gRPC without a service config: what every channel does.

use super::Preset;
use crate::{GrpcPolicy, Policy};

pub(super) const ROWS: &[Preset] = &[Preset::of(
    "gRPC C-core 1.85.3, grpc-js 1.14.7, grpc-java 1.76.2",
    "grpc/proposal A6 lines 99-125, 147-157, 186-213, 285-306",
)
.named("grpc", "once: what the server did not process; a service config adds a retry policy (GrpcPolicy)", grpc)];

/// Does not ask what kind of connection it was.
fn grpc() -> Policy {
    GrpcPolicy::without_service_config().policy()
}
