//! The loop of the adapters: it sends as long as a policy says so, and decides nothing.
//!
//! The only part of this crate that acts, and so the only one with a clock; it is there with the feature `tower` alone.

use std::num::NonZeroU32;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use http::{HeaderMap, StatusCode};
use tokio::time::Instant;

use crate::{
    Attempt, Bucket, Budget, Connection, Failure, History, Now, Outcome, Policy, Request, Sample, Sent, Step,
    Uncounted, Verdict,
};

/// One call, as an adapter makes it.
pub trait Call {
    /// What comes back.
    type Answer;
    /// What comes instead.
    type Error;

    /// The request as a rule sees it.
    fn request(&self) -> Request<'_>;

    /// Sends it once.
    fn send(&mut self) -> impl Future<Output = Result<Self::Answer, Self::Error>> + Send;

    /// What came of that, as a rule sees it.
    fn came<'a>(&self, ended: &'a Result<Self::Answer, Self::Error>) -> Came<'a>;

    /// Waits so long before the next send; what is left of the last answer may be read meanwhile.
    fn wait(&mut self, ended: Result<Self::Answer, Self::Error>, wait: Duration) -> impl Future<Output = ()> + Send;
}

/// What came of one send.
#[derive(Clone, Copy, Debug)]
pub enum Came<'a> {
    /// An answer.
    Answer(StatusCode, &'a HeaderMap),
    /// None, and what is known of that.
    Failure(Failure, Sent),
}

/// A policy at work, with the one bucket that all calls through it share.
#[derive(Debug)]
pub struct Repeat {
    policy: Policy,
    bucket: Mutex<Bucket>,
}

impl Repeat {
    /// With a full bucket.
    #[must_use]
    pub fn new(policy: Policy) -> Self {
        let bucket = policy.budget().unwrap_or(&Budget::DEFAULT).bucket();
        Repeat { policy, bucket: Mutex::new(bucket) }
    }

    /// Sends until the policy stops, and returns what the last send brought. The deadline of the policy ends the waiting
    /// between sends; a send that is under way is the adapter's to bound.
    ///
    /// # Errors
    /// That of the last send.
    pub async fn run<C: Call>(&self, mut call: C) -> Result<C::Answer, C::Error> {
        let started = Instant::now();
        let mut course =
            Course { number: NonZeroU32::MIN, uncounted: Uncounted::default(), last_cost: 0, backoff_from: 0 };
        loop {
            let ended = call.send().await;
            let facts = self.facts(&call, &ended, course);
            let verdict = self.policy.verdict(&facts);
            match self.step(verdict.clone(), &facts, started, course) {
                Step::Stop { .. } => return ended,
                Step::Retry { wait, cost, .. } => {
                    course = Course {
                        number: course.number.saturating_add(1),
                        uncounted: if verdict.is_uncounted() {
                            course.uncounted.and(facts.sent)
                        } else {
                            course.uncounted
                        },
                        last_cost: cost,
                        backoff_from: if self.policy.restarts_backoff(&facts) {
                            facts.counted().get()
                        } else {
                            course.backoff_from
                        },
                    };
                    call.wait(ended, wait).await;
                }
            }
        }
    }

    fn facts<'a, C: Call>(
        &self,
        call: &'a C,
        ended: &'a Result<C::Answer, C::Error>,
        Course { number, uncounted, .. }: Course,
    ) -> Attempt<'a> {
        let (outcome, sent) = match call.came(ended) {
            Came::Answer(status, headers) => {
                (Outcome::Answer { status, transient: self.policy.statuses().contains(status), headers }, Sent::Maybe)
            }
            Came::Failure(failure, sent) => (Outcome::Failure(failure), sent),
        };
        Attempt { request: call.request(), outcome, sent, number, uncounted, connection: Connection::Unknown }
    }

    fn step(&self, verdict: Verdict, facts: &Attempt<'_>, started: Instant, course: Course) -> Step {
        let mut bucket = self.bucket.lock().unwrap_or_else(PoisonError::into_inner);
        let Course { last_cost, backoff_from, .. } = course;
        let history = History { last_cost, bucket: *bucket, backoff_from, closed_for: Duration::ZERO };
        let step = self.policy.step_on(verdict, &history, facts, || {
            #[expect(clippy::disallowed_methods, reason = "this loop is where a Retry-After meets the clock")]
            let now = Now { elapsed: started.elapsed(), wall: SystemTime::now() };
            (now, Sample::from_bits(fastrand::u64(..)))
        });
        *bucket = step.apply(*bucket, &self.policy);
        step
    }
}

/// How far a call has come.
#[derive(Clone, Copy)]
struct Course {
    number: NonZeroU32,
    uncounted: Uncounted,
    last_cost: u32,
    backoff_from: u32,
}
