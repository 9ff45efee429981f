//! What a call does after an attempt: asked of the policy, as the client asks it.

use std::time::{Duration, SystemTime};

use http::{HeaderMap, HeaderValue, StatusCode, header};
use httpx_retry::{
    Attempt, Bucket, Budget, Connection, Failure, FailureKind, History, Idempotency, Now, Outcome, Phase, Policy,
    Replay, Request, Sample, Sent, Step,
};

use crate::call::Call;
use crate::scenario::Scenario;

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Good,
    Busy,
    Refused,
    TimedOut,
    /// The deadline of the call passed.
    TooLate,
}

/// A policy, and the buckets of all processes.
#[derive(Debug)]
pub(crate) struct Decider<'a> {
    policy: &'a Policy,
    request: Request<'a>,
    buckets: Vec<Bucket>,
    good: HeaderMap,
    busy: HeaderMap,
}

impl<'a> Decider<'a> {
    pub(crate) fn new(policy: &'a Policy, scenario: &'a Scenario) -> Self {
        let request = Request {
            method: &scenario.method,
            url: "http://service.test/",
            idempotency: Idempotency::Method,
            replay: Replay::Possible,
            timeout: Some(scenario.timeout),
        };
        // Without a budget nobody looks into the bucket.
        let bucket = policy.budget().unwrap_or(&Budget::DEFAULT).bucket();
        let retry_after = scenario.retry_after.map(|seconds| (header::RETRY_AFTER, HeaderValue::from(seconds)));
        Decider {
            policy,
            request,
            buckets: vec![bucket; scenario.processes as usize],
            good: HeaderMap::new(),
            busy: retry_after.into_iter().collect(),
        }
    }

    /// Takes the step after `call`'s last attempt, books it, and keeps in `call` what later steps depend on.
    pub(crate) fn step(&mut self, call: &mut Call, end: End, now: u64, sample: impl FnOnce() -> Sample) -> Step {
        let facts = self.facts(call, end);
        let verdict = self.policy.verdict(&facts);
        let uncounted = verdict.is_uncounted();
        let bucket = self.buckets[call.process as usize];
        let history =
            History { last_cost: call.last_cost, bucket, backoff_from: call.backoff_from, closed_for: Duration::ZERO };
        let moment = || {
            let wall = SystemTime::UNIX_EPOCH + Duration::from_nanos(now);
            (Now { elapsed: Duration::from_nanos(now - call.began), wall }, sample())
        };
        let step = self.policy.step_on(verdict, &history, &facts, moment);
        if let Step::Retry { cost, .. } = step {
            let (counted, restarts, sent) = (facts.counted(), self.policy.restarts_backoff(&facts), facts.sent);
            call.last_cost = cost;
            if restarts {
                call.backoff_from = counted.get();
            }
            if uncounted {
                call.uncounted = call.uncounted.and(sent);
            }
        }
        self.buckets[call.process as usize] = step.apply(bucket, self.policy);
        step
    }

    fn facts(&self, call: &Call, end: End) -> Attempt<'_> {
        let answer = |status, headers| {
            let transient = self.policy.statuses().contains(status);
            (Outcome::Answer { status, transient, headers }, Sent::Maybe)
        };
        let failed = |kind, phase, sent| (Outcome::Failure(Failure { kind, phase }), sent);
        let (outcome, sent) = match end {
            End::Good => answer(StatusCode::OK, &self.good),
            End::Busy => answer(StatusCode::SERVICE_UNAVAILABLE, &self.busy),
            End::Refused => failed(FailureKind::Refused, Phase::Connect, Sent::No),
            End::TimedOut => failed(FailureKind::RequestTimeout, Phase::Answer, Sent::Maybe),
            End::TooLate => failed(FailureKind::Deadline, Phase::Answer, Sent::Maybe),
        };
        // Whoever is refused has just tried to connect; a fleet that calls all the time has connections otherwise.
        let connection = match end {
            End::Refused => Connection::Fresh,
            End::Good | End::Busy | End::TimedOut | End::TooLate => Connection::Reused,
        };
        Attempt { request: self.request, outcome, sent, number: call.number(), uncounted: call.uncounted, connection }
    }
}
