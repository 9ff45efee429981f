//! gRPC service configs.

use bolero::check;
use httpx_retry::GrpcPolicy;

use crate::served::{edited, is_one_line};
use crate::support::numbers;

const CONFIG: &str = r#"{"retryThrottling":{"maxTokens":10,"tokenRatio":0.1},"methodConfig":[
    {"name":[{"service":"jobs.Jobs"}],"timeout":"1.5s","retryPolicy":{"maxAttempts":4,"initialBackoff":"0.1s",
    "maxBackoff":"1s","backoffMultiplier":2,"retryableStatusCodes":["UNAVAILABLE",14]}},
    {"name":[{"service":"jobs.Jobs","method":"Watch"}],"hedgingPolicy":{"maxAttempts":3,"hedgingDelay":"0.5s",
    "nonFatalStatusCodes":["ABORTED"]}}]}"#;

/// A config is refused in one line, or amounts to a policy of at most five attempts.
#[test]
fn service_config() {
    check!().with_generator(numbers(24)).for_each(|numbers| {
        let json = String::from_utf8_lossy(&edited(CONFIG, numbers)).into_owned();
        for method in ["Submit", "Watch"] {
            match GrpcPolicy::from_service_config(&json, "jobs.Jobs", method) {
                Ok(grpc) => assert!(grpc.policy().max_attempts().get() <= 5, "{json}"),
                Err(error) => is_one_line(&error),
            }
        }
    });
}
