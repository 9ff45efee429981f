//! A shared allowance of retries, so that an outage is not answered with a storm.
//!
//! When everything fails, every client that retries n times sends n times the load, to a server that is already down,
//! and keeps it down. A budget bounds that for all calls together: each retry takes tokens from a bucket that only
//! success fills again. While most calls succeed the bucket is full and nobody notices it; when most fail it runs dry
//! after a bounded number of retries, and from then on a failed call ends at once. A timeout costs more, because it has
//! held a connection and a worker for its whole length.
//!
//! Both types are values: who shares a bucket (per origin, per client), and how, is the caller's business.

use crate::FailureClass;

/// What takes tokens from a bucket, and what a success gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Charge {
    /// A retry takes; a success gives back what the call's last retry took, or [`Budget::first_success`] when there was
    /// none. Source: AWS SDK standard retry mode.
    Retries,
    /// Every failure that the rule would retry takes, retried or not; every success gives [`Budget::first_success`].
    /// Source: gRFC A6 lines 285-306 (`retryThrottling`).
    Failures,
}

/// The rules of a bucket. Tokens are whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Budget {
    /// Tokens of a full bucket, and of a new one.
    pub capacity: u32,
    /// What a retry takes.
    pub retry_cost: u32,
    /// What a retry after a timeout takes.
    pub timeout_cost: u32,
    /// What a success on the first attempt gives: a status below 400 that is not transient. A success after retries gives
    /// back what the last retry took.
    pub first_success: u32,
    /// What retries leave in the bucket.
    pub floor: u32,
    /// What takes and gives.
    pub charge: Charge,
}

impl Budget {
    /// 500 tokens; a retry takes 5, after a timeout 10; a first-attempt success gives 1.
    ///
    /// Source: AWS SDK standard retry mode, as botocore before 1.44 `retries/standard.py` has it.
    pub const DEFAULT: Budget =
        Budget { capacity: 500, retry_cost: 5, timeout_cost: 10, first_success: 1, floor: 0, charge: Charge::Retries };

    /// A full bucket.
    #[must_use]
    pub const fn bucket(&self) -> Bucket {
        Bucket { tokens: self.capacity }
    }

    /// A bucket with so many tokens left, or a full one where that is less.
    #[must_use]
    pub fn holding(&self, tokens: u32) -> Bucket {
        Bucket { tokens: tokens.min(self.capacity) }
    }

    /// What a retry takes after a failure of this class; `None` stands for an answer.
    #[must_use]
    pub(crate) const fn cost(&self, failure: Option<FailureClass>) -> u32 {
        match failure {
            Some(FailureClass::Timeout | FailureClass::ConnectTimeout) => self.timeout_cost,
            Some(FailureClass::Io | FailureClass::Permanent | FailureClass::Deadline) | None => self.retry_cost,
        }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Budget::DEFAULT
    }
}

/// The state of a bucket: `0..=capacity` tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bucket {
    tokens: u32,
}

impl Bucket {
    /// What is left.
    #[must_use]
    pub const fn tokens(&self) -> u32 {
        self.tokens
    }

    /// The bucket after `cost` was taken; `None` when it holds less than that.
    #[must_use]
    pub const fn take(self, cost: u32) -> Option<Bucket> {
        match self.tokens.checked_sub(cost) {
            Some(tokens) => Some(Bucket { tokens }),
            None => None,
        }
    }

    /// The bucket after `cost` was taken, or all that it holds.
    #[must_use]
    pub const fn drain(self, cost: u32) -> Bucket {
        Bucket { tokens: self.tokens.saturating_sub(cost) }
    }

    /// The bucket after `tokens` came back; never above the budget's capacity.
    #[must_use]
    pub fn give(self, tokens: u32, budget: &Budget) -> Bucket {
        Bucket { tokens: self.tokens.saturating_add(tokens).min(budget.capacity) }
    }
}
