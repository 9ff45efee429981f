//! What a store of a fleet has to do, said as values.

use std::fmt;
use std::time::Duration;

use futures_util::future::BoxFuture;
use httpx_retry::{Bucket, Budget, Charge};

use crate::store_error::StoreError;

/// What a process books at an origin, all in one step.
#[derive(Clone, Copy, Debug)]
pub struct Booking<'a> {
    /// The origin, as in `https://api.example.test`.
    pub origin: &'a str,
    /// The rules of the bucket. Each set of rules has a bucket of its own.
    pub budget: &'a Budget,
    /// Tokens that come back.
    pub give: u32,
    /// Tokens that are asked for after that.
    pub cost: u32,
    /// How long from now on the server wants to be left alone; zero when it did not say. An earlier wish that lasts longer
    /// stays as it is.
    pub close_for: Duration,
}

/// What a store answers: all the process needs to decide as the store has booked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Booked {
    /// What the bucket held when `cost` was asked for.
    pub tokens: u32,
    /// How much longer the server wants to be left alone, by what others were told; zero when none were.
    pub closed_for: Duration,
}

impl Booking<'_> {
    /// The bucket after `cost` was asked for: where retries pay they get it whole or not at all, a failure takes what is
    /// there. [`Booking::give`] comes before.
    #[must_use]
    pub fn apply(&self, bucket: Bucket) -> Bucket {
        match self.budget.charge {
            Charge::Retries if bucket.take(self.cost.saturating_add(self.budget.floor)).is_none() => bucket,
            Charge::Retries | Charge::Failures => bucket.drain(self.cost),
        }
    }
}

/// Keeps the buckets of a fleet. A bucket that it has never heard of, or forgotten, is full.
pub trait FleetStore: Send + Sync + fmt::Debug {
    /// Gives, takes as [`Booking::apply`] says, and notes how long the server is to be left alone.
    fn book<'a>(&'a self, booking: Booking<'a>) -> BoxFuture<'a, Result<Booked, StoreError>>;
}
