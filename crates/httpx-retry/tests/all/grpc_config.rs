//! gRPC service configs: what is read of them, and what is refused.

use httpx_retry::{GrpcHedging, GrpcPolicy, GrpcRetry, GrpcStatus, GrpcThrottling};

use crate::told::{ms, n};

#[test]
fn a_service_config_is_read_as_it_is_written() {
    let json = r#"{
        "methodConfig": [
            {"name": [{}], "timeout": "1s"},
            {"name": [{"service": "jobs.Jobs"}], "retryPolicy": {"maxAttempts": 4, "initialBackoff": "0.1s",
              "maxBackoff": "0.3s", "backoffMultiplier": 2, "retryableStatusCodes": ["UNAVAILABLE"]}},
            {"name": [{"service": "jobs.Jobs", "method": "Get"}], "hedgingPolicy": {"maxAttempts": 3,
              "hedgingDelay": "0.5s", "nonFatalStatusCodes": ["UNAVAILABLE"]}}
        ],
        "retryThrottling": {"maxTokens": 4, "tokenRatio": 0.5}
    }"#;
    let of = |service, method| GrpcPolicy::from_service_config(json, service, method).expect("it is right");
    let retry = GrpcRetry {
        max_attempts: n(4),
        initial_backoff: ms(100),
        max_backoff: ms(300),
        backoff_multiplier: 2.0,
        codes: vec![GrpcStatus::UNAVAILABLE],
    };
    let throttling = Some(GrpcThrottling { max_tokens: 4, token_ratio_thousandths: 500 });
    assert_eq!(of("jobs.Jobs", "Put"), GrpcPolicy { retry: Some(retry), throttling, ..GrpcPolicy::default() });
    let hedging = GrpcHedging { max_attempts: n(3), delay: ms(500), non_fatal: vec![GrpcStatus::UNAVAILABLE] };
    assert_eq!(of("jobs.Jobs", "Get"), GrpcPolicy { hedging: Some(hedging), throttling, ..GrpcPolicy::default() });
    let other = GrpcPolicy { timeout: Some(ms(1000)), throttling, ..GrpcPolicy::default() };
    assert_eq!(of("other", "Get"), other);
    assert_eq!(other.policy().deadline(), Some(ms(1000)));
    assert_eq!(GrpcPolicy::from_service_config("{}", "a", "b"), Ok(GrpcPolicy::default()));
}

#[test]
fn a_wrong_service_config_is_refused_with_what_would_be_right() {
    let with = |name: &str, inner: &str| format!(r#"{{"methodConfig": [{{"name": {name}, {inner}}}]}}"#);
    let policy = |inner: &str| with("[{}]", &format!(r#""retryPolicy": {{{inner}}}"#));
    let hedged = |inner: &str| with("[{}]", &format!(r#""hedgingPolicy": {{{inner}}}"#));
    let right = r#""initialBackoff": "1s", "maxBackoff": "1s", "backoffMultiplier": 1, "retryableStatusCodes": [14]"#;
    let waits = |wait: &str| format!(r#""maxAttempts": 2, {}"#, right.replacen("\"1s\"", wait, 1));
    let rows = [
        ("{".to_owned(), "the text must be JSON"),
        ("[]".to_owned(), "the text must be a JSON object"),
        (r#"{"methodConfig": {}}"#.to_owned(), "methodConfig must be a list"),
        (with("{}", r#""timeout": "1s""#), "name must be a list"),
        (
            with(r#"[{"method": "Get"}]"#, r#""timeout": "1s""#),
            "name must be a list of objects with a service, or a service and a method, or neither",
        ),
        (with("[{}, {}]", r#""timeout": "1s""#), "a name of a methodConfig must be in no other place"),
        (with("[{}]", r#""timeout": "-1s""#), "timeout must be a duration such as \"0.1s\""),
        (
            with(
                "[{}]",
                &format!(r#""retryPolicy": {{"maxAttempts": 2, {right}}}, "hedgingPolicy": {{"maxAttempts": 2}}"#),
            ),
            "a methodConfig must be without retryPolicy or without hedgingPolicy",
        ),
        (policy(&format!(r#""maxAttempts": 1, {right}"#)), "maxAttempts must be a whole number above 1"),
        (
            policy(r#""maxAttempts": 2, "retryableStatusCodes": []"#),
            "retryableStatusCodes must be a list with at least one code",
        ),
        (
            policy(r#""maxAttempts": 2, "retryableStatusCodes": ["BUSY"]"#),
            "retryableStatusCodes must be a list of codes such as \"UNAVAILABLE\", without OK",
        ),
        (
            policy(r#""maxAttempts": 2, "retryableStatusCodes": ["OK"]"#),
            "retryableStatusCodes must be a list of codes such as \"UNAVAILABLE\", without OK",
        ),
        (policy(&waits("1")), "initialBackoff must be a duration such as \"0.1s\""),
        (policy(&waits("\"1e3s\"")), "initialBackoff must be a duration such as \"0.1s\""),
        (policy(&waits("\"0s\"")), "initialBackoff must be a duration above zero such as \"0.1s\""),
        (hedged(r#""maxAttempts": 1"#), "maxAttempts must be a whole number above 1"),
        (
            hedged(r#""maxAttempts": 2, "nonFatalStatusCodes": "UNAVAILABLE""#),
            "nonFatalStatusCodes must be a list of codes such as \"UNAVAILABLE\", without OK",
        ),
    ];
    for (json, told) in rows {
        let error = GrpcPolicy::from_service_config(&json, "a", "b").expect_err(&json);
        assert_eq!(error.to_string(), format!("service config: {told}"), "{json}");
    }
}

#[test]
fn a_throttling_is_read_in_thousandths_and_refused_outside_its_range() {
    let read = |tokens: &str, ratio: &str| {
        let json = format!(r#"{{"retryThrottling": {{"maxTokens": {tokens}, "tokenRatio": {ratio}}}}}"#);
        GrpcPolicy::from_service_config(&json, "a", "b").map(|grpc| grpc.throttling.expect("it stands there"))
    };
    let rows = [
        ("1", "1000", 1, 1_000_000),
        ("1000", "0.001", 1000, 1),
        // Three decimals count, and all three: 1.001 × 1000 is a little less than 1001 in binary.
        ("10", "1.001", 10, 1001),
        ("10", "0.0019", 10, 1),
    ];
    for (tokens, ratio, max_tokens, token_ratio_thousandths) in rows {
        assert_eq!(read(tokens, ratio), Ok(GrpcThrottling { max_tokens, token_ratio_thousandths }), "{tokens} {ratio}");
    }
    let outside = [
        ("0", "1"),
        ("1001", "1"),
        ("1.5", "1"),
        ("10", "0"),
        ("10", "-1"),
        ("10", "0.0004"),
        ("10", "1000.001"),
        ("10", "1001"),
        ("10", "1e300"),
        ("10", "\"1\""),
    ];
    for (tokens, ratio) in outside {
        let error = read(tokens, ratio).expect_err(ratio).to_string();
        let right = "a maxTokens from 1 to 1000 and a tokenRatio from 0.001 to 1000";
        assert_eq!(error, format!("service config: retryThrottling must be {right}"), "{tokens} {ratio}");
    }
}
