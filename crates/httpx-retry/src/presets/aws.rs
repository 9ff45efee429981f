//! The AWS SDKs: three generations of one idea, a token bucket that bounds retries across calls.
//!
//! None of them asks what kind of connection it was. Which error *codes* mean throttling is a matter of each service;
//! here the status 429 does.

use std::time::Duration;

use http::{Method, StatusCode};

use super::kinds::ANY_IO;
use super::{Preset, sends};
use crate::FailureKind::{Certificate, RequestTimeout};
use crate::{
    Backoff, Budget, HintForm, Jitter, Methods, OverCap, Policy, RetryAfter, Rule, StatusSet, Throttling, When,
};

pub(super) const ROWS: &[Preset] = &[
    Preset::of(
        "AWS SDK for Java 2.29.52, legacy",
        "DefaultRetryStrategy.java (Legacy), SdkDefaultRetrySetting.java",
    )
    .named(
        "aws_java2_legacy",
        "any I/O failure, certificates too, and five statuses, for every method; the SDK's default mode",
        aws_java2_legacy,
    ),
    Preset::of(
        "AWS SDK for Java 2.29.52, standard",
        "DefaultRetryStrategy.java (Standard), SdkDefaultRetrySetting.java",
    )
    .named(
        "aws_standard_2020",
        "as aws_java2_legacy, with three attempts, and throttling pays like any retry",
        aws_standard_2020,
    ),
    Preset::of(
        "AWS SDK for JavaScript 3.1175.0",
        "@smithy/core retry/util-retry/{constants,retries-2026-config,StandardRetryStrategy}.js; botocore/retries/standard.py 344-440, 463-560, 703-760",
    )
    .named(
        "aws_standard_2026",
        "the standard mode of 2026: shorter waits, a retry costs almost three times as much, Retry-After is bounded",
        aws_standard_2026,
    ),
];

const TOKENS: u32 = 500;
const LONGEST: Duration = Duration::from_secs(20);

fn aws_java2_legacy() -> Policy {
    let throttled = full_jitter(Duration::from_millis(500)).with_jitter(Jitter::Half);
    java("aws_java2_legacy", 4, Throttling { statuses: throttling(), backoff: throttled, cost: 0 })
}

fn aws_standard_2020() -> Policy {
    let throttled = full_jitter(Duration::from_secs(1));
    java("aws_standard_2020", 3, Throttling { statuses: throttling(), backoff: throttled, cost: 5 })
}

/// A body that breaks off was measured to be retried for GET and not for POST. The timeout of an attempt is another matter
/// than that of a socket: it is retried wherever it elapses, and the deadline of a call nowhere.
fn java(name: &'static str, attempts: u32, throttling: Throttling) -> Policy {
    let rows = [
        When::failure(ANY_IO).retry(),
        When::in_body(&[RequestTimeout]).retry(),
        When::in_body(ANY_IO).methods(Methods::Only(&[Method::GET])).retry(),
        When::transient().retry(),
    ];
    Policy::bare(Rule::rows(name, rows), sends(attempts))
        .with_statuses(StatusSet::default())
        .with_backoff(full_jitter(Duration::from_millis(100)))
        .with_throttling(throttling)
        .with_retry_after(RetryAfter::LowerBound(OverCap::Follow))
        .with_hint_form(HintForm::Seconds)
        .with_budget(Budget { capacity: TOKENS, retry_cost: 5, timeout_cost: 5, first_success: 1, ..Budget::DEFAULT })
}

/// A body that breaks off was measured to be retried for POST and not for GET, whose body is handed to the caller as a
/// stream. botocore 1.44.8 shares the numbers; it retries bad certificates, this one does not. DynamoDB has 4 attempts
/// and 25 ms.
fn aws_standard_2026() -> Policy {
    let rule = Rule::rows(
        "aws_standard_2026",
        [
            When::failure(&[Certificate]).stop(),
            When::failure(ANY_IO).retry(),
            When::in_body(ANY_IO).methods(Methods::AllBut(&[Method::GET])).retry(),
            When::transient().retry(),
        ],
    );
    Policy::bare(rule, sends(3))
        .with_statuses(StatusSet::default())
        .with_backoff(full_jitter(Duration::from_millis(50)))
        .with_throttling(Throttling { statuses: throttling(), backoff: full_jitter(Duration::from_secs(1)), cost: 5 })
        .with_retry_after(RetryAfter::LowerBoundWithin(Duration::from_secs(5)))
        .with_hint_form(HintForm::AmazonMillis)
        .with_budget(Budget { capacity: TOKENS, retry_cost: 14, timeout_cost: 14, first_success: 1, ..Budget::DEFAULT })
}

fn full_jitter(initial: Duration) -> Backoff {
    Backoff::doubling(initial).with_cap(LONGEST).with_jitter(Jitter::Full)
}

fn throttling() -> StatusSet {
    StatusSet::empty().with(StatusCode::TOO_MANY_REQUESTS)
}
